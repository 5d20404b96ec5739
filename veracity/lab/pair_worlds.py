"""Worlds of two or more models on the same rows, of learners on splits and on many data sets, and of p-values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial, sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.counts import errors
from veracity.evidence.interval_evidence import Shares
from veracity.evidence.make_predictions import predictions
from veracity.evidence.same_rows import Pairs, pairs
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores, SplitTable
from veracity.lab.model_worlds import group_of_rows
from veracity.lab.worlds import (
    FamilyWorld,
    PairWorld,
    Process,
    Random,
    bounded,
    check_between,
    count,
    names_of_learners,
    world,
)
from veracity.records.arrays import Array, freeze

MAX_ROWS_FOUR_CELLS = 40  # up to which all four cells of a pair are enumerated
MAX_ROWS_THREE_CELLS = 150  # up to which the three that tests read are
MAX_OUTCOMES = 10_000  # tables of orders that are enumerated
LAWS = ("normal", "heavy", "skewed")


def check_law(name: str, law: str) -> None:
    """Refuse a noise distribution that is not known."""
    if law not in LAWS:
        raise BadInput(f"{name} is {', '.join(map(repr, LAWS))}, not {law!r}")


def standard_noise(law: str, shape: Any, random: Random, df: int) -> Array:
    """Return noise of mean 0 and unit variance: normal, heavy (Student's t of `df`) or skewed (exponential)."""
    if law == "heavy":
        return random.standard_t(df, shape) / sqrt(df / (df - 2))
    return random.normal(size=shape) if law == "normal" else random.exponential(size=shape) - 1


@dataclass(frozen=True, kw_only=True)
class TwoModels(PairWorld):
    """Two models on the same rows: each errs on `share` of them, and on `discordant` of them only one does.

    By `effect` the first errs more often. With `oversampled`, rows on which the models differ are drawn so many times
    as often as they are, and sampling weights make up for it.
    """

    score: ClassVar[str] = "error"
    enumerates: ClassVar[type] = Pairs
    share: float = bounded(0.2, 0, 1)
    discordant: float = bounded(0.1, 0, 1)
    effect: float = 0.0
    oversampled: float = bounded(1.0, 0, 100, open_ends=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("effect", self.effect, -self.discordant, self.discordant)
        if min(self.cells) < -1e-12:
            raise BadInput(
                f"errors on {self.share:g} of the rows leave no room for {self.discordant:g} on which one errs"
            )

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """The chance that neither errs, only the second, only the first, both do."""
        both = self.share - self.discordant / 2
        second, first = (self.discordant - self.effect) / 2, (self.discordant + self.effect) / 2
        return 1 - self.discordant - both, second, first, both

    def draw(self, rows: int, random: Random) -> Any:
        seen = np.clip(self.cells, 0, 1) * (1, self.oversampled, self.oversampled, 1)
        cell = random.choice(4, rows, p=seen / seen.sum())
        weights = np.where((cell == 1) | (cell == 2), 1 / self.oversampled, 1.0) if self.oversampled != 1 else None
        return two_right(cell < 2, cell % 2 == 0, weights=weights)

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        if self.oversampled != 1 or rows > (MAX_ROWS_FOUR_CELLS if told_apart else MAX_ROWS_THREE_CELLS):
            return
        neither, second, first, both = np.clip(self.cells, 0, 1)
        for n10 in range(rows + 1):  # rows that only the first got right
            for n01 in range(rows + 1 - n10):
                agreed = rows - n10 - n01
                if not told_apart:
                    yield (
                        multinomial((n10, n01, agreed), (second, first, neither + both)),
                        pairs(n01=n01, n10=n10, of=rows),
                    )
                    continue
                for right in range(agreed + 1):
                    counts = n10, n01, right, agreed - right
                    found = pairs(n01=n01, n10=n10, both=right, neither=agreed - right)
                    yield multinomial(counts, (second, first, neither, both)), found


def multinomial(counts: tuple[int, ...], chances: tuple[float, ...]) -> float:
    """The chance of these counts."""
    from scipy.special import gammaln, xlogy

    logs = gammaln(sum(counts) + 1) + sum(xlogy(n, p) - gammaln(n + 1) for n, p in zip(counts, chances, strict=True))
    return float(np.exp(logs))


def two_right(first: Array, second: Array, **columns: Any) -> dict[str, Any]:
    """The predictions of two models from whether they were right on each row."""
    return {name: predictions(correct=right.astype(int), **columns) for name, right in (("a", first), ("b", second))}


@dataclass(frozen=True, kw_only=True)
class TwoShares(PairWorld):
    """Two models on as many rows of their own: the second errs on `share` of them, the first on `effect` more."""

    score: ClassVar[str] = "error"
    enumerates: ClassVar[type] = Shares
    share: float = bounded(0.2, 0, 1)
    effect: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("effect", self.effect, -self.share, 1 - self.share)

    def draw(self, rows: int, random: Random) -> Any:
        wrong = random.binomial(rows, (self.share + self.effect, self.share)).tolist()
        return {"a": errors(wrong[0], of=rows), "b": errors(wrong[1], of=rows)}

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        from scipy.stats import binom

        if rows > MAX_ROWS_FOUR_CELLS:
            return
        first, second = (
            binom.pmf(np.arange(rows + 1), rows, share) for share in (self.share + self.effect, self.share)
        )
        for a in range(rows + 1):
            for b in range(rows + 1):
                yield float(first[a] * second[b]), {"a": errors(a, of=rows), "b": errors(b, of=rows)}


@dataclass(frozen=True, kw_only=True)
class TwoInGroups(PairWorld):
    """Two models on the same rows, in groups of `size` on average, each of which is easier for one model by chance.

    Only one errs on `discordant` of the rows; in a group it is the favoured model that is right on `favour` of them.
    With `unequal` the sizes are geometric. By `effect` the first errs more often.
    """

    score: ClassVar[str] = "error"
    discordant: float = bounded(0.3, 0, 1, open_ends=True)
    favour: float = bounded(0.8, 0.5, 1)
    size: int = count(5)
    unequal: bool = False
    effect: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("effect", self.effect, -self._most, self._most)

    @property
    def _most(self) -> float:
        return self.discordant * (2 * self.favour - 1)

    def draw(self, rows: int, random: Random) -> Any:
        groups = group_of_rows(rows, self.size, self.unequal, random)
        for_second = 0.5 + (self.effect / self._most / 2 if self._most else 0.0)  # groups that favour the second
        favoured = random.random(groups[-1] + 1) < for_second
        differ = random.random(rows) < self.discordant
        as_favoured = random.random(rows) < self.favour
        second = favoured[groups] == as_favoured
        return two_right(~(differ & second), ~(differ & ~second), groups=groups)


@dataclass(frozen=True, kw_only=True)
class TwoLosses(PairWorld):
    """Losses of two models on the same rows, whose differences have unit variance around `effect`.

    Their `law` is normal, heavy (Student's t with 4 degrees of freedom) or skewed (exponential).
    """

    score: ClassVar[str] = "mean"
    law: str = field(default="normal", metadata={"check": check_law})
    effect: float = bounded(0.0, -10, 10)

    def draw(self, rows: int, random: Random) -> Any:
        easy = 20 + random.gamma(2.0, size=rows)  # how hard a row is for both
        apart = self.effect + standard_noise(self.law, rows, random, df=4)
        return {"a": predictions(loss=easy + apart), "b": predictions(loss=easy)}


@dataclass(frozen=True, kw_only=True)
class TwoOrderings(PairWorld):
    """Decision values of two models for the same rows, normal in both classes and correlated in each.

    Positive rows lie `distance` standard deviations higher in the values of the second model; the area under the curve
    of the first is larger by `effect`.
    """

    score: ClassVar[str] = "auc"
    better: ClassVar[str] = "higher"
    distance: float = bounded(1.0, 0, 10)
    positives: float = bounded(0.5, 0, 1, open_ends=True)
    correlation: float = bounded(0.5, -1, 1)
    effect: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("effect", self.effect, -self._area, 1 - self._area, open_ends=True)

    @property
    def _area(self) -> float:
        return NormalDist().cdf(self.distance / sqrt(2))

    def draw(self, rows: int, random: Random) -> Any:
        positive = random.random(rows) < self.positives
        positive[:2] = (True, False)
        shared, *own = random.normal(size=(3, rows))
        mixed = sqrt(abs(self.correlation)) * shared, sqrt(1 - abs(self.correlation))
        sides = (1, 1 if self.correlation >= 0 else -1)
        apart = sqrt(2) * NormalDist().inv_cdf(self._area + self.effect), self.distance
        values = (
            side * mixed[0] + mixed[1] * noise + gap * positive
            for side, noise, gap in zip(sides, own, apart, strict=True)
        )
        return {
            name: predictions(positive.astype(int), value=value, positive=1)
            for name, value in zip("ab", values, strict=True)
        }


@dataclass(frozen=True, kw_only=True)
class SeveralModels(PairWorld):
    """Several models on the same rows, each of which errs on `share` of them; `correlation` is that of what decides.

    The first errs on `effect` more.
    """

    score: ClassVar[str] = "error"
    models: int = count(4)
    share: float = bounded(0.2, 0, 1, open_ends=True)
    correlation: float = bounded(0.5, 0, 1)
    effect: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("effect", self.effect, -self.share, 1 - self.share, open_ends=True)

    def draw(self, rows: int, random: Random) -> Any:
        shared, own = random.normal(size=(rows, 1)), random.normal(size=(rows, self.models))
        hard = sqrt(self.correlation) * shared + sqrt(1 - self.correlation) * own
        rates = [self.share + self.effect] + [self.share] * (self.models - 1)
        right = hard > [NormalDist().inv_cdf(rate) for rate in rates]
        return {f"model {i + 1}": predictions(correct=right[:, i].astype(int)) for i in range(self.models)}


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

    learners: int = count(4)
    effect: float = bounded(0.0, -100, 100)
    ahead: int = count(1)
    law: str = field(default="normal", metadata={"check": check_law})
    unequal: float = bounded(0.0, 0, 5)
    digits: int = 9
    missing: float = bounded(0.0, 0, 0.9)
    splits: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.learners < 2 or self.ahead >= self.learners:
            raise BadInput(
                f"of {self.learners} learners {self.ahead} cannot be ahead: take two or more, and fewer ahead"
            )
        if self.splits and self.missing:
            raise BadInput("scores that are means over splits are all there: leave out splits or missing")

    @property
    def levels(self) -> tuple[float, ...]:
        return (self.effect,) * self.ahead + (0.0,) * (self.learners - self.ahead)

    def draw(self, rows: int, random: Random) -> ScoreMatrix:
        hard = random.normal(0, 3, (rows, 1))  # data sets differ more than learners do
        spread = np.exp(self.unequal * random.normal(size=(rows, 1)))
        shape = rows, self.learners
        noise = standard_noise(self.law, shape, random, df=3)
        values = np.round(hard + np.array(self.levels) + spread * noise, self.digits)
        if self.splits:  # each score is the mean over folds, of which any two have the correlation 1/k
            k = self.splits
            own = random.normal(size=(*values.shape, k)) * sqrt(1 - 1 / k)
            folds = values[..., None] + 0.5 * (own + random.normal(size=(*values.shape, 1)) / sqrt(k))
            cells = tuple(tuple(SplitScores.of(one, 9 * k, k) for one in row) for row in folds)
            return matrix_of(folds.mean(axis=2), cells)
        if self.missing:
            gone = random.random(shape) < self.missing
            gone[(~gone).sum(axis=1) < 2, :2] = False  # a data set has two scores or none of a use
            values[gone] = np.nan
        return matrix_of(values)


@dataclass(frozen=True, kw_only=True)
class EqualOrders(FamilyWorld):
    """Learners whose every order is as likely on every data set, and scores that are further apart on later ones.

    Of two learners all differences are 1, 2, 3 ... with a sign by chance. All that can happen is enumerated where that
    is no more than 10,000 tables.
    """

    learners: int = count(3)
    effect = 0.0  # nothing can differ here

    def __post_init__(self) -> None:
        super().__post_init__()
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
        if number > MAX_OUTCOMES:
            return iter(())
        every = list(permutations(range(self.learners)))
        return ((1 / number, self._matrix(np.array(orders))) for orders in product(every, repeat=rows))

    def _matrix(self, orders: Array) -> ScoreMatrix:
        return matrix_of(orders * (1.0 + np.arange(len(orders)))[:, None])


@dataclass(frozen=True, kw_only=True)
class PValues(Process):
    """P-values of `tests`, of which `real` are of something: their normal statistics lie `effect` deviations off 0.

    All statistics have the same `correlation`; 0 is that of tests which know nothing of each other.
    """

    tests: int = count(10)
    real: int = 0
    effect: float = bounded(3.0, 0, 100)
    correlation: float = bounded(0.0, 0, 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("real", self.real, 0, self.tests)

    @property
    def null(self) -> Array:
        """Which tests are of nothing."""
        return np.arange(self.tests) >= (self.real if self.effect else 0)

    def draw(self, rows: int, random: Random) -> Array:
        """The p-values of one sample; how many rows it has does not matter."""
        from scipy.special import ndtr

        shared, own = random.normal(), random.normal(size=self.tests)
        z = sqrt(self.correlation) * shared + sqrt(1 - self.correlation) * own + self.effect * ~self.null
        return 2 * ndtr(-np.abs(z))


@dataclass(frozen=True, kw_only=True)
class Splits(PairWorld):
    """Differences of two learners on `repeats` times `k` folds, jointly normal with unit variance around `effect`.

    Two folds of one repeat have the correlation `within`, two of different repeats `between`; -1 stands for 1/k, what
    Nadeau and Bengio (2003) take it to be. `rows` is that of the data set.
    """

    score: ClassVar[None] = None
    better: ClassVar[str] = "higher"
    k: int = count(10)
    repeats: int = count(1)
    within: float = bounded(-1.0, -1, 1)
    between: float = bounded(-1.0, -1, 1)
    independent: bool = False
    effect: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k < 2:
            raise BadInput("k is at least 2, as for folds")
        if np.linalg.eigvalsh(self.covariance).min() < -1e-9:
            raise BadInput(f"no scores have the correlations {self.within:g} and {self.between:g}: take others")

    @property
    def covariance(self) -> Array:
        """Of the differences on all splits."""
        number = self.k * self.repeats
        if self.independent:
            return np.eye(number)
        within, between = (1 / self.k if one == -1 else one for one in (self.within, self.between))
        same = np.kron(np.eye(self.repeats), np.ones((self.k, self.k)))
        found = within * same + between * (1 - same)
        np.fill_diagonal(found, 1.0)
        return found

    def draw(self, rows: int, random: Random) -> Any:
        if rows < 2 * self.k:
            raise BadInput(f"{self.k} folds need {2 * self.k} rows or more, not {rows}")
        values, vectors = np.linalg.eigh(self.covariance)
        noise = vectors @ (np.sqrt(np.clip(values, 0, None)) * random.normal(size=len(values)))
        apart = self.effect + noise
        test = rows // self.k
        other = random.normal(10, 0.1, len(apart)) if self.independent else np.full(len(apart), 10.0)
        splits = SplitScores.of(other, rows - test, test, np.repeat(np.arange(self.repeats), self.k))
        first = SplitScores(freeze(other + apart), splits.train, splits.test, splits.repeats)
        return SplitTable({"a": first, "b": splits}, "higher", "score", self.independent)


two_models = world("Two models on the same rows", name="two_models")(TwoModels)
two_shares = world("Two models on different rows", name="two_shares")(TwoShares)
two_in_groups = world("Two models on the same rows in groups", name="two_in_groups")(TwoInGroups)
two_losses = world("Losses of two models", name="two_losses")(TwoLosses)
two_orderings = world("Decision values of two models", name="two_orderings")(TwoOrderings)
several_models = world("Several models on the same rows", name="several_models")(SeveralModels)
data_sets = world("Learners on many data sets", name="data_sets")(DataSets)
equal_orders = world("Learners in any order", name="equal_orders")(EqualOrders)
p_values = world("Families of p-values", name="p_values")(PValues)
splits = world("Scores of two learners on splits", name="splits")(Splits)
