"""`veracity permutation_test`: does a learner find anything at all?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import CONFIDENCE, LEARNER, OUTPUT, ROLES, SPLITS, TARGET, TIME, WORK, options, words_argument
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver


@click.command("permutation_test")
@words_argument("FILE [SCORE]")
@options(TARGET, LEARNER, SPLITS)
@click.option("--draws", type=int, default=999, show_default=True, help="Shuffled tables, each estimated as a whole.")
@click.option(
    "--kind",
    type=click.Choice(["labels", "within_class"]),
    default="labels",
    show_default=True,
    help="What is shuffled: labels over rows, or each feature inside each class.",
)
@click.option("--target-kind", type=click.Choice(["classes", "numbers"]), help="What a target of whole numbers is.")
@options(ROLES[:2], TIME, WORK[:1])
@click.option("--anyway", is_flag=True, help="Also more fits than anybody is likely to mean.")
@options(CONFIDENCE, OUTPUT)
def permutation_test(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Repeat the whole estimate of a learner on shuffled data: how often does chance do at least as well?

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    The cost is that of --draws estimates. A figure (--out x.png, .svg, .pdf) shows how the estimates of shuffled data
    lie beside that of the data as it is.

    \b
    veracity permutation_test data.csv --target y --learner sklearn.naive_bayes:GaussianNB --by "kfold(k=5)" error
    veracity permutation_test data.csv --target y --learner sklearn.svm:SVC --kind within_class --draws 99
    """
    check_endings(out, *FIGURES, *PAGES)
    from veracity.cli.work.experiments import hold_against_chance

    deliver(hold_against_chance(words, given, as_json), as_json, out)
