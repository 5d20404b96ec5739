"""`veracity demo`: the main job on built-in data, each step with the line that does it."""

from __future__ import annotations

import click

from veracity.cli.options import CONFIDENCE, OUTPUT, options
from veracity.cli.output import PAGES, ending


@click.command()
@click.option("--folder", default="demo-output", show_default=True, type=click.Path(), help="Where files are put.")
@options(CONFIDENCE, OUTPUT)
def demo(folder: str, level: float, seed: int, as_json: bool, out: str | None) -> None:
    """Show it all: fit two models, score, compare and draw them."""
    if out is not None:
        ending(out, *PAGES)
    from veracity.cli.tour import tour

    tour(folder, level, seed, as_json, out)
