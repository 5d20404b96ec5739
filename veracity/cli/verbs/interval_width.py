"""`veracity interval_width`: how many rows make an interval so narrow?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings, deliver, result_of


@click.command()
@click.argument("of", metavar="share|mean|auc", shell_complete=complete.methods("widths"))
@click.option("--rows", type=int, help="How many rows there are.")
@click.option("--width", type=float, help="How wide the interval may be.")
@click.option("--value", type=float, help="The true share, or area, as far as it is known.")
@click.option("--interval", help="Of a share: wilson unless said, or clopper_pearson.")
@click.option("--sd", type=float, help="Standard deviation of a row's loss, for mean.")
@click.option("--prevalence", type=float, help="Share of positive rows, for auc.")
@options(CONFIDENCE, OUTPUT)
def interval_width(of: str, level: float, seed: int, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Plan an interval: give --width, and the rows are answered that make it so narrow; or --rows, and its width is.

    `veracity list widths` names what it can be of, and what each must be told.

    \b
    veracity interval_width share --value 0.1 --width 0.04
    veracity interval_width mean --sd 0.4 --rows 500
    veracity interval_width auc --value 0.85 --prevalence 0.2 --width 0.1
    """
    check_endings(out, *PAGES)
    from veracity.planning.interval_width import interval_width as plan

    facts = {name: number for name, number in given.items() if number is not None}
    answer = plan(of, level=level, **facts)
    deliver(result_of(answer, f"Width of the interval of {answer.about}"), as_json, out)
