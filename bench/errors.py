"""How often tests of learners on splits reject where nothing differs: learners that are fitted to simulated rows.

Two features say equally much about the class, one learner reads the first and the other the second, so both have the
same risk at every size of the training part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from bench.figures.specification import Row, Specification, brief_row
from veracity.comparisons import comparisons
from veracity.core.errors import Refused
from veracity.core.measurement import ErrorRate
from veracity.core.notes import check
from veracity.core.seeds import generator
from veracity.designs.make_design import make_design
from veracity.evidence.score_matrix import SplitScores, Subsamples
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Rows

LEVEL = 0.95
ROWS = 200
DESIGNS = 20  # of each kind: rows are drawn anew in every trial, so splits need not be
TRIALS = 4_000
CLASSES = np.arange(ROWS) % 2
HOLDOUTS = "repeated_holdout(repeats=30, test=0.3333)"
ON_SPLITS = (
    (HOLDOUTS, "30 hold-outs of a third", ("resampled_t", "corrected_t")),
    ("repeated_kfold(k=10, repeats=10)", "10 x 10 folds", ("resampled_t", "corrected_t")),
    ("kfold(k=10)", "10 folds", ("kfold_t", "corrected_t")),
    ("five_by_two", "5 x 2 folds", ("five_by_two_t", "five_by_two_f", "corrected_t")),
)
HALVES = "paired_subsampling(outer=10, inner=15)"
Random = np.random.Generator


@dataclass(frozen=True, eq=False)
class Splits:
    """A design with its training and test rows as rows of zeros and ones."""

    design: Design
    train: Array
    test: Array


Learner = Callable[[Array, Splits], Array]


@dataclass(frozen=True)
class World:
    """Scores without a difference between the learners: one sample as evidence, and the tests that read it."""

    says: str
    sample: Callable[[Random, int], Any]
    methods: tuple[str, ...]
    by: str = ""  # the design, where there are rows
    splits: str = ""  # the design in words
    trials: int = TRIALS


def nearest_mean(feature: Array, splits: Splits) -> Array:
    """Errors on every split of the rule that cuts halfway between the means of the classes."""
    middle = []
    for members in (CLASSES == 0, CLASSES == 1):
        trained = splits.train * members
        middle.append(trained @ feature / trained.sum(axis=1))
    above = feature > ((middle[0] + middle[1]) / 2)[:, None]
    wrong = (above == (middle[1] > middle[0])[:, None]) != (CLASSES == 1)
    return (wrong * splits.test).sum(axis=1) / splits.test.sum(axis=1)


def nearest_row(feature: Array, splits: Splits) -> Array:
    """Errors on every split of the rule that asks the one nearest row."""
    away = np.abs(feature[:, None] - feature)
    wrong = []
    for split in splits.design.splits:
        nearest = split.train[away[np.ix_(split.test, split.train)].argmin(axis=1)]
        wrong.append((CLASSES[nearest] != CLASSES[split.test]).mean())
    return np.array(wrong)


@cache
def _splits(name: str, number: int) -> Splits:
    design = make_design(name, Rows(ROWS, CLASSES), number)
    masks = np.zeros((2, len(design), ROWS))
    for i, split in enumerate(design.splits):
        masks[0, i, split.train] = masks[1, i, split.test] = 1.0
    return Splits(design, masks[0], masks[1])


def _differences(learner: Learner, splits: Splits, random: Random) -> Array:
    features = random.normal(size=(2, ROWS)) + CLASSES
    return learner(features[0], splits) - learner(features[1], splits)


def splits(name: str, learner: Learner) -> Callable[[Random, int], SplitScores]:
    def sample(random: Random, trial: int) -> SplitScores:
        found = _splits(name, trial % DESIGNS)
        repeats = [split.repeat for split in found.design.splits]
        sizes = found.train.sum(axis=1), found.test.sum(axis=1)
        return SplitScores.of(_differences(learner, found, random), *sizes, repeats)

    return sample


def halves(learner: Learner) -> Callable[[Random, int], Subsamples]:
    def sample(random: Random, trial: int) -> Subsamples:
        splits = _splits(HALVES, trial % DESIGNS)
        found = _differences(learner, splits, random)
        full = sum(split.part.kind == "full" for split in splits.design.splits)
        return Subsamples(freeze(found[:full]), freeze(found[full:].reshape(-1, 2, full).mean(axis=2)))

    return sample


def worlds() -> Iterator[World]:
    for learner, says in ((nearest_mean, "nearest mean"), (nearest_row, "nearest row")):
        for design, in_words, methods in ON_SPLITS:
            yield World(says, splits(design, learner), methods, design, in_words)
        yield World(says, halves(learner), ("conservative_z",), HALVES, "10 pairs of halves")


def measure(world: World, seed: int) -> Iterator[ErrorRate]:
    """One row for each test: the same samples for all of them."""
    rejected, refused = dict.fromkeys(world.methods, 0), dict.fromkeys(world.methods, 0)
    random = generator(seed, f"{world.splits} of {ROWS} rows, {world.says}" if world.splits else world.says)
    for trial in range(world.trials):
        evidence = world.sample(random, trial)
        for method in world.methods:
            choice = comparisons.choose(method)
            try:
                check(choice.limits, evidence, anyway=method == "resampled_t")
            except Refused:
                refused[method] += 1
            else:
                rejected[method] += choice(evidence).p_value < 1 - LEVEL
    for method in world.methods:
        given = world.trials - refused[method]
        yield ErrorRate(
            method=method,
            world=world.says,
            rows=ROWS if world.by else None,
            by=world.by,
            level=LEVEL,
            trials=world.trials,
            refused=round(refused[method] / world.trials, 4),
            rejected=round(rejected[method] / given, 4) if given else 0.0,
            splits=world.splits,
        )


def specifications() -> Iterator[Specification]:
    """One for each world: its rows come from one stream of samples."""
    for world in worlds():
        unit = f"{', '.join(world.methods)} by {world.by}, {world.says}"
        yield Specification(unit, "comparisons", partial(_rows, world))


def _rows(world: World, seed: int) -> list[Row]:
    return [brief_row(**asdict(row)) for row in measure(world, seed)]
