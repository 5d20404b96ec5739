"""`veracity lab`: how methods do where the truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, TRUST, method, options, several
from veracity.cli.output import PAGES, Result, check_endings, deliver
from veracity.core.errors import BadInput


@click.group()
def lab() -> None:
    """Measure how methods do in worlds where the truth is known, such as how often an interval holds it.

    `veracity list worlds` names the worlds. One of evidence, such as shares, needs no learner.
    """


@lab.command()
@method("--world", "worlds", multiple=True, metavar="WORLD", help='Such as "shares(share=0.3)"; repeat for several.')
@several(
    "--method",
    "methods",
    metavar="INTERVAL",
    shell_complete=complete.methods("intervals"),
    help="An interval to be tried; repeat for several.",
)
@several("--rows", type=int, help="Rows of a sample; repeat for several sizes.")
@click.option("--learner", metavar="MODULE:CLASS", help="In a world of rows: what is fitted.")
@method("--by", "designs", "estimators", metavar="DESIGN", default="kfold(k=10)", help="By which splits.")
@method("--score", "scores", help="Instead of the score of the world.")
@click.option("--trials", type=int, default=1000, show_default=True, help="Samples, where they are drawn.")
@options(TRUST, CONFIDENCE, OUTPUT)
def coverage(
    world: tuple[str, ...],
    methods: tuple[str, ...],
    rows: tuple[int, ...],
    learner: str | None,
    trust_here: bool,
    as_json: bool,
    out: tuple[str, ...],
    **how: Any,
) -> None:
    """How often intervals hold the truth, on which side they miss it, and how wide they are.

    \b
    veracity lab coverage --world "shares(share=0.3)" --method wald --method wilson --rows 40
    veracity lab coverage --world "two_gaussians(distance=2, features=5)" --method corrected_t --rows 50 \\
      --learner sklearn.naive_bayes:GaussianNB --by "repeated_kfold(k=5, repeats=4)" --trials 200
    """
    check_endings(out, *PAGES)
    asked = {"--world": world, "--method": methods, "--rows": rows}
    missing = [option for option, given in asked.items() if not given]
    if missing:
        needed = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed, once or several times"
        raise BadInput(f"{needed}, as in --world 'shares(share=0.3)' --method wilson --rows 40")
    from veracity.lab import coverage as measure
    from veracity.lab.coverage import Coverages
    from veracity.learners.from_text import learner_from_text
    from veracity.learners.reach import Reach

    reach = Reach(folder=Path.cwd(), trusted=trust_here)
    make = None if learner is None else lambda: learner_from_text(str(learner), reach=reach)
    found = [measure(one, make, methods=methods, rows=rows, **how) for one in world]
    result = Coverages(tuple(row for table in found for row in table))
    deliver(Result("Coverage of intervals", (result.table(),), result.to_json), as_json, out)
