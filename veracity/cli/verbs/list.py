"""`veracity list`: what there is."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, Result, check_endings, deliver
from veracity.core.index import lists

WHAT = lists()
NEEDS = ("label", "proba", "value", "number")


@click.command("list", help=f"List the scores, or what else there is.\n\nWHAT is {', '.join(WHAT[:-1])} or {WHAT[-1]}.")
@click.argument("what", type=click.Choice(WHAT), default="scores", metavar="[WHAT]")
@click.option("--needs", type=click.Choice(NEEDS), help="Only what reads this.")
@options(EVERYWHERE, OUTPUT)
def listing(what: str, needs: str | None, as_json: bool, out: tuple[str, ...]) -> None:
    check_endings(out, *PAGES)
    from veracity.api.catalogue import catalogue

    part = catalogue(what, needs=needs)
    deliver(Result(f"veracity: {what}", (part.table(),), part.to_json), as_json, out)
