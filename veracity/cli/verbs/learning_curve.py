"""`veracity learning_curve`: would more rows help a learner?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import (
    CONFIDENCE,
    INTERVAL,
    KEPT,
    KIND,
    LEARNER,
    OUTPUT,
    ROLES,
    SPLITS,
    TARGET,
    TIME,
    WORK,
    options,
    several,
    words_argument,
)
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver
from veracity.cli.start_workers import start_workers


@click.command("learning_curve")
@words_argument("FILE [SCORE]")
@options(TARGET, LEARNER, SPLITS)
@several(
    "--sizes",
    metavar="ROWS|SHARE[,...]",
    help="Training rows, such as 50, or a share of them, such as 0.5; 0.1,0.2,0.4,0.7,1.0 unless said.",
)
@click.option("--fitted", is_flag=True, help="Also the power law a + b n^-c through the test scores.")
@several("--at", type=float, metavar="ROWS", help="What that law says of so many training rows; repeat for several.")
@options(KIND, ROLES, TIME, KEPT, WORK, INTERVAL[:1], CONFIDENCE, OUTPUT)
def learning_curve(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Score a learner on test rows and on training rows at several numbers of training rows, each with its interval.

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    A figure (--out x.png, .svg, .pdf) is the curve. With --store a long curve can be stopped and goes on.

    \b
    veracity learning_curve data.csv --target y --learner sklearn.naive_bayes:GaussianNB --sizes 40,80,160,1.0 error
    veracity learning_curve data.csv --target y --learner sklearn.naive_bayes:GaussianNB --fitted --out curve.svg
    """
    check_endings(out, *FIGURES, *PAGES)
    start_workers(given, words)
    from veracity.cli.work.experiments import draw_learning_curve

    deliver(draw_learning_curve(words, given, as_json), as_json, out)
