"""`veracity lab`: how methods do where the truth is known."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, TRUST, method, options, several
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver
from veracity.cli.program import Program
from veracity.core.errors import BadInput


@click.group(cls=Program)
def lab() -> None:
    """Measure how methods do in worlds where the truth is known, such as how often an interval holds it.

    `veracity list worlds` names the worlds. One of evidence, such as shares, needs no learner.
    """


WORLDS = (
    method(
        "--world", "worlds", multiple=True, metavar="WORLD", help='Such as "shares(share=0.3)"; repeat for several.'
    ),
    click.option("--data", type=click.Path(), metavar="FILE", help="A world like your data: plasmode, with --target."),
    click.option("--target", metavar="COLUMN", help="The column of --data to be predicted."),
    several("--rows", type=int, help="Rows of a sample, or data sets; repeat for several sizes."),
    several("--learner", "learners", metavar="MODULE:CLASS", help="In a world of rows: what is fitted; repeat."),
)
TRIALS = (
    click.option("--trials", type=int, default=1000, show_default=True, help="Samples, where they are drawn."),
    click.option("--store", metavar="FILE", help="Keep what is measured there: an interrupted measurement goes on."),
    click.option("--workers", type=int, default=1, show_default=True, help="How many processes measure."),
)


@lab.command()
@options(WORLDS)
@several(
    "--method",
    "methods",
    metavar="INTERVAL",
    shell_complete=complete.methods("intervals"),
    help="An interval to be tried; repeat for several.",
)
@method(
    "--by", "designs", "estimators", multiple=True, metavar="DESIGN", default=("kfold(k=10)",), help="By which splits."
)
@method("--score", "scores", help="Instead of the score of the world.")
@options(TRIALS, TRUST, CONFIDENCE, OUTPUT)
def coverage(as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """How often intervals hold the truth, on which side they miss it, and how wide they are.

    A figure (--out x.png, .svg, .pdf) is coverage against rows, or, of several designs, width against fits.

    \b
    veracity lab coverage --world "shares(share=0.3)" --method wald --method wilson --rows 40
    veracity lab coverage --world "two_gaussians(distance=2, features=5)" --method corrected_t --rows 50 \\
      --learner sklearn.naive_bayes:GaussianNB --by "repeated_kfold(k=5, repeats=4)" --trials 200
    veracity lab coverage --data mine.csv --target y --method conservative_t --rows 100 --store lab.db \\
      --learner sklearn.naive_bayes:GaussianNB --by "repeated_kfold(k=10, repeats=5)"
    """
    check_endings(out, *FIGURES, *PAGES)
    asked = {"--world": given["world"] or given["data"], "--method": given["methods"], "--rows": given["rows"]}
    _check_needed(asked, "--world 'shares(share=0.3)' --method wilson --rows 40")
    from veracity.cli.work.simulations import measure_coverage

    deliver(measure_coverage(given, as_json), as_json, out)


@lab.command()
@options(WORLDS)
@method("--by", "estimators", multiple=True, metavar="ESTIMATOR", help='Such as "kfold(k=10)", "boot632plus"; repeat.')
@options(TRIALS, TRUST, CONFIDENCE, OUTPUT)
def bias(as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """How far estimators of risk are off, on average and each time, from the risk of the learner at all rows.

    A figure (--out x.png, .svg, .pdf) is bias against rows.

    \b
    veracity lab bias --world pure_noise --learner "sklearn.neighbors:KNeighborsClassifier(n_neighbors=1)" \\
      --by boot632 --by boot632plus --by "kfold(k=10)" --rows 20 --trials 200
    """
    check_endings(out, *FIGURES, *PAGES)
    asked = {"--world": given["world"] or given["data"], "--by": given["by"], "--rows": given["rows"]}
    _check_needed(asked, "--world pure_noise --learner sklearn.naive_bayes:GaussianNB --by boot632plus --rows 20")
    from veracity.cli.work.simulations import measure_bias

    deliver(measure_bias(given, as_json), as_json, out)


def _check_needed(asked: dict[str, Any], example: str) -> None:
    missing = [option for option, given in asked.items() if not given]
    if missing:
        needed = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed, once or several times"
        raise BadInput(f"{needed}, as in {example}")


TESTS = (
    *WORLDS,
    several(
        "--method",
        "methods",
        metavar="TEST",
        shell_complete=complete.methods("comparisons", "posthocs", "adjustments"),
        help='A comparison, a post hoc test, an adjustment, or "TEST then ADJUSTMENT"; repeat for several.',
    ),
    method("--by", "designs", "estimators", metavar="DESIGN", default="kfold(k=10)", help="By which splits."),
    method("--score", "scores", help="Instead of the score of the world."),
    click.option("--anyway", is_flag=True, help="Also tests that are refused."),
)


@lab.command()
@options(TESTS, TRIALS, TRUST, CONFIDENCE, OUTPUT)
def size(**given: Any) -> None:
    """How often tests claim a difference where there is none.

    Of a family (an adjustment such as holm, a post hoc test such as nemenyi, or "mean_ranks then shaffer") it is how
    often a pair that is equal is claimed to differ, or the share of such among the claims. Where all that can happen
    can be counted, nothing is drawn. In a world of rows two learners are compared on the splits of --by.

    \b
    veracity lab size --world "two_models(discordant=0.1)" --method mcnemar --method mcnemar_midp --rows 100
    veracity lab size --world "data_sets(learners=4)" --method friedman --method nemenyi --method holm --rows 15
    veracity lab size --world pure_noise --method conservative_t --rows 60 --by "repeated_kfold(k=10, repeats=5)" \\
      --learner sklearn.naive_bayes:GaussianNB --learner sklearn.neighbors:KNeighborsClassifier --store lab.db
    """
    _deliver_rejections("Size of tests", "size", given)


@lab.command()
@several("--effect", "effects", type=float, help="By how much the first differs; repeat for a curve.")
@options(TESTS, TRIALS, TRUST, CONFIDENCE, OUTPUT)
def power(**given: Any) -> None:
    """How often tests find a difference that is there; of a family, the share of differing pairs that is found.

    A figure (--out x.png, .svg, .pdf) is the curve over effects, or over rows.

    \b
    veracity lab power --world "two_models(discordant=0.2)" --method mcnemar_midp --rows 100 --effect 0.05 --effect 0.1
    veracity lab power --world "data_sets(learners=4, effect=1)" --method friedman --rows 10 --rows 20 --out power.png
    """
    _deliver_rejections("Power of tests", "power", given)


def _deliver_rejections(title: str, verb: str, given: dict[str, Any]) -> None:
    as_json, out = given.pop("as_json"), given.pop("out")
    check_endings(out, *FIGURES, *PAGES)
    asked = {"--world": given["world"] or given["data"], "--method": given["methods"], "--rows": given["rows"]}
    _check_needed(asked, "--world two_models --method mcnemar --rows 100")
    from veracity.cli.work.simulations import measure_rejections

    deliver(measure_rejections(title, verb, given, as_json), as_json, out)
