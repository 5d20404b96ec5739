"""`veracity list` and `veracity explain`: what there is, and what it means."""

from __future__ import annotations

from collections.abc import Callable

import click

from veracity.cli import complete
from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, deliver, ending, save
from veracity.core.errors import BadInput
from veracity.core.index import lists, names
from veracity.tables.json import json

WHAT = lists()
NEEDS = ("label", "proba", "value", "number")


@click.command("list", help=f"List the scores, or what else there is.\n\nWHAT is {', '.join(WHAT[:-1])} or {WHAT[-1]}.")
@click.argument("what", type=click.Choice(WHAT), default="scores", metavar="[WHAT]")
@click.option("--needs", type=click.Choice(NEEDS), help="Only what reads this.")
@options(EVERYWHERE, OUTPUT)
def listing(what: str, needs: str | None, as_json: bool, out: str | None) -> None:
    if out is not None:
        ending(out, *PAGES)
    from veracity.api.catalogue import catalogue

    found = catalogue(what, needs=needs)
    deliver(f"veracity: {what}", [found.table()], found.to_json, as_json, out)


def _no_verb(context: click.Context, name: str) -> None:
    """A verb has a page of its own, unless a method bears its name too."""
    program = context.find_root().command
    if isinstance(program, click.Group) and name in program.commands and name not in names():
        raise BadInput(f"{name} is a verb and no method: veracity {name} --help tells of it")


@click.command()
@click.argument("name", shell_complete=complete.everything)
@options(EVERYWHERE, OUTPUT)
@click.pass_context
def explain(context: click.Context, name: str, as_json: bool, out: str | None) -> None:
    """Explain a method, assumption or reference by its NAME."""
    _no_verb(context, name)
    form = ending(out, ".html", ".md", ".json", ".txt") if out else ""
    from veracity.api.explain import explain as explained
    from veracity.tables.html import document

    found = explained(name)
    if out is not None:
        made: dict[str, Callable[[], str]] = {
            ".html": lambda: document(found.name, found._repr_html_()),
            ".md": found.to_markdown,
            ".json": lambda: json(found.to_json()) + "\n",
            ".txt": lambda: f"{found!r}\n",
        }
        save(out, made[form]())
    if as_json:
        click.echo(json(found.to_json()))
    elif out is None:
        click.echo(repr(found))
