"""`veracity finite_class`: the finite-class bound, solved for any of its parts."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, options
from veracity.cli.output import PAGES, check_endings, deliver, result_of


@click.command()
@click.option("--rows", type=int, help="How many rows the errors are of.")
@click.option("--epsilon", type=float, help="How far the error on them may lie from the risk.")
@click.option("--delta", type=float, help="The chance to fail.")
@click.option("--size-h", type=float, help="How many hypotheses could be chosen.")
@click.option("--side", type=click.Choice(["two", "upper"]), default="two", help="upper: only from above.")
@options(EVERYWHERE, OUTPUT)
def finite_class(as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Solve the finite-class (PAC) bound: give three of --rows, --epsilon, --delta and --size-h.

    \b
    veracity finite_class --epsilon 0.05 --delta 0.05 --size-h 1000
    veracity finite_class --rows 2000 --delta 0.05 --size-h 1000
    """
    check_endings(out, *PAGES)
    from veracity.planning.interval_width import finite_class as solve

    deliver(result_of(solve(**given), "Finite-class bound"), as_json, out)
