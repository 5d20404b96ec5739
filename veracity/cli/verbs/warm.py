"""`veracity warm`: loops compiled ahead."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import check_endings, ending, save
from veracity.tables.exports import json


@click.command()
@options(EVERYWHERE, OUTPUT)
def warm(as_json: bool, out: tuple[str, ...]) -> None:
    """Compile once what large tables need, so that the first of them does not wait: after an installation."""
    check_endings(out, ".json", ".txt")
    from veracity.api.warm import compile_loops

    seconds = compile_loops()
    shown = {".json": json({"seconds": seconds}) + "\n", ".txt": f"compiled and kept: {seconds:.1f} s\n"}
    for file in out:
        save(file, shown[ending(file)])
    if as_json or not out:
        click.echo(shown[".json" if as_json else ".txt"], nl=False)
