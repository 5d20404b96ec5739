"""`veracity validation_curve`: is a learner too simple or too restless along one of its parameters?"""

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


@click.command("validation_curve")
@words_argument("FILE [SCORE]")
@options(TARGET, LEARNER, SPLITS)
@click.option("--parameter", required=True, metavar="NAME", help="Of the learner, as scikit-learn names it.")
@several("--values", required=True, metavar="VALUE[,...]", help="Of the parameter: numbers, True, None or words.")
@options(KIND, ROLES, TIME, KEPT, WORK, INTERVAL[:1], CONFIDENCE, OUTPUT)
def validation_curve(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Score a learner on test rows and on training rows for each value of a parameter, each with its interval.

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    A figure (--out x.png, .svg, .pdf) is the curve. Choosing its best value is tuning, whose score is optimistic.

    \b
    veracity validation_curve data.csv --target y --learner sklearn.svm:SVC --parameter C --values 0.1,1,10,100 error
    veracity validation_curve data.csv --target y --learner sklearn.tree:DecisionTreeClassifier \\
        --parameter max_depth --values 1,2,4,8,None --out depth.svg
    """
    check_endings(out, *FIGURES, *PAGES)
    start_workers(given, words)
    from veracity.cli.work.experiments import draw_validation_curve

    deliver(draw_validation_curve(words, given, as_json), as_json, out)
