"""`veracity status`: how far a study is."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, STORED, options
from veracity.cli.output import PAGES, check_endings, deliver


@click.command()
@click.argument("where", metavar="STORE|STUDY.toml", type=click.Path())
@options(STORED, EVERYWHERE, OUTPUT)
def status(where: str, store: str | None, trust_store: bool, as_json: bool, out: tuple[str, ...]) -> None:
    """How many fits in STORE, or of STUDY.toml in its store, are planned, done, failed, running and waiting.

    Those that wait are next in a run, which has more of them at hand than workers; a run that ended has none.

    \b
    veracity status results.db
    veracity status study.toml --store other.db
    veracity status study.toml --trust-store
    """
    check_endings(out, *PAGES)
    from veracity.cli.work.run import status_of

    deliver(status_of(where, store, trust_store), as_json, out)
