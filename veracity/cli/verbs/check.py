"""`veracity check`: whether a store is as it was written."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.cli.program import DONE, FAILED
from veracity.reports.output import Output


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@click.option("--repair", is_flag=True, help="Take away what is damaged, so that it is made anew.")
@options(EVERYWHERE, OUTPUT)
def check(store: str, repair: bool, as_json: bool, out: tuple[str, ...]) -> int:
    """Look at everything in STORE, and say what is lost or damaged and what to do; exit status 1 if something is.

    That is the database's own check of an SQLite file, the checksum of every row, and whether each fit predicted the
    rows of its splits. With --repair, the next run of the study brings back what was taken away, and fits only that.

    \b
    veracity check results.db
    veracity check results.db --repair
    """
    check_endings(out, *PAGES)
    from veracity.stores.check import check_store

    found = check_store(store, repair)
    if found.sound and not as_json and not out:
        click.echo(found.sentence)
        return DONE
    deliver(Output("Check", (found.table(),), found.to_json), as_json, out)
    return FAILED if found.problems else DONE
