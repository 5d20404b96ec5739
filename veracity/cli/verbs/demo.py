"""`veracity demo`: the main job on built-in data, each step with the line that does it."""

from __future__ import annotations

import click

from veracity.cli.options import CONFIDENCE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings


@click.command()
@click.option("--folder", default=".", show_default=True, type=click.Path(), help="Where files are put.")
@options(CONFIDENCE, OUTPUT)
def demo(folder: str, level: float, seed: int, as_json: bool, out: tuple[str, ...]) -> None:
    """Run a real study of five learners on twelve data sets, rank them, and write the page report.html.

    It takes about a minute. The study is a file, demo.toml, which you can change and run again; it names its own seed.
    """
    check_endings(out, *PAGES)
    from veracity.cli.work.demo import tour

    tour(folder, level, as_json, out)
