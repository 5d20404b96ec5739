"""`veracity replicability`: on how many data sets is one learner better than another?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import (
    BETTER,
    CHOSEN,
    CONFIDENCE,
    OUTPUT,
    PAIRS,
    STORED,
    WRITTEN,
    method,
    options,
    words_argument,
)
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.core.errors import BadInput


@click.command()
@words_argument("FILE|STORE|STUDY.toml [SCORE]")
@method("--using", "comparisons", metavar="TEST", help="On each data set; the usual test of its splits unless said.")
@options(PAIRS)
@click.option(
    "--combine",
    type=click.Choice(["bonferroni", "fisher"]),
    default="bonferroni",
    show_default=True,
    help="fisher where data sets are independent.",
)
@click.option("--p-values", metavar="COLUMN", help="FILE has p-values of one learner being better, a line a data set.")
@options(STORED, CHOSEN, BETTER, WRITTEN)
@click.option("--positive", metavar="CLASS", help="The class that is looked for, in the data sets of a store.")
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@options(CONFIDENCE, OUTPUT)
def replicability(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Count the data sets on which one learner is better: at least so many, and those that can be named.

    FILE is a table of scores of splits, as of Weka's Experimenter, or with --p-values a column of one-sided p-values;
    STORE is what `veracity run` has filled.

    \b
    veracity replicability results.db error --pair nb,tree
    veracity replicability weka_results.arff Percent_correct --combine fisher
    veracity replicability p.csv --p-values p
    """
    check_endings(out, *PAGES)
    files, scores = files_and_scores(words, measures=True)
    if len(files) != 1 or len(scores) > 1:
        raise BadInput("replicability reads one file or store, and one score")
    from veracity.cli.work.many_learners import replicability_of_file

    deliver(replicability_of_file(files[0], next(iter(scores), None), given), as_json, out)
