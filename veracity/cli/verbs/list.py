"""`veracity list`: what there is."""

from __future__ import annotations

import shlex
from typing import Any

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.core.errors import BadInput
from veracity.core.index import lists
from veracity.reports.output import Output

WHAT = lists()
FEW = 3  # names that tell whether it is worth looking
NEEDS = ("label", "proba", "value", "number")


class ListName(click.Choice[str]):
    """The name of a list; other words are answered by what they are about."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        says = super().get_invalid_choice_message(value, ctx).rstrip(".")
        from veracity.api.search import search

        try:
            found = search(value)
        except BadInput:
            return says
        if found.is_outside:
            return f"{says}, and no method here is: veracity explain {found[0].name} tells what to do instead"
        names = list(dict.fromkeys(row.name for row in found))
        return f"{says}; veracity explain {shlex.quote(value)} finds {', '.join(names[:FEW])}"


@click.command("list", help=f"List the scores, or what else there is.\n\nWHAT is {', '.join(WHAT[:-1])} or {WHAT[-1]}.")
@click.argument("what", type=ListName(WHAT), default="scores", metavar="[WHAT]")
@click.option("--needs", type=click.Choice(NEEDS), help="Only what reads this.")
@options(EVERYWHERE, OUTPUT)
def listing(what: str, needs: str | None, as_json: bool, out: tuple[str, ...]) -> None:
    check_endings(out, *PAGES)
    from veracity.api.catalogue import catalogue

    part = catalogue(what, needs=needs)
    deliver(Output(f"veracity: {what}", (part.table(),), part.to_json), as_json, out)
