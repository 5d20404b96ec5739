"""Worlds of several learners on many data sets, and of families of p-values: who is equal and who is not is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, sqrt

import numpy as np

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.lab.entry import check_between, world
from veracity.lab.evidence_worlds import FamilyWorld, names_of_learners
from veracity.records.arrays import Array, freeze

MOST_OUTCOMES = 10_000
LAWS = ("normal", "heavy", "skewed")
Random = np.random.Generator


def matrix_of(values: Array, splits: tuple[tuple[SplitScores, ...], ...] | None = None) -> ScoreMatrix:
    """Data sets in rows and learners in columns, higher being better."""
    names = tuple(f"data {place + 1}" for place in range(len(values)))
    return ScoreMatrix(freeze(values), names_of_learners(values.shape[1]), names, splits=splits)


@dataclass(frozen=True, kw_only=True)
class DataSets(FamilyWorld):
    """Scores of `learners` on data sets: the first `ahead` of them are better by `effect` standard deviations.

    What is left to chance is of the `law` normal, heavy (Student's t with 3 degrees of freedom) or skewed
    (exponential). With `unequal` above 0 its deviation differs between data sets, by a log-normal law of that spread.
    `digits` rounds scores, so that with 1 or 0 many tie; `missing` is the share of scores that are not there. With
    `splits` each score is the mean over so many folds.
    """

    learners: int = 4
    effect: float = 0.0
    ahead: int = 1
    law: str = "normal"
    unequal: float = 0.0
    digits: int = 9
    missing: float = 0.0
    splits: int = 0

    def __post_init__(self) -> None:
        whole_number("learners", self.learners)
        whole_number("ahead", self.ahead)
        check_between("effect", self.effect, -100, 100)
        check_between("unequal", self.unequal, 0, 5)
        check_between("missing", self.missing, 0, 0.9)
        if self.learners < 2 or self.ahead >= self.learners:
            raise BadInput(
                f"of {self.learners} learners {self.ahead} cannot be ahead: take two or more, and fewer ahead"
            )
        if self.splits and self.missing:
            raise BadInput("scores that are means over splits are all there: leave out splits or missing")
        if self.law not in LAWS:
            raise BadInput(f"law is {', '.join(map(repr, LAWS))}, not {self.law!r}")

    @property
    def levels(self) -> tuple[float, ...]:
        return (self.effect,) * self.ahead + (0.0,) * (self.learners - self.ahead)

    def draw(self, rows: int, random: Random) -> ScoreMatrix:
        hard = random.normal(0, 3, (rows, 1))  # data sets differ more than learners do
        spread = np.exp(self.unequal * random.normal(size=(rows, 1)))
        shape = rows, self.learners
        noise = {
            "normal": lambda: random.normal(size=shape),
            "heavy": lambda: random.standard_t(3, shape) / sqrt(3),
            "skewed": lambda: random.exponential(size=shape) - 1,
        }[self.law]()
        values = np.round(hard + np.array(self.levels) + spread * noise, self.digits)
        if self.splits:
            return self._with_splits(values, random)
        if self.missing:
            gone = random.random(shape) < self.missing
            gone[(~gone).sum(axis=1) < 2, :2] = False  # a data set has two scores or none of a use
            values[gone] = np.nan
        return matrix_of(values)

    def _with_splits(self, values: Array, random: Random) -> ScoreMatrix:
        """Each score as the mean over folds, of which any two have the correlation 1/k."""
        k = self.splits
        noise = random.normal(size=(*values.shape, k)) * sqrt(1 - 1 / k)
        folds = values[..., None] + 0.5 * (noise + random.normal(size=(*values.shape, 1)) / sqrt(k))
        cells = tuple(tuple(SplitScores.of(one, 9 * k, k) for one in row) for row in folds)
        return matrix_of(folds.mean(axis=2), cells)


@dataclass(frozen=True, kw_only=True)
class EqualOrders(FamilyWorld):
    """Learners whose every order is as likely on every data set, and scores that are further apart on later ones.

    Of two learners all differences are 1, 2, 3 ... with a sign by chance. All that can happen is enumerated where that
    is no more than 10,000 tables.
    """

    learners: int = 3
    effect = 0.0  # nothing can differ here

    def __post_init__(self) -> None:
        whole_number("learners", self.learners)
        if not 2 <= self.learners <= 8:
            raise BadInput(f"learners are 2 to 8 here, not {self.learners}")

    @property
    def levels(self) -> tuple[float, ...]:
        return (0.0,) * self.learners

    def draw(self, rows: int, random: Random) -> ScoreMatrix:
        orders = random.permuted(np.tile(np.arange(self.learners), (rows, 1)), axis=1)
        return self._matrix(orders)

    def outcomes(self, rows: int) -> Iterator[tuple[float, ScoreMatrix]]:
        number = factorial(self.learners) ** rows
        if number > MOST_OUTCOMES:
            return iter(())
        every = list(permutations(range(self.learners)))
        return ((1 / number, self._matrix(np.array(orders))) for orders in product(every, repeat=rows))

    def _matrix(self, orders: Array) -> ScoreMatrix:
        return matrix_of(orders * (1.0 + np.arange(len(orders)))[:, None])


@dataclass(frozen=True, kw_only=True)
class PValues:
    """P-values of `tests`, of which `real` are of something: their normal statistics lie `effect` deviations off 0.

    All statistics have the same `correlation`; 0 is that of tests which know nothing of each other.
    """

    tests: int = 10
    real: int = 0
    effect: float = 3.0
    correlation: float = 0.0

    def __post_init__(self) -> None:
        whole_number("tests", self.tests)
        check_between("real", self.real, 0, self.tests)
        check_between("effect", self.effect, 0, 100)
        check_between("correlation", self.correlation, 0, 1)

    @property
    def null(self) -> Array:
        """Which tests are of nothing."""
        return np.arange(self.tests) >= (self.real if self.effect else 0)

    def draw(self, rows: int, random: Random) -> Array:
        """The p-values of one sample; how many rows it has does not matter."""
        from scipy.special import ndtr

        shared, own = random.normal(), random.normal(size=self.tests)
        z = sqrt(self.correlation) * shared + sqrt(1 - self.correlation) * own + self.effect * ~self.null
        found: Array = 2 * ndtr(-np.abs(z))
        return found


data_sets = world("Learners on many data sets", name="data_sets")(DataSets)
equal_orders = world("Learners in any order", name="equal_orders")(EqualOrders)
p_values = world("Families of p-values", name="p_values")(PValues)
