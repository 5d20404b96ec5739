"""`veracity explain`: what a method, an assumption or a reference is."""

from __future__ import annotations

from collections.abc import Callable

import click

from veracity.cli import complete
from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import ending, save
from veracity.core.errors import BadInput
from veracity.core.index import names
from veracity.tables.exports import json


@click.command()
@click.argument("name", shell_complete=complete.everything)
@options(EVERYWHERE, OUTPUT)
@click.pass_context
def explain(context: click.Context, name: str, as_json: bool, out: str | None) -> None:
    """Explain a method, assumption or reference by its NAME."""
    _refuse_verb(context, name)
    form = ending(out, ".html", ".md", ".json", ".txt")
    from veracity.api.explain import explain as explanation_of
    from veracity.tables.html import document

    explanation = explanation_of(name)
    if out is not None:
        writers: dict[str, Callable[[], str]] = {
            ".html": lambda: document(explanation.name, explanation._repr_html_()),
            ".md": explanation.to_markdown,
            ".json": lambda: json(explanation.to_json()) + "\n",
            ".txt": lambda: f"{explanation!r}\n",
        }
        save(out, writers[form]())
    if as_json:
        click.echo(json(explanation.to_json()))
    elif out is None:
        click.echo(repr(explanation))


def _refuse_verb(context: click.Context, name: str) -> None:
    """A verb has a page of its own, unless a method bears its name too."""
    program = context.find_root().command
    if isinstance(program, click.Group) and name in program.commands and name not in names():
        raise BadInput(f"{name} is a verb and no method: veracity {name} --help tells of it")
