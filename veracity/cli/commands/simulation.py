"""The commands of `veracity lab`: how methods do where the truth is known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

import veracity as vc
from veracity.cli.declare import FIGURES, PAGES, command, flag, group, option, repeated
from veracity.cli.main import CommandGroup
from veracity.cli.options import TRUST_HERE, Inference, Output
from veracity.cli.output import write_result
from veracity.core.errors import BadInput
from veracity.core.notes import unique
from veracity.reports import output as results


@dataclass(frozen=True)
class Simulation:
    """Where data come from, how many, what learns them, and how often that is tried."""

    world: tuple[str, ...] = repeated('Such as "shares(share=0.3)"; repeat for several.', "WORLD", methods=("worlds",))
    data: str | None = option("A world like your data: plasmode, with --target.", "FILE", type=click.Path())
    target: str | None = option("The column of --data to be predicted.", "COLUMN")
    rows: tuple[int, ...] = repeated("Rows of a sample, or data sets; repeat for several sizes.")
    learner: tuple[str, ...] = repeated("In a world of rows: what is fitted; repeat.", "MODULE:CLASS")
    trials: int = option("Samples, where they are drawn.", default=1000, show_default=True)
    store: str | None = option("Keep what is measured there: an interrupted measurement goes on.", "FILE")
    workers: int = option("How many processes measure.", default=1, show_default=True)
    trust_here: bool = flag(TRUST_HERE)
    inference: Inference = group(Inference)
    output: Output = group(Output)

    def check(self, example: str, **more: Sequence[str]) -> None:
        """Refuse a call without a world, rows or another option that is needed."""
        typed = {"--world": self.world or self.data, **{f"--{name}": value for name, value in more.items()}}
        missing = [name for name, value in {**typed, "--rows": self.rows}.items() if not value]
        if missing:
            needed = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed, once or several times"
            raise BadInput(f"{needed}, as in {example}")

    @property
    def worlds(self) -> list[Any]:
        """The worlds named, and that of a data file."""
        if self.data is None:
            if self.target is not None:
                raise BadInput("--target is a column of --data: name the file, or leave it out")
            return list(self.world)
        if self.target is None:
            raise BadInput(f"--target is needed: which column of {self.data} is to be predicted")
        from veracity.lab.plasmode import plasmode_of
        from veracity.readers.read_data import from_file

        return [*self.world, plasmode_of(from_file(self.data, target=self.target))]

    @property
    def learners(self) -> list[Callable[[], Any]]:
        """Functions that make the learners named."""
        from veracity.learners.from_text import Reach, learner_from_text

        reach = Reach(folder=Path.cwd(), trusted=self.trust_here)
        return [partial(learner_from_text, text, reach=reach) for text in self.learner]

    @property
    def how(self) -> dict[str, Any]:
        """What every measurement is told."""
        from veracity.studies.progress import is_watched

        def tell(done: int, trials: int) -> None:
            print(f"\r{done:,} of {trials:,} samples", end="\n" if done == trials else "", file=sys.stderr, flush=True)

        sizes = {name: getattr(self, name) for name in ("rows", "trials", "store", "workers")}
        progress = tell if is_watched() and not self.output.as_json else None
        return {**sizes, "seed": self.inference.seed, "progress": progress}

    def write(self, title: str, kind: Callable[..., Any], tables: Sequence[Any]) -> None:
        """Write the rows of all tables as one result."""
        found = kind(
            tuple(row for table in tables for row in table.rows),
            unique(tuple(note for table in tables for note in table.notes)),
        )
        draw = partial(vc.plot, found.curve())
        write_result(results.Output(title, (found.table(),), found.to_json, draw=draw), self.output)


@dataclass(frozen=True)
class SimulatedTests:
    """Which tests are tried, on which splits."""

    method: tuple[str, ...] = repeated(
        'A comparison, a post hoc test, an adjustment, or "TEST then ADJUSTMENT"; repeat for several.',
        "TEST",
        methods=("comparisons", "posthocs", "adjustments"),
    )
    by: str = option("By which splits.", "DESIGN", methods=("designs", "estimators"), default="kfold(k=10)")
    score: str | None = option("Instead of the score of the world.", "NAME", methods=("scores",))
    anyway: bool = flag("Also tests that are refused.")


@click.group(cls=CommandGroup)
def lab() -> None:
    """Measure how methods do in worlds where the truth is known, such as how often an interval holds it.

    `veracity list worlds` names the worlds. One of evidence, such as shares, needs no learner.
    """


@command(lab, writes=FIGURES + PAGES)
def coverage(
    *,
    simulation: Simulation,
    method: tuple[str, ...] = repeated(
        "An interval to be tried; repeat for several.", "INTERVAL", methods=("intervals",)
    ),
    by: tuple[str, ...] = repeated(
        "By which splits.", "DESIGN", methods=("designs", "estimators"), default=("kfold(k=10)",)
    ),
    score: str | None = option("Instead of the score of the world.", "NAME", methods=("scores",)),
) -> None:
    """How often intervals hold the truth, on which side they miss it, and how wide they are.

    A figure (--out x.png, .svg, .pdf) is coverage against rows, or, of several designs, width against fits.

    \b
    veracity lab coverage --world "shares(share=0.3)" --method wald --method wilson --rows 40
    veracity lab coverage --world "two_gaussians(distance=2, features=5)" --method corrected_t --rows 50 \\
      --learner sklearn.naive_bayes:GaussianNB --by "repeated_kfold(k=5, repeats=4)" --trials 200
    veracity lab coverage --data mine.csv --target y --method conservative_t --rows 100 --store lab.db \\
      --learner sklearn.naive_bayes:GaussianNB --by "repeated_kfold(k=10, repeats=5)"
    """
    simulation.check("--world 'shares(share=0.3)' --method wilson --rows 40", method=method)
    from veracity.lab.results import Coverages

    how = {**simulation.how, "methods": method, "score": score, "level": simulation.inference.level}
    tables = [
        vc.lab.coverage(world, learner, by=design, **how)
        for world in simulation.worlds
        for learner in simulation.learners or (None,)
        for design in by
    ]
    simulation.write("Coverage of intervals", Coverages, tables)


@command(lab, writes=FIGURES + PAGES)
def bias(
    *,
    simulation: Simulation,
    by: tuple[str, ...] = repeated(
        'Such as "kfold(k=10)", "boot632plus"; repeat.', "ESTIMATOR", methods=("estimators",)
    ),
) -> None:
    """How far estimators of risk are off, on average and each time, from the risk of the learner at all rows.

    A figure (--out x.png, .svg, .pdf) is bias against rows.

    \b
    veracity lab bias --world pure_noise --learner "sklearn.neighbors:KNeighborsClassifier(n_neighbors=1)" \\
      --by boot632 --by boot632plus --by "kfold(k=10)" --rows 20 --trials 200
    """
    simulation.check("--world pure_noise --learner sklearn.naive_bayes:GaussianNB --by boot632plus --rows 20", by=by)
    from veracity.lab.results import Qualities

    learners = simulation.learners
    if not learners:
        raise BadInput("--learner is needed: an estimator of risk is about what learners do")
    tables = [vc.lab.bias(world, one, by=by, **simulation.how) for world in simulation.worlds for one in learners]
    simulation.write("Bias of estimates of risk", Qualities, tables)


@command(lab, writes=FIGURES + PAGES)
def size(*, tests: SimulatedTests, simulation: Simulation) -> None:
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
    _measure_rejections("Size of tests", vc.lab.size, tests, simulation)


@command(lab, writes=FIGURES + PAGES)
def power(
    *,
    effects: tuple[float, ...] = repeated("By how much the first differs; repeat for a curve.", None, "--effect"),
    tests: SimulatedTests,
    simulation: Simulation,
) -> None:
    """How often tests find a difference that is there; of a family, the share of differing pairs that is found.

    A figure (--out x.png, .svg, .pdf) is the curve over effects, or over rows.

    \b
    veracity lab power --world "two_models(discordant=0.2)" --method mcnemar_midp --rows 100 --effect 0.05 --effect 0.1
    veracity lab power --world "data_sets(learners=4, effect=1)" --method friedman --rows 10 --rows 20 --out power.png
    """
    _measure_rejections("Power of tests", partial(vc.lab.power, effects=effects or None), tests, simulation)


def _measure_rejections(title: str, measure: Callable[..., Any], tests: SimulatedTests, simulation: Simulation) -> None:
    """Measure the size or power of every test in every world."""
    simulation.check("--world two_models --method mcnemar --rows 100", method=tests.method)
    from veracity.lab.results import Rejections

    how = {**simulation.how, "level": simulation.inference.level, "methods": tests.method}
    how |= {"by": tests.by, "score": tests.score, "anyway": tests.anyway}
    learners = simulation.learners
    simulation.write(title, Rejections, [measure(world, learners, **how) for world in simulation.worlds])
