"""`veracity score`: from a file of predictions to numbers with intervals."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli import complete
from veracity.cli.arguments import told_apart
from veracity.cli.options import COLUMNS, CONFIDENCE, OUTPUT, options
from veracity.cli.output import PAGES, deliver, ending


@click.command()
@click.argument("words", nargs=-1, metavar="FILE... [SCORE...]", shell_complete=complete.of("scores", files=True))
@options(COLUMNS)
@click.option("--interval", metavar="NAME", shell_complete=complete.of("intervals"), help="Instead of the default one.")
@click.option("--side", type=click.Choice(["two", "lower", "upper"]), default="two", help="Bound one side only.")
@click.option("--costs", type=click.Path(), metavar="FILE", help="Cost matrix with class names; adds the score cost.")
@click.option("--slices", "by", metavar="COLUMN", help="Scores for each group of rows in this column.")
@options(CONFIDENCE, OUTPUT)
def score(
    words: tuple[str, ...],
    interval: str | None,
    side: str,
    costs: str | None,
    by: str | None,
    level: float,
    seed: int,
    as_json: bool,
    out: str | None,
    **columns: Any,
) -> None:
    """Score ready-made predictions, each number with its interval.

    FILE is CSV, TSV, Parquet, JSON lines or ARFF (text ones also as .gz), a quoted pattern, or - for standard input.
    Without a SCORE, all scores that the columns allow are given; `veracity list scores` names them.

    \b
    veracity score preds.csv --truth y --proba p_spam --positive spam
    veracity score preds.csv --truth y --label a --label b error "fbeta(beta=2)"
    veracity score 'models/*.parquet' --truth y --proba p --positive 1 --rows id auc
    """
    if out is not None:
        ending(out, *PAGES)
    files, scores = told_apart(words)
    from veracity.cli.work.score import Asked, scored, sliced

    asked = Asked(tuple(scores), interval, side, costs, level, seed)
    result = sliced(files, columns, by, asked) if by else scored(files, columns, asked)
    deliver(result.title, result.tables, result.shape, as_json, out, result.lead, result.report)
