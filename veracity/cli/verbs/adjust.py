"""`veracity adjust`: adjusted p-values of a file."""

from __future__ import annotations

import click

from veracity.cli.meant import refuse_strange_options
from veracity.cli.options import EVERYWHERE, OUTPUT, method, options
from veracity.cli.output import PAGES, check_endings, deliver


@click.command(context_settings={"ignore_unknown_options": True})  # a negative number is none
@click.argument("words", nargs=-1, required=True, metavar="FILE|P...", type=click.Path())
@method("--using", "adjustments", default="holm", show_default=True, help="`veracity list adjustments` names them.")
@click.option("--column", metavar="COLUMN", help="Where the p-values are, unless it is p, p_value or the only one.")
@options(EVERYWHERE, OUTPUT)
def adjust(words: tuple[str, ...], using: str, column: str | None, as_json: bool, out: tuple[str, ...]) -> None:
    """Adjust p-values for the number of tests.

    P is a p-value, typed behind the others; or FILE has a column of p-values, or a symmetric matrix of them with a
    column for each learner and an empty diagonal; - is standard input. Empty cells are missing and leave the family.

    \b
    veracity adjust 0.01 0.02 0.04
    veracity adjust p.csv --using hommel
    veracity adjust pairs.csv --using bergmann_hommel
    """
    refuse_strange_options(words)
    check_endings(out, *PAGES)
    from veracity.cli.work.adjust import adjust_typed

    deliver(adjust_typed(words, using, column), as_json, out)
