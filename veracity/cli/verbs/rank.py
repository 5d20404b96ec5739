"""`veracity rank`: which learners are better over many data sets?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import BETTER, CHOSEN, CONFIDENCE, EFFECT, OUTPUT, STORED, WRITTEN, method, options, several
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver

LOOK = (  # of the table of scores
    click.option("--deviations", is_flag=True, help="Standard deviations over splits."),
    click.option("--counts", is_flag=True, help="How many results each mean is of."),
    click.option("--average", is_flag=True, help="A row with the mean of each column."),
    click.option("--significance-only", is_flag=True, help="Marks without scores, by a test of splits."),
    click.option("--sort", metavar="NAME", help="Order data sets by this learner or measure, -NAME the largest first."),
    click.option("--digits", type=int, metavar="NUMBER", help="Decimals of the scores."),
    several("--columns", metavar="LEARNER", help="Beside the base only this column, by a test of splits; repeat."),
    click.option("--swap", is_flag=True, help="Learners in rows, data sets in columns."),
)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE...|STORE|STUDY.toml [SCORE]", type=click.Path())
@method(
    "--using",
    "comparisons",
    metavar="TEST",
    help="Of all learners together, friedman on few data sets or else iman_davenport unless said; a test of splits such"
    " as corrected_t gives verdicts for each data set.",
)
@method("--then", "adjustments", "posthocs", help="How the pairs are adjusted, holm unless said.")
@method(
    "--pairs",
    "posthocs",
    "comparisons",
    metavar="TEST",
    help="How each pair is tested, wilcoxon unless said; mean_ranks for those of ranks.",
)
@click.option("--control", metavar="LEARNER", help="Hold the others against this one only.")
@options(EFFECT)
@click.option(
    "--intervals", type=click.Choice(["marginal", "simultaneous"]), help="Of ranks: each by itself, or all at once."
)
@click.option("--score", metavar="NAME", help="Which score of a store, measure of Weka's or column of a long table.")
@options(BETTER)
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@click.option("--positive", metavar="CLASS", help="The class that is looked for, in the data sets of a store.")
@options(STORED, CHOSEN)
@click.option("--dataset", metavar="COLUMN", help="Names the data sets, unless its name or text tells.")
@click.option("--learner", metavar="COLUMN", help="Names the learners of a long table, unless its name tells.")
@click.option("--repeat", metavar="COLUMN", help="Tells repeats apart.")
@click.option("--fold", metavar="COLUMN", help="Tells folds apart.")
@click.option("--train", metavar="COLUMN|NUMBER", help="Rows that train in a split.")
@click.option("--test", metavar="COLUMN|NUMBER", help="Rows tested in a split.")
@options(WRITTEN)
@options(LOOK)
@click.option("--anyway", is_flag=True, help="Also a test that is not valid here.")
@options(CONFIDENCE, OUTPUT)
def rank(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Rank learners over data sets: mean ranks, a test of all, every pair with its adjusted p-value, and groups.

    FILE is a table of scores (a column that names the data sets and one for each learner, or a row for each score), a
    result file of Weka's Experimenter (.arff, .csv), or - for standard input; STORE is what `veracity run` has filled,
    of which STUDY.toml shows only what it names.
    Several files are one table: Weka's results of each run, or scores of each data set or each learner.
    A figure (--out cd.png, .svg, .pdf) is the critical-difference diagram; --out paper.tex has the paragraph of a paper
    and its tables, --out paper.bib the works that it cites. One call writes several: --out cd.svg --out paper.tex.

    \b
    veracity rank results.csv --using iman_davenport --then bergmann_hommel --pairs mean_ranks
    veracity rank results.db error --control nb --out cd.svg --out paper.tex --out paper.bib
    veracity rank 'run*.csv' --score Percent_correct
    veracity rank weka_results.arff --score Percent_correct --using corrected_t
    """
    check_endings(out, *FIGURES, *PAGES, ".bib")
    from veracity.cli.work.rank import rank_files

    deliver(rank_files(words, given), as_json, out)
