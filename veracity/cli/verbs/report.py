"""`veracity report`: the page of a study, or of the predictions in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import (
    CHOSEN,
    COLUMNS,
    CONFIDENCE,
    INTERVAL,
    OUTPUT,
    STORED,
    method,
    options,
    several,
    words_argument,
)
from veracity.cli.output import PAGES, check_endings, deliver

PAGE = "report.html"  # unless another file is named


@click.command()
@words_argument("STORE|STUDY.toml|FILE... [SCORE...]")
@options(STORED, CHOSEN)
@several("--by", metavar="DESIGN", help="Only this design of a store that has several; repeat for several.")
@method(
    "--scores",
    "scores",
    multiple=True,
    metavar="SCORE[,SCORE...]",
    help="What to report; without, the scores of the study, or all that the columns allow.",
)
@method("--using", "comparisons", metavar="TEST", help="What the learners of a store are ranked or compared by.")
@method("--then", "adjustments", "posthocs", help="How their pairs are adjusted.")
@method("--pairs", "posthocs", "comparisons", metavar="TEST", help="How each pair of a ranking is tested.")
@click.option("--control", metavar="LEARNER", help="Hold the others against this one only.")
@click.option("--deviations", is_flag=True, help="Standard deviations over splits, and how many, in the tables.")
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@options(COLUMNS, INTERVAL, CONFIDENCE, OUTPUT)
def report(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Write the page of the study in STORE: estimates, ranking, curves, failures and how it was done; or that of the
    predictions in a FILE: scores, curves, and of several models their comparison.

    The question of a store is that of its study, by the first of --scores and at --level where these are given, or in
    place of it what --using, --then, --pairs and --control ask.
    A study file shows only what it names, of a store that may hold more. FILE and its columns are as in `veracity
    score`. Without --out the page is report.html in this folder.

    \b
    veracity report results.db --scores error,log_loss --out report.html
    veracity report study.toml --store results.db
    veracity report results.db --only nb --only tree --data iris
    veracity report preds.csv --truth y --proba p_spam --positive spam --out page.html
    """
    target = out if out or as_json else (PAGE,)
    check_endings(target, *PAGES)
    files, scores = files_and_scores(words)
    from veracity.cli.work.report import report_files

    page = report_files(files, scores, given)
    if target == (PAGE,) != out and Path(PAGE).exists():
        click.echo(f"{PAGE} was here and is replaced: --out names another file", err=True)
    deliver(page, as_json, target)
