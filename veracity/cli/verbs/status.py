"""`veracity status`: how far a study is."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings, deliver


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@options(EVERYWHERE, OUTPUT)
def status(store: str, as_json: bool, out: tuple[str, ...]) -> None:
    """How many fits of the study in STORE are planned, done, failed and running now."""
    check_endings(out, *PAGES)
    from veracity.cli.work.run import status_of

    deliver(status_of(store), as_json, out)
