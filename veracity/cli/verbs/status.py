"""`veracity status`: how far a study is."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, deliver, ending


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@options(EVERYWHERE, OUTPUT)
def status(store: str, as_json: bool, out: str | None) -> None:
    """How many fits of the study in STORE are planned, done, failed and running now."""
    if out is not None:
        ending(out, *PAGES)
    from veracity.cli.work.run import told_status

    result = told_status(store)
    deliver(result.title, result.tables, result.shape, as_json, out, result.lead)
