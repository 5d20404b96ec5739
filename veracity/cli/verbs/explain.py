"""`veracity explain`: what a method, a verb or any words are about."""

from __future__ import annotations

from collections.abc import Callable

import click

from veracity.cli import complete
from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import check_endings, ending, page_of, save
from veracity.tables.exports import json
from veracity.tables.manual import ManualPage


@click.command()
@click.argument("words", nargs=-1, required=True, shell_complete=complete.everything)
@options(EVERYWHERE, OUTPUT)
def explain(words: tuple[str, ...], as_json: bool, out: tuple[str, ...]) -> None:
    """Explain a method, verb, topic, assumption or reference by its name, or find what any WORDS are about."""
    check_endings(out, ".html", ".md", ".json", ".txt")
    from veracity.api.explain import explain as explanation_of

    typed = " ".join(words)
    explanation = explanation_of(typed)
    explanation = explanation.for_command_line if isinstance(explanation, ManualPage) else explanation
    writers: dict[str, Callable[[], str]] = {
        ".html": lambda: page_of(explanation, typed).html,
        ".md": explanation.to_markdown,
        ".json": lambda: json(explanation.to_json()) + "\n",
        ".txt": lambda: f"{explanation!r}\n",
    }
    for file in out:
        save(file, writers[ending(file)]())
    if as_json:
        click.echo(json(explanation.to_json()))
    elif not out:
        click.echo(repr(explanation))
