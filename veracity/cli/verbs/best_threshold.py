"""`veracity best_threshold`: the threshold that is best on some rows, and what it does on others."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import COLUMNS, CONFIDENCE, OUTPUT, options, words_argument
from veracity.cli.output import PAGES, check_endings, deliver


@click.command("best_threshold")
@words_argument("FILE [TEST] [SCORE]")
@options(COLUMNS)
@click.option(
    "--costs",
    multiple=True,
    metavar="CELL=COST|FILE",
    help="What a mistake costs, FP=1 and FN=5, or a cost matrix with class names.",
)
@click.option(
    "--folds", type=int, metavar="K", help="Report on the rows of FILE: each of K parts cut at the best of the others."
)
@options(CONFIDENCE, OUTPUT)
def best_threshold(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Choose the threshold on the rows of FILE, by costs or by a SCORE of counts, and report it on the rows of TEST.

    Its value on the rows that chose it is optimistic: TEST holds other rows, with the same columns. Without others,
    --folds cuts each part of the rows at the threshold that the other parts choose.

    \b
    veracity best_threshold validation.csv test.csv --truth y --proba p --positive spam --costs FP=1 --costs FN=5
    veracity best_threshold validation.csv test.csv --truth y --value s --positive 1 "fbeta(beta=2)"
    veracity best_threshold preds.csv --truth y --proba p --positive spam --costs FP=1 --costs FN=5 --folds 10
    """
    check_endings(out, *PAGES)
    files, scores = files_and_scores(words)
    from veracity.cli.work.best_threshold import choose_threshold

    deliver(choose_threshold(files, scores, given), as_json, out)
