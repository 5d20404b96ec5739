"""`veracity compare`: is one model, or one learner, really better than another?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import (
    BETTER,
    CHOSEN,
    COLUMNS,
    CONFIDENCE,
    COUNTED,
    EFFECT,
    LEARNERS,
    OUTPUT,
    PAIRED,
    PAIRS,
    WORK,
    method,
    options,
    words_argument,
)
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver
from veracity.cli.start_workers import start_workers
from veracity.core.confidence import ALTERNATIVES

TYPED = ("errors", "of", "matrix", "n01", "n10", "both", "neither")  # counts in place of a file


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE...]")
@method(
    "--using", "comparisons", metavar="TEST", help="Instead of the usual one; `veracity list comparisons` names them."
)
@method("--interval", "intervals", help="Of the difference.")
@click.option(
    "--alternative",
    type=click.Choice(ALTERNATIVES),
    help="About the score of the first less that of the second: is it below 0, above 0, or either, as usual?",
)
@method("--then", "adjustments", help="Adjusts several p-values.")
@options(EFFECT)
@options(PAIRS)
@click.option("--slices", metavar="COLUMN", help="Models on each group of rows in this column.")
@options(CHOSEN, BETTER)
@click.option("--anyway", is_flag=True, help="Also a test that is not valid here; its result decides nothing.")
@options(COLUMNS, COUNTED, PAIRED, LEARNERS, WORK, CONFIDENCE, OUTPUT)
def compare(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Compare two models or learners: the difference, its interval, a p-value and what they say.

    Predictions in columns of one file, or in one file per model; learners that are tried on a data file now, or were
    tried in the STORE of a study, of which STUDY.toml shows only what it names; or the columns of a table of scores.
    The score is error, or rmse for numbers, unless others are named; several are one family, and their p-values are
    adjusted together. Of a table of scores, SCORE is the one that it holds, or which of them.
    A figure (--out x.png, .svg, .pdf) shows the differences with their intervals, or the posterior.

    \b
    veracity compare preds.csv --truth y --label a --label b --using mcnemar error
    veracity compare preds.csv --truth y --proba a --proba b --positive 1 error auc brier
    veracity compare preds.csv --truth y --label a --label b --slices country error
    veracity compare one.csv two.csv --truth y --label yhat --using two_proportion_z error
    veracity compare data.csv --target y --learner A --learner B --by "kfold(k=10)" --using corrected_t error
    veracity compare results.csv --using wilcoxon --pair nb,tree --effect cliffs_delta accuracy
    veracity compare log.csv --model model --rows question --correct correct --groups passage
    veracity compare log.jsonl --grade score --item question --repeat sample --model model --groups passage
    veracity compare --n01 9 --n10 22 --of 1000 --using mcnemar error
    veracity compare --errors 12 --of 40 --errors 8 --of 50 --using two_proportion_z error
    """
    check_endings(out, *FIGURES, *PAGES, ".bib")
    start_workers(given, words)
    files, scores = files_and_scores(words, needed=not any(given[name] not in ((), None) for name in TYPED))
    from veracity.cli.work.compare import compare_files

    deliver(compare_files(files, scores, given, as_json), as_json, out)
