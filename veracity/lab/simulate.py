"""Samples of a world, the runs of learners on them, and the true risk of a learner.

Rows that are drawn one by one can stand in any order, so those of classes are put in the order of their classes: then
all samples with as many rows of each class share the splits of one design, and nothing that is measured changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive
from veracity.designs.parameters import whole_number
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.learners import Learner, fitted_learner, unfitted_learner
from veracity.lab.worlds import Sample, Truth, World, named_world
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Rows
from veracity.risk.designs import design_for

TRUTH_DRAWS = 1_000  # training sets over which the risk of a learner is averaged
FRESH_FOR_EACH = 250  # rows on which each of their models is tried, where its risk has no closed form
MAX_TRIES = 50  # samples of which one, at least, should be such that the design can split it


class Trials:
    """Trials of learners in a world by a design. Each has random numbers of its own, whatever it is asked with."""

    def __init__(self, world: World, by: Any, rows: int, seed: int) -> None:
        self.world, self.by, self.rows, self.seed = world, by, rows, seed
        self.refusals: dict[int, Refused] = {}  # of samples that the design cannot split, or a learner not learn
        self._designs: dict[bytes, Design | Refused] = {}

    def runs(self, learners: Sequence[Learner], numbers: Iterable[int]) -> Iterator[tuple[int, tuple[Run, ...]]]:
        """Yield the number of each trial with a run of each learner, on the same splits; others are in `refusals`."""
        groups: dict[Design, list[tuple[int, Sample]]] = {}
        for number in numbers:
            sample = self.sample(number)
            design = self.design(sample, number)
            if isinstance(design, Refused):
                self.refusals[number] = design
            else:
                groups.setdefault(design, []).append((number, sample))
        for design, members in groups.items():
            samples = [sample for _, sample in members]
            predicted = [predict_splits(learner, samples, design) for learner in learners]
            for (number, sample), *each in zip(members, *predicted, strict=True):
                failures = [one for one in each if isinstance(one, Refused)]
                if failures:
                    self.refusals[number] = failures[0]
                else:
                    yield number, tuple(make_run(self.world.kind, sample, design, one) for one in each)

    def sample(self, number: int) -> Sample:
        """Return the rows of one trial."""
        sample = self.world.draw(self.rows, derive(self.seed, "trial", number))
        if not self.world.independent or self.world.kind != "classes":
            return sample
        order = np.argsort(sample.target, kind="stable")
        return Sample(sample.features[order], sample.target[order], classes=sample.classes)

    def design(self, sample: Sample, number: int) -> Design | Refused:
        """Return the splits of a sample; where rows hang together, each trial has splits of its own."""
        own = 0 if self.world.independent else number
        key = bytes(str(own), "ascii") + (sample.target.tobytes() if self.world.kind == "classes" else b"")
        if key not in self._designs:
            try:
                self._designs[key] = design_of(self.world.kind, sample, self.by, derive(self.seed, "splits", own))
            except Refused as why:
                self._designs[key] = why
        return self._designs[key]

    @property
    def first_design(self) -> Design:
        """The splits of the first sample that can be split."""
        designs = (self.design(self.sample(number), number) for number in range(MAX_TRIES))
        found = next((design for design in designs if isinstance(design, Design)), None)
        if found is None:
            raise self._designs[next(iter(self._designs))]  # type: ignore[misc]
        return found


def design_of(kind: str, sample: Sample, by: Any, seed: int) -> Design:
    """Return the splits of a sample by a design, or by an estimator of risk."""
    return design_for(
        by, Rows(len(sample), sample.target if kind == "classes" else None, sample.groups, sample.time), seed
    )


def predict_splits(learner: Learner, samples: list[Sample], design: Design) -> Iterator[Array | Refused]:
    """Yield, for each sample, predictions of the test rows of all splits, or why the learner cannot be fitted.

    A learner that has `predict_splits` itself is asked for all samples at once, and says None where it knows no better.
    """
    fast = getattr(learner, "predict_splits", None)
    together = None if fast is None else fast(samples, design)
    if together is not None:
        yield from together
        return
    for sample in samples:
        try:
            yield np.concatenate(
                [
                    fitted_learner(learner, sample.features[split.train], sample.target[split.train]).predict(
                        sample.features[split.test]
                    )
                    for split in design.splits
                ]
            )
        except Refused as why:
            yield why


def make_run(kind: str, sample: Sample, design: Design, predicted: Array) -> Run:
    """Return the run of a learner that predicted the test rows of a design, one split after the other."""
    of_classes = kind == "classes"
    rows = freeze(np.concatenate([split.test for split in design.splits]))
    p = Predictions(
        kind,  # type: ignore[arg-type]
        freeze(sample.target[rows]),
        classes=tuple(range(sample.classes)) if of_classes else (),
        positive=1 if of_classes and sample.classes == 2 else None,
        label=freeze(predicted, np.int64) if of_classes else None,
        number=None if of_classes else freeze(predicted),
        rows=rows,
        splits=freeze(np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])),
        groups=None if sample.groups is None else freeze(sample.groups[rows]),
    )
    return Run("world", "learner", design, p, sample.target)


def run_of(world: World, sample: Sample, learner: Learner, by: Any, seed: int = 0) -> Run:
    """Fit a learner on the splits of a design, or of an estimator of risk."""
    design = design_of(world.kind, sample, by, seed)
    (predicted,) = predict_splits(learner, [sample], design)
    if isinstance(predicted, Refused):
        raise predicted
    return make_run(world.kind, sample, design, predicted)


def learner_risk(world: World | str, learner: Learner, rows: int, draws: int | None = None, seed: int = 0) -> float:
    """Return the risk of a learner at a size: the mean over `draws` training sets of that many rows."""
    return learner_truth(world, learner, rows, draws, seed).value


def learner_truth(world: World | str, learner: Learner, rows: int, draws: int | None = None, seed: int = 0) -> Truth:
    """Return the risk of a learner with its Monte Carlo error."""
    draws = TRUTH_DRAWS if draws is None else draws
    check_simulation(learner, rows=rows, draws=draws)
    place, _ = named_world(world, World)
    try:
        return _known_truth(place, learner, rows, draws, seed)
    except TypeError:  # a learner that cannot be looked up again
        return _known_truth.__wrapped__(place, learner, rows, draws, seed)


@lru_cache(maxsize=1024)
def _known_truth(world: World, learner: Learner, rows: int, draws: int, seed: int) -> Truth:
    """Average over training sets. One on which the learner fails has no model, and is left out.

    A few fresh rows for each of many models say as much as many for each.
    """
    risks, failures = [], []
    for number in range(draws):
        sample = world.draw(rows, derive(seed, "training set", number))
        try:
            model = fitted_learner(learner, *sample)
        except Refused as why:
            failures.append(why)
        else:
            risks.append(world.risk(model, FRESH_FOR_EACH, derive(seed, "fresh rows", number)))
    if not risks:
        raise failures[0]
    return Truth.mean_of(np.array(risks))


def check_simulation(*learners: Any, **numbers: Any) -> None:
    """Refuse what cannot be simulated."""
    for name, number in numbers.items():
        whole_number(name, number)
    for learner in learners:
        unfitted_learner(learner)


def names_of(what: str, asked: str | Sequence[str]) -> tuple[str, ...]:
    """Return one name or several."""
    names = (asked,) if isinstance(asked, str) else tuple(asked) if isinstance(asked, Iterable) else ()
    if not names:
        raise BadInput(f"`{what}=` names nothing: give at least one, such as 'corrected_t'")
    return names


def numbers_of_rows(rows: int | Sequence[int]) -> tuple[int, ...]:
    """Return one number of rows or several."""
    numbers = tuple(rows) if isinstance(rows, Iterable) else (rows,)
    if not numbers:
        raise BadInput("`rows=` names no number of rows: give at least one, such as 50")
    for number in numbers:
        check_simulation(rows=number)
    return numbers
