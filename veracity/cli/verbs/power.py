"""`veracity power`: how many rows or data sets does it take?"""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, options
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver, result_of


@click.command()
@click.argument("test", metavar="TEST", shell_complete=complete.methods("power"))
@click.option("--power", type=float, help="The chance to conclude that is wanted.")
@click.option("--difference", type=float, help="The difference to be found.")
@click.option("--win", type=float, help="Probability that one learner wins a data set, for the sign test.")
@click.option("--rows", type=int, help="Test rows, for tests of fixed models.")
@click.option("--groups", type=int, help="Groups of test rows, for paired_loss_t.")
@click.option("--datasets", type=int, help="Data sets, for tests over them.")
@click.option("--splits", type=int, help="Splits of one data set, for corrected_t.")
@click.option("--discordant", type=float, help="Share of rows on which one model alone is right, for mcnemar.")
@click.option("--value", type=float, help="The stated share of rows, for one_proportion.")
@click.option("--sd", type=float, help="Standard deviation of the differences over rows, data sets or splits.")
@click.option("--each", type=float, help="Rows of a group, for paired_loss_t.")
@click.option("--alike", type=float, help="Correlation of two rows' differences in a group, for paired_loss_t.")
@click.option("--train", type=float, help="Rows that train in a split, or a number in proportion.")
@click.option("--test", "tested", type=float, help="Rows tested in a split, or a number in proportion.")
@click.option("--by", metavar="DESIGN", help="In place of --splits, --train and --test; --rows are those it splits.")
@click.option("--k", type=int, help="Folds, for conservative_t_rows.")
@click.option("--repeats", type=int, help="How often these are made, for conservative_t_rows.")
@click.option("--learners", type=int, help="How many there are, for friedman and friedman_pairs.")
@click.option("--pairs", help="How each pair is tested, for friedman_pairs: wilcoxon or mean_ranks.")
@click.option("--then", help="How pairs are adjusted, for friedman_pairs: holm, bonferroni or nemenyi.")
@click.option("--draws", type=int, help="Simulated collections of data sets, for wilcoxon and friedman.")
@options(CONFIDENCE, OUTPUT)
def power(test: str, level: float, seed: int, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Plan a comparison: give two of size, effect and --power, and the third is answered.

    The size is --rows, --groups, --datasets or --splits and the effect --difference or --win, as TEST has it; `veracity
    list power` names the tests and what each must be told besides. A figure (--out x.png, .svg, .pdf) shows power
    against the size.

    \b
    veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8
    veracity power paired_t --datasets 15 --difference 0.02 --sd 0.03
    veracity power corrected_t --splits 100 --train 9 --test 1 --sd 0.03 --power 0.8
    veracity power corrected_t --by "repeated_kfold(k=10, repeats=10)" --sd 0.03 --power 0.8
    veracity power friedman_pairs --learners 5 --difference 0.02 --sd 0.03 --power 0.8
    veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8 --out curve.svg
    """
    check_endings(out, *FIGURES, *PAGES)
    from veracity.api.plot import plot
    from veracity.planning.power import power as plan

    facts = {"test" if name == "tested" else name: number for name, number in given.items() if number is not None}
    answer = plan(test, level=level, seed=seed, **facts)
    deliver(result_of(answer, f"Power of {answer.test}", partial(plot, answer)), as_json, out)
