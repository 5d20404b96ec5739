"""`veracity estimate`: the risk of learners, from a data file or from the store of a study."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import CHOSEN, CONFIDENCE, INTERVAL, LEARNERS, OUTPUT, ROLES, WORK, options, words_argument
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.cli.start_workers import start_workers
from veracity.core.errors import BadInput


@click.command()
@words_argument("FILE|STORE|STUDY.toml [SCORE...]")
@options(LEARNERS, CHOSEN, ROLES)
@click.option(
    "--per-class", is_flag=True, help="A line for each class: precision, recall, F1 and support, or the scores named."
)
@click.option("--slices", metavar="COLUMN", help="On each group of rows in this column of the data file.")
@options(WORK, INTERVAL)
@click.option("--deviations", is_flag=True, help="Standard deviations over splits too.")
@options(CONFIDENCE, OUTPUT)
def estimate(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Estimate the risk of learners, each number with its interval and the question it answers.

    FILE is a table with a column to be predicted; STORE is what `veracity run` has filled, of which
    STUDY.toml shows only what it names.

    \b
    veracity estimate data.csv --target y --learner sklearn.naive_bayes:GaussianNB --by "kfold(k=10)" error auc
    veracity estimate results.db error log_loss
    veracity estimate results.db --per-class
    veracity estimate study.toml --store results.db --data credit --slices country error
    """
    check_endings(out, *PAGES)
    start_workers(given, words)
    files, scores = files_and_scores(words)
    if len(files) != 1:
        raise BadInput(f"estimate reads one file or store, not {len(files)}: {', '.join(files)}")
    from veracity.cli.work.estimate import estimate_learners

    deliver(estimate_learners(files[0], scores, given, as_json), as_json, out)
