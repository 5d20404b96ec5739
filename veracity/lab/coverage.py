"""How often intervals hold the truth: over everything that can happen where that can be enumerated, else simulated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.core.words import option, template
from veracity.evidence.run import Run
from veracity.intervals import intervals
from veracity.lab.evidence_worlds import EvidenceWorld
from veracity.lab.simulate import Learner, check_simulation, learner_risk, named_world, names_of, runs_of
from veracity.lab.worlds import World
from veracity.records.arrays import Array
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import estimate
from veracity.scores import scores
from veracity.tables.cells import Number, align_decimals
from veracity.tables.printable import PrintableRows
from veracity.tables.table import Column, Table

LEFT = ("method", "world", "by")
SEEN = 0.00005  # the least share that four decimals show


@dataclass(frozen=True)
class Covered:
    """How often an interval held the truth, and on which side it missed; of a learner, the risk of models like its own.

    `error` is the Monte Carlo standard error of `coverage`, 0 where every outcome was enumerated.
    """

    method: str
    world: str
    rows: int
    level: float
    coverage: float
    low_misses: float  # share of the intervals that lie above the truth
    high_misses: float
    width: float  # mean
    trials: int
    fits: int = 0
    by: str = ""
    refused: float = 0.0  # share of the samples without an interval
    enumerated: bool = False
    at_all: float = math.nan  # of a learner: share of the intervals that hold its risk at all rows

    @property
    def error(self) -> float:
        if self.enumerated:
            return 0.0
        return math.sqrt(self.coverage * (1 - self.coverage) / max(self.trials * (1 - self.refused), 1))

    def to_json(self) -> dict[str, Any]:
        names = ("method", "world", "rows", "level", "coverage", "error", "low_misses", "high_misses", "width")
        shape = {name: getattr(self, name) for name in (*names, "trials", "fits", "refused", "enumerated")}
        return {**shape, "by": self.by, "at_all": self.at_all} if self.by else shape

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        of_all = f" ({self.at_all:.1%} of all rows' risk)" if self.by else ""
        held = f"held {self.coverage:.1%} at {self.level:.0%}{of_all}"
        return f"{self.method}{by}, {self.rows} rows: {held}, mean width {self.width:.3f}"


@dataclass(frozen=True, eq=False, repr=False)
class Coverages(PrintableRows[Covered]):
    """One row for each world, number of rows and interval."""

    rows: tuple[Covered, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Covered:
        return self.rows[place]

    def table(self) -> Table:
        designs = any(row.by for row in self.rows)
        titles = ("method", "world", *(("by",) if designs else ()), "rows", "coverage", "error", "misses above")
        refused = ("refused",) if self._refused else ()
        columns = (*titles, "misses below", *refused, "width", "trials", "fits")
        rows = tuple(self._cells(row, designs) for row in self.rows)
        levels = ", ".join(dict.fromkeys(f"{row.level:g}" for row in self.rows))
        caption = f"share of intervals that hold the truth, at {levels}"
        return Table(
            tuple(Column(title, "left" if title in LEFT else "right") for title in columns),
            rows,
            caption,
            self.notes + self._refused,
        )

    @property
    def _refused(self) -> tuple[Note, ...]:
        """Coverage among the samples with an interval says too much for a method that has none where it would miss."""
        names = dict.fromkeys(row.method for row in self.rows if row.refused >= SEEN)
        if not names:
            return ()
        says = (
            f"{', '.join(names)}: the share of samples that is refused has no interval, and coverage is of the others"
        )
        return (Note("refused-samples", "caution", says),)

    def _cells(self, row: Covered, designs: bool) -> tuple[Any, ...]:
        refused = (row.refused,) if self._refused else ()
        known = (row.coverage, row.error, row.low_misses, row.high_misses, *refused)
        shares = (Number(share, 4) for share in known)
        by = (row.by,) if designs else ()
        return (row.method, row.world, *by, row.rows, *shares, *align_decimals(row.width), row.trials, row.fits)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": [row.to_json() for row in self.rows],
            "notes": [note.to_json() for note in self.notes + self._refused],
        }


@dataclass(frozen=True)
class CoverageQuestion:
    """Which intervals, tried on how many samples."""

    methods: tuple[str, ...]
    at: Confidence
    trials: int
    seed: int
    refusals: dict[str, str] = field(default_factory=dict)  # why each method first gave no interval

    def limits(self, interval: Callable[[str], Any]) -> list[tuple[float, float]]:
        """The limits of each method; what one refuses is an answer too."""
        found = []
        for name in self.methods:
            try:
                one = interval(name)
            except Refused as why:
                one = None
                self.refusals.setdefault(name, why.says)
            found.append((math.nan, math.nan) if one is None else (one.low, one.high))
        return found


class Samples(NamedTuple):
    """Limits in each sample, NaN where a method gives none, how probable each is, and what they are held against."""

    limits: Array  # sample, method, side
    weights: Array
    truths: tuple[float, ...]  # of a learner also that of all rows
    fits: int = 0
    enumerated: bool = False


def coverage(
    world: World | EvidenceWorld | str,
    learner: Learner | None = None,
    *,
    methods: str | Sequence[str],
    rows: int | Sequence[int],
    by: str = "kfold(k=10)",
    score: str | None = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Coverages:
    """How often intervals hold the truth, all tried on the same samples.

    A world of evidence, such as `shares(share=0.3)`, needs no learner; where all that can happen can be enumerated
    it is, and `trials` is not asked. In a world of rows, such as `two_gaussians(distance=2)`, a learner is fitted by a
    design, and the truth is the mean risk of models that train on as many rows as those of its splits.
    """
    place, text = named_world(world, World, EvidenceWorld)
    question = CoverageQuestion(names_of("methods", methods), Confidence(level), trials, seed)
    for name in question.methods:
        intervals.choose(name)
    asked = scores.choose(score or place.score).spelling
    sizes = tuple(rows) if isinstance(rows, Iterable) else (rows,)
    if not sizes:
        raise BadInput(f"{option('rows')} names no number of rows: give at least one, such as 50")
    check_simulation(trials=trials)
    found: list[Covered] = []
    for size in sizes:
        check_simulation(rows=size)
        if isinstance(place, EvidenceWorld):
            _refuse_learner(learner, text)
            samples, design = _evidence_samples(place, size, asked, question), ""
        else:
            samples, design = _learner_samples(place, _needed_learner(learner, text), by, size, asked, question), by
        found += (_covered(text, size, design, question, samples, number) for number in range(len(question.methods)))
    return Coverages(tuple(found))


def _refuse_learner(learner: Learner | None, world: str) -> None:
    if learner is not None:
        raise BadInput(f"{world} gives the evidence of a model: leave out {option('learner')}")


def _needed_learner(learner: Learner | None, world: str) -> Learner:
    if learner is None:
        raise BadInput(f"{world} gives rows to learn from: name a {option('learner')}")
    return learner


def _evidence_samples(world: EvidenceWorld, rows: int, score: str, question: CoverageQuestion) -> Samples:
    truth = world.truth(score)
    every = list(world.outcomes(rows))
    enumerated = bool(every)
    if not enumerated:
        draws = (generator(question.seed, "evidence", rows, trial) for trial in range(question.trials))
        every = [(1.0, world.draw(rows, random)) for random in draws]
    limits = [question.limits(_interval_of_model(evidence, score, question.at.level)) for _, evidence in every]
    return Samples(np.array(limits), np.array([weight for weight, _ in every]), (truth,), enumerated=enumerated)


def _interval_of_model(evidence: Any, score: str, level: float) -> Callable[[str], Any]:
    return lambda name: estimate(evidence, score, interval=name, level=level).rows[0].interval


def _learner_samples(
    world: World, learner: Learner, by: str, rows: int, score: str, question: CoverageQuestion
) -> Samples:
    check_simulation(learner)
    if score != world.score:
        raise BadInput(f"the risk in this world is {world.score}, not {score}: leave out {option('score')}")
    limits, trained, fits = [], rows, 0
    for run in runs_of(world, learner, by, rows, question.trials, question.seed):
        limits.append(question.limits(_interval_of_run(run, score, question.at)))
        trained, fits = len(np.unique(run.design.splits[run.design.main_splits[0]].train)), fits + len(run.design)
    truths = tuple(learner_risk(world, learner, size, seed=question.seed) for size in (trained, rows))
    return Samples(np.array(limits), np.ones(len(limits)), truths, fits)


def _interval_of_run(run: Run, score: str, at: Confidence) -> Callable[[str], Any]:
    choice = scores.choose(score)
    return lambda name: estimate_run(run, EstimateRequest(choice, score, at, name, anyway=name == "naive_t")).interval


def _covered(world: str, rows: int, by: str, question: CoverageQuestion, samples: Samples, number: int) -> Covered:
    method, (low, high) = question.methods[number], samples.limits[:, number].T
    there = ~np.isnan(low)
    if not there.any():
        why = question.refusals.get(method, "it has no limits")
        raise Refused(
            f"{method} was refused on every sample{f' by {by}' if by else ''}: {template(why)}", "always-refused"
        )
    answered = samples.weights[there].sum()
    low, high, weights = low[there], high[there], samples.weights[there] / answered
    truth, of_all = samples.truths[0], samples.truths[-1]
    above, below = (float(weights[missed].sum()) for missed in (low > truth, high < truth))
    return Covered(
        method,
        world,
        rows,
        question.at.level,
        1 - above - below,
        above,
        below,
        float(weights @ (high - low)),
        len(samples.weights),
        samples.fits,
        by,
        float(1 - answered / samples.weights.sum()),
        samples.enumerated,
        float(weights[(low <= of_all) & (of_all <= high)].sum()) if by else math.nan,
    )
