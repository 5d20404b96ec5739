"""How often tests of learners reject where nothing differs: simulated worlds, written where the catalogue reads them.

Run `python -m bench.errors` (a few minutes on one core); the same seed gives the same file.

On one data set, two features say equally much about the class, one learner reads the first and the other the second,
so both have the same risk at every size of the training part. Over many data sets, differences are symmetric about 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.comparisons.error_rates import ErrorRate
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.core.seeds import generator
from veracity.designs.make_design import make_design
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores, Subsamples
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Rows

SEED = 20_260
LEVEL = 0.95
ROWS = 200
DESIGNS = 20  # of each kind: rows are drawn anew in every trial, so splits need not be
TRIALS = 4_000
OUT = Path(__file__).parent.parent / "veracity" / "comparisons" / "measured" / "methods.json"
CLASSES = np.arange(ROWS) % 2
HOLDOUTS = "repeated_holdout(repeats=30, test=0.3333)"
ON_SPLITS = (
    (HOLDOUTS, "30 hold-outs of a third", ("resampled_t", "corrected_t")),
    ("repeated_kfold(k=10, repeats=10)", "10 x 10 folds", ("resampled_t", "corrected_t")),
    ("kfold(k=10)", "10 folds", ("kfold_t", "corrected_t")),
    ("five_by_two", "5 x 2 folds", ("five_by_two_t", "five_by_two_f", "corrected_t")),
)
HALVES = "paired_subsampling(outer=10, inner=15)"
ON_DATASETS = ("wilcoxon", "sign", "paired_t", "averaged_t")
WITH_ZEROS = ("wilcoxon(zeros='drop')", "wilcoxon(zeros='pratt')", "sign(ties='split')")
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


def datasets(number: int, law: Callable[[Random, int], Array]) -> Callable[[Random, int], ScoreMatrix]:
    """Data sets of different difficulty; the learners differ by chance alone."""

    def sample(random: Random, trial: int) -> ScoreMatrix:
        second = np.round(random.uniform(0.5, 0.95, number), 2)
        both = np.stack([second + law(random, number), second], axis=1)
        return ScoreMatrix(freeze(both), ("a", "b"), tuple(map(str, range(number))))

    return sample


LAWS: dict[str, Callable[[Random, int], Array]] = {
    "normal differences": lambda random, n: random.normal(0, 0.01, n),
    "differences of uneven spread": lambda random, n: random.normal(0, 0.003, n) * random.lognormal(0, 1.5, n),
    "differences rounded to ties and zeros": lambda random, n: np.round(random.normal(0, 0.01, n), 2),
}


def worlds() -> Iterator[World]:
    for learner, says in ((nearest_mean, "nearest mean"), (nearest_row, "nearest row")):
        for design, in_words, methods in ON_SPLITS:
            yield World(says, splits(design, learner), methods, design, in_words)
        yield World(says, halves(learner), ("conservative_z",), HALVES, "10 pairs of halves")
    for number in (10, 30):
        for says, law in LAWS.items():
            methods = ON_DATASETS + (WITH_ZEROS if "zeros" in says else ())
            yield World(f"{number} data sets, {says}", datasets(number, law), methods)


def measure(world: World) -> Iterator[ErrorRate]:
    """One row for each test: the same samples for all of them."""
    rejected, refused = dict.fromkeys(world.methods, 0), dict.fromkeys(world.methods, 0)
    random = generator(SEED, f"{world.splits} of {ROWS} rows, {world.says}" if world.splits else world.says)
    for trial in range(world.trials):
        evidence = world.sample(random, trial)
        for method in world.methods:
            choice = comparisons.choose(method)
            try:
                check(choice.entry.limits, evidence, anyway=method == "resampled_t")
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


def main() -> None:
    rows = []
    for world in worlds():
        for row in measure(world):
            rows.append(asdict(row))
            print(row, flush=True)
    OUT.write_text(json.dumps({"seed": SEED, "made_by": "python -m bench.errors", "measured": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
