"""`veracity bbc_cv`: the risk of the best of many learners, without any further fit."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import CHOSEN, COLUMNS, CONFIDENCE, OUTPUT, STORED, options, words_argument
from veracity.cli.output import PAGES, check_endings, deliver


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE]")
@options(COLUMNS, STORED, CHOSEN)
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@click.option("--draws", type=int, default=1000, show_default=True, help="Samples of rows.")
@options(CONFIDENCE, OUTPUT)
def bbc_cv(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Tell the risk of the best of many learners: what choosing it on the same rows flatters is taken off.

    All learners of a STORE (or those of --only) by one design, or predictions of several models in columns or files,
    out of fold (--fold) or of a test set. In samples of rows the best learner is chosen, and scored on the rows left
    out: bootstrap bias-corrected cross-validation. The score is error, or rmse for numbers, unless one is named.

    \b
    veracity bbc_cv results.db error
    veracity bbc_cv preds.csv --truth y --label a --label b --label c --fold fold error
    """
    check_endings(out, *PAGES)
    files, scores = files_and_scores(words)
    from veracity.cli.work.many_learners import best_of_files

    deliver(best_of_files(files, scores, given), as_json, out)
