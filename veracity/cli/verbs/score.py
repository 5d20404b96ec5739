"""`veracity score`: from a file of predictions to numbers with intervals."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import (
    CELLS,
    CHOSEN,
    COLUMNS,
    CONFIDENCE,
    COUNTED,
    INTERVAL,
    OUTPUT,
    STORED,
    names_of,
    options,
    words_argument,
)
from veracity.cli.output import PAGES, check_endings, deliver


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE...]")
@options(COLUMNS, COUNTED, CELLS, INTERVAL)
@click.option("--costs", type=click.Path(), metavar="FILE", help="Cost matrix with class names; adds the score cost.")
@click.option("--slices", "by", metavar="COLUMN", help="Scores for each group of rows in this column.")
@click.option(
    "--per-class", is_flag=True, help="A line for each class: precision, recall, F1 and support, or the scores named."
)
@options(CHOSEN, STORED, CONFIDENCE, OUTPUT)
def score(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Score ready-made predictions, each number with its interval.

    FILE is CSV, TSV, Parquet, JSON lines or ARFF (text ones also as .gz), a quoted pattern, or - for standard input.
    Without a SCORE, all scores that the columns allow are given; `veracity list scores` names them. A STORE
    gives those of its learners, with the intervals of learners.

    \b
    veracity score preds.csv --truth y --proba p_spam --positive spam
    veracity score preds.csv --truth y --label a --label b error "fbeta(beta=2)"
    veracity score 'models/*.parquet' --truth y --proba p --positive 1 --rows id auc
    veracity score log.csv --model model --rows question --correct correct
    veracity score log.jsonl --grade score --item question --repeat sample mean "pass_at(k=3)"
    veracity score --errors 12 --of 40 error --interval wilson
    veracity score --matrix matrix.csv --positive bad
    veracity score --tp 45 --fn 5 --fp 12 --tn 138 sensitivity specificity
    veracity score preds.csv --truth y --label yhat --per-class
    veracity score results.db --only nb --data iris
    """
    check_endings(out, *PAGES)
    counted = any(given[name] not in ((), None) for name in ("errors", "of", "matrix", *names_of(CELLS)))
    files, scores = files_and_scores(words, needed=not counted)
    from veracity.cli.work.score import score_files, score_slices

    deliver((score_slices if given["by"] else score_files)(files, scores, given), as_json, out)
