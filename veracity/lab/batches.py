"""Samples of a world that share a design, and what a learner said of the rows of every split's test.

Rows that are drawn one by one can stand in any order, so those of classes are put in the order of their classes: then
all samples with as many rows of each class can share the splits of one design, and nothing that is measured changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive
from veracity.core.words import brief
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.split_learners import SplitLearner, algebra_of, predict_tests
from veracity.lab.split_rows import SplitRows
from veracity.lab.worlds import Sample, World
from veracity.learners.from_text import check_learner
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Rows
from veracity.risk.designs import design_for

CHECKED = 3  # splits on which an algebra is held against ordinary fits before it is believed
FEW = 50  # samples of which one, at least, should be such that the design can split it
Learner = Callable[[], Any]  # makes something with fit(features, target) and predict(features)


@dataclass(frozen=True, eq=False)
class Tests:
    """The rows that the splits of a design test, one split after the other."""

    design: Design
    rows: Array
    splits: Array
    patterns: dict[Any, Any] = field(default_factory=dict)  # evidence of one sample, like that of all

    @classmethod
    def from_design(cls, design: Design) -> Tests:
        sizes = [len(split.test) for split in design.splits]
        rows = np.concatenate([split.test for split in design.splits])
        return cls(design, freeze(rows), freeze(np.repeat(np.arange(len(design)), sizes)))

    def split_rows(self, samples: list[Sample]) -> SplitRows:
        """What all splits of all samples train on, and are asked."""
        times = np.stack([np.bincount(split.train, minlength=self.design.rows) for split in self.design.splits])
        asked = np.zeros(times.shape, bool)
        asked[self.splits, self.rows] = True
        features, target = (np.stack([getattr(one, side) for one in samples]) for side in ("features", "target"))
        return SplitRows(features, target, times, asked)


@dataclass(frozen=True, eq=False)
class Batch:
    """Samples with their trial numbers, the tests of their design, and the predictions of each of these."""

    kind: str
    trials: tuple[int, ...]
    samples: list[Sample]
    tests: Tests
    predicted: Array  # (samples, tests)

    def runs(self) -> Iterator[tuple[int, Run]]:
        """What a study would have made of each sample, by trial number."""
        for trial, sample, predicted in zip(self.trials, self.samples, self.predicted, strict=True):
            yield trial, make_run(self.kind, sample, self.tests, predicted)

    @property
    def losses(self) -> Array:
        """Of each test of each sample: errors of classes, squared errors of numbers."""
        missed = self.predicted - np.stack([sample.target for sample in self.samples])[:, self.tests.rows]
        return (missed != 0).astype(float) if self.kind == "classes" else missed**2


def make_run(kind: str, sample: Sample, tests: Tests, predicted: Array) -> Run:
    """The run of a learner that predicted the tests of a design."""
    of_classes = kind == "classes"
    p = Predictions(
        kind,  # type: ignore[arg-type]
        freeze(sample.target[tests.rows]),
        classes=tuple(range(sample.classes)) if of_classes else (),
        positive=1 if of_classes and sample.classes == 2 else None,
        label=freeze(predicted, np.int64) if of_classes else None,
        number=None if of_classes else freeze(predicted),
        rows=tests.rows,
        splits=tests.splits,
        groups=None if sample.groups is None else freeze(sample.groups[tests.rows]),
    )
    return Run("world", "learner", tests.design, p, sample.target)


class Trials:
    """Trials of a learner in a world by a design. Each has random numbers of its own, whatever it is batched with."""

    def __init__(self, world: World, by: Any, rows: int, seed: int) -> None:
        self.world, self.by, self.rows, self.seed = world, by, rows, seed
        self.refusals: dict[int, Refused] = {}  # of samples that the design cannot split, or a learner not learn
        self._known: dict[bytes, Tests | Refused] = {}

    def batches(self, learner: Learner, numbers: Iterable[int]) -> Iterator[Batch]:
        """Those of some numbers, put together where they share a design."""
        return (batch for (batch,) in self.batches_of((learner,), numbers))

    def batches_of(self, learners: Sequence[Learner], numbers: Iterable[int]) -> Iterator[tuple[Batch, ...]]:
        """The same of several learners on the same splits."""
        gathered: dict[Tests, list[tuple[int, Sample]]] = {}
        for number in numbers:
            sample = self.sample(number)
            tests = self._tests(sample, number)
            if isinstance(tests, Refused):
                self.refusals[number] = tests
            else:
                gathered.setdefault(tests, []).append((number, sample))
        fits = [Fits(learner) for learner in learners]
        for tests, members in gathered.items():
            yield from self._fitted(fits, tests, members)

    def _fitted(self, fits: list[Fits], tests: Tests, members: list[tuple[int, Sample]]) -> Iterator[tuple[Batch, ...]]:
        """All at once; one by one where a learner fails, so that it is known on which of them."""
        trials, samples = zip(*members, strict=True)
        try:
            predicted = [fit.predictions(list(samples), tests) for fit in fits]
        except Refused as why:
            if len(members) == 1:
                self.refusals[trials[0]] = why
                return
            for one in members:
                yield from self._fitted(fits, tests, [one])
            return
        yield tuple(Batch(self.world.kind, trials, list(samples), tests, said) for said in predicted)

    def sample(self, number: int) -> Sample:
        """The rows of one trial."""
        sample = self.world.draw(self.rows, derive(self.seed, "trial", number))
        if not self.world.independent or self.world.kind != "classes":
            return sample
        order = np.argsort(sample.target, kind="stable")
        return Sample(sample.features[order], sample.target[order], classes=sample.classes)

    @property
    def first_design(self) -> Design:
        """The splits of the first sample that can be split."""
        for number in range(FEW):
            tests = self._tests(self.sample(number), number)
            if not isinstance(tests, Refused):
                return tests.design
        raise self._tests(self.sample(0), 0)  # type: ignore[misc]  # none could be

    def _tests(self, sample: Sample, number: int) -> Tests | Refused:
        """Where rows hang together, each trial has splits of its own."""
        own = 0 if self.world.independent else number
        key = bytes(str(own), "ascii") + (sample.target.tobytes() if self.world.kind == "classes" else b"")
        if key not in self._known:
            self._known[key] = self._make_tests(sample, derive(self.seed, "splits", own))
        return self._known[key]

    def _make_tests(self, sample: Sample, seed: int) -> Tests | Refused:
        try:
            return tests_of(self.world.kind, sample, self.by, seed)
        except Refused as why:
            return why


def tests_of(kind: str, sample: Sample, by: Any, seed: int) -> Tests:
    """The tests of a design, or of an estimator of risk, on a sample."""
    rows = Rows(len(sample), sample.target if kind == "classes" else None, sample.groups, sample.time)
    return Tests.from_design(design_for(by, rows, seed))


class Fits:
    """All splits of many samples: by the algebra of the learner where it has one, else one fit after the other."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.algebra: SplitLearner | None = algebra_of(unfitted_learner(learner))
        self.checked = False

    def predictions(self, samples: list[Sample], tests: Tests) -> Array:
        """(samples, tests)."""
        found = self._by_algebra(samples, tests) if samples[0].classes == 2 else None
        return np.stack([self._fit(sample, tests) for sample in samples]) if found is None else found

    def _by_algebra(self, samples: list[Sample], tests: Tests) -> Array | None:
        if self.algebra is None:
            return None
        found = predict_tests(self.algebra, tests.split_rows(samples), (tests.splits, tests.rows))
        if found is not None and not self.checked:
            self.checked = True
            first = tests.splits < CHECKED
            plain = self._fit(samples[0], tests, CHECKED)
            if not np.allclose(found[0, first], plain, rtol=1e-6, atol=1e-9):  # another version fits in another way
                self.algebra = found = None
        return found

    def _fit(self, sample: Sample, tests: Tests, splits: int | None = None) -> Array:
        said = [
            fitted_learner(self.learner, *(side[split.train] for side in sample)).predict(sample.features[split.test])
            for split in tests.design.splits[:splits]
        ]
        return np.concatenate(said)


def unfitted_learner(learner: Any) -> Any:
    """An unfitted learner."""
    if not callable(learner):
        name = type(learner).__name__
        raise BadInput(f"the lab calls a learner for a fresh one each time: give {name} or lambda: {name}(...)")
    return check_learner(learner())


def fitted_learner(learner: Learner, features: Array, target: Array) -> Any:
    """A fresh learner, trained on these rows."""
    model = unfitted_learner(learner)
    try:
        model.fit(features.copy(), target.copy())  # some learners change their input in place
    except Exception as why:  # whatever a learner raises
        says = f"{type(model).__name__} cannot be trained on {len(target)} rows of a sample: {brief(str(why), 150)}"
        raise Refused(says, "failed-fit") from why
    return model
