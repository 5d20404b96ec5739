"""`veracity bias_variance`: what is the loss of a learner made of?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import (
    CONFIDENCE,
    EVERYWHERE,
    KEPT,
    LEARNER,
    OUTPUT,
    TARGET,
    WORK,
    options,
    several,
    words_argument,
)
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver
from veracity.cli.start_workers import start_workers


@click.command("bias_variance")
@words_argument("FILE")
@options(TARGET, LEARNER)
@click.option(
    "--loss",
    type=click.Choice(["squared", "zero_one"]),
    help="squared for numbers, zero_one for classes; without, as the target is.",
)
@click.option(
    "--kind",
    type=click.Choice(["domingos", "kohavi_wolpert"]),
    default="domingos",
    show_default=True,
    help="How zero_one is taken apart.",
)
@click.option("--draws", type=int, default=200, show_default=True, help="Training sets, each of which makes a model.")
@click.option(
    "--by",
    type=click.Choice(["bootstrap", "subsample"]),
    default="bootstrap",
    show_default=True,
    help="How training sets are drawn from the rows that are not tested.",
)
@click.option("--test", metavar="ROWS|SHARE", help="Rows tested, such as 100 or 0.3; a third unless said.")
@click.option("--parameter", metavar="NAME", help="Of the learner: its loss is taken apart for each of the values.")
@several("--values", metavar="VALUE[,...]", help="Of the parameter: numbers, True, None or words.")
@options(KEPT, WORK, EVERYWHERE[:1], CONFIDENCE[1:], OUTPUT)
def bias_variance(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Take the mean loss of the models of many training sets apart, in bias, variance and, in the bias, noise.

    FILE is a table with a column to be predicted. In Python the verb also draws from a world that knows its noise.

    \b
    veracity bias_variance data.csv --target y --learner sklearn.naive_bayes:GaussianNB --loss zero_one
    veracity bias_variance data.csv --target y --learner sklearn.tree:DecisionTreeRegressor --draws 100
    veracity bias_variance data.csv --target y --learner sklearn.tree:DecisionTreeRegressor \\
        --parameter max_depth --values 1,2,4,8 --out depth.svg
    """
    check_endings(out, *FIGURES, *PAGES)
    start_workers(given, words)
    from veracity.cli.work.experiments import decompose_loss

    deliver(decompose_loss(words, given, as_json), as_json, out)
