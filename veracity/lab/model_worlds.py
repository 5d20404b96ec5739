"""Worlds of what one model did: shares, matrices, orderings, probabilities, groups, and errors of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import exp, pi, sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.core.distributions import beta_quantiles
from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts, errors
from veracity.evidence.make_predictions import predictions
from veracity.lab.worlds import EvidenceWorld, Random, bounded, count, world
from veracity.records.arrays import Array


@dataclass(frozen=True, kw_only=True)
class NormalErrors(EvidenceWorld):
    """Predictions of numbers, whose errors are normal around `bias` with unit variance; the truth is normal too."""

    score: ClassVar[str] = "mse"
    bias: float = bounded(0.0, -100, 100)

    @property
    def truths(self) -> dict[str, float]:
        normal = NormalDist()
        absolute = sqrt(2 / pi) * np.exp(-(self.bias**2) / 2) + self.bias * (1 - 2 * normal.cdf(-self.bias))
        squared = 1 + self.bias**2
        known = {"mse": squared, "mae": float(absolute), "rmse": sqrt(squared)}
        known |= {"r2": 1 - squared, "correlation": sqrt(0.5)}
        return known | ({} if self.bias else {"median_absolute_error": normal.inv_cdf(0.75)})

    def draw(self, rows: int, random: Random) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + self.bias + random.normal(size=rows))


@dataclass(frozen=True, kw_only=True)
class HeavyErrors(EvidenceWorld):
    """Predictions of numbers, whose errors follow Student's t: the fewer its degrees of freedom, the heavier."""

    score: ClassVar[str] = "mse"
    df: float = bounded(5.0, 2, 1000, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"mse": self.df / (self.df - 2)}

    def draw(self, rows: int, random: Random) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + random.standard_t(self.df, rows))


@dataclass(frozen=True, kw_only=True)
class SkewedLosses(EvidenceWorld):
    """Losses of rows that follow a gamma law of mean 1: the smaller its `shape`, the more skewed."""

    score: ClassVar[str] = "mean"
    shape: float = bounded(1.0, 0, 1000, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"mean": 1.0}

    def draw(self, rows: int, random: Random) -> Any:
        return predictions(loss=random.gamma(self.shape, 1 / self.shape, rows))


GRID = 20_000  # places of a law that stand for all of it


@dataclass(frozen=True, kw_only=True)
class Shares(EvidenceWorld):
    """Errors of a model that errs on a given share of all rows: every number of errors, with its probability."""

    score: ClassVar[str] = "error"
    share: float = bounded(0.3, 0, 1)

    @property
    def truths(self) -> dict[str, float]:
        return {"error": self.share, "accuracy": 1 - self.share}

    def draw(self, rows: int, random: Random) -> Any:
        return errors(int(random.binomial(rows, self.share)), of=rows)

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        from scipy.stats import binom

        probabilities = binom.pmf(np.arange(rows + 1), rows, self.share)
        return ((float(p), _errors(k, rows)) for k, p in enumerate(probabilities))


@lru_cache(maxsize=10_000)
def _errors(number: int, of: int) -> Any:
    """One object for the same evidence, so that what was found of it is found again."""
    return errors(number, of=of)


@dataclass(frozen=True, kw_only=True)
class BestOf(EvidenceWorld):
    """Errors, on the very rows that chose it, of the best of several `rules` which all err on the same share of rows.

    The rules err independently of each other, so the one that was chosen has the same share on all rows there are.
    """

    score: ClassVar[str] = "error"
    rules: int = count(20)
    share: float = bounded(0.3, 0, 1)

    @property
    def truths(self) -> dict[str, float]:
        return {"error": self.share, "accuracy": 1 - self.share}

    def draw(self, rows: int, random: Random) -> Any:
        return errors(int(random.binomial(rows, self.share, self.rules).min()), of=rows)

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        from scipy.stats import binom

        more = binom.sf(np.arange(-1, rows + 1), rows, self.share) ** self.rules  # that all rules err more often
        return ((float(p), _errors(k, rows)) for k, p in enumerate(more[:-1] - more[1:]))


@dataclass(frozen=True, kw_only=True)
class Confusion(EvidenceWorld):
    """Confusion matrices, whose cells rows fall into with given chances; of two classes the first is positive.

    `matrix` has a row for each true class and a column for each predicted one; its cells are made to add up to 1.
    """

    score: ClassVar[str] = "error"
    matrix: Any = ((0.24, 0.06), (0.1, 0.6))

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = list(self.matrix) if isinstance(self.matrix, (list, tuple)) else []
        square = len(rows) > 1 and all(isinstance(row, (list, tuple)) and len(row) == len(rows) for row in rows)
        cells = np.array(self.matrix, float) if square else np.zeros(0)
        if not cells.size or not np.isfinite(cells).all() or cells.min() < 0 or cells.sum() <= 0:
            raise BadInput(f"matrix has a row of chances for each class, such as ((3, 1), (1, 5)), not {self.matrix!r}")
        object.__setattr__(self, "matrix", tuple(map(tuple, cells.tolist())))

    @property
    def probabilities(self) -> Array:
        cells = np.array(self.matrix)
        return cells / cells.sum()

    def population(self) -> Counts:
        return self._counts(self.probabilities)

    def draw(self, rows: int, random: Random) -> Counts:
        return self._counts(random.multinomial(rows, self.probabilities.ravel()).reshape(self.probabilities.shape))

    def _counts(self, cells: Array) -> Counts:
        number = len(self.matrix)
        return Counts(cells, tuple(range(number)), 0 if number == 2 else None)


@dataclass(frozen=True, kw_only=True)
class NormalValues(EvidenceWorld):
    """Decision values, normal in both classes: those of positive rows lie `distance` standard deviations higher.

    With `step` they are rounded to its multiples, so that many tie. With `tilt`, rows of high values are drawn more
    often, their log odds by `tilt` for each standard deviation, and sampling weights make up for it.
    """

    score: ClassVar[str] = "auc"
    distance: float = bounded(1.0, 0, 10)
    positives: float = bounded(0.5, 0, 1, open_ends=True)
    step: float = bounded(0.0, 0, 10)
    tilt: float = bounded(0.0, -2, 2)

    @property
    def truths(self) -> dict[str, float]:
        return {} if self.step else {"auc": NormalDist().cdf(self.distance / sqrt(2))}

    def draw(self, rows: int, random: Random) -> Any:
        odds = self.positives * exp(self.tilt * self.distance) / (1 - self.positives)
        positive = random.random(rows) < odds / (1 + odds)
        positive[:2] = (True, False)  # an ordering is of both classes
        value = random.normal(size=rows) + self.distance * positive + self.tilt
        weights = np.exp(-self.tilt * value) if self.tilt else None
        return predictions(positive.astype(int), value=self._rounded(value), positive=1, weights=weights)

    def population(self) -> Any:
        from scipy.special import ndtri

        places = ndtri((np.arange(GRID) + 0.5) / GRID)
        value = np.concatenate([places + self.distance, places])
        positive = np.repeat([1, 0], GRID)
        weights = np.repeat([self.positives, 1 - self.positives], GRID) / GRID
        return predictions(positive, value=self._rounded(value), positive=1, weights=weights)

    def _rounded(self, value: Array) -> Array:
        return np.round(value / self.step) * self.step if self.step else value


@dataclass(frozen=True, kw_only=True)
class Probabilities(EvidenceWorld):
    """Probabilities of two classes: the chance of a row is Beta(`sharp` * `positives`, `sharp` * (1 - `positives`)).

    What is told has the log odds `shift` + `slope` times those of the chance: by 0 and 1 it is calibrated, a larger
    slope is too sure, a smaller one too careful.
    """

    score: ClassVar[str] = "brier"
    positives: float = bounded(0.3, 0, 1, open_ends=True)
    sharp: float = bounded(2.0, 0, 1000, open_ends=True)
    slope: float = bounded(1.0, -10, 10)
    shift: float = bounded(0.0, -20, 20)

    def draw(self, rows: int, random: Random) -> Any:
        chance = random.beta(self.sharp * self.positives, self.sharp * (1 - self.positives), rows)
        return predictions((random.random(rows) < chance).astype(int), proba=self._told(chance), positive=1)

    def population(self) -> Any:
        shares = (np.arange(GRID) + 0.5) / GRID
        chance = beta_quantiles(self.sharp * self.positives, self.sharp * (1 - self.positives), shares)
        told = self._told(chance)
        weights = np.concatenate([chance, 1 - chance]) / GRID
        return predictions(np.repeat([1, 0], GRID), proba=np.concatenate([told, told]), positive=1, weights=weights)

    def _told(self, chance: Array) -> Array:
        from scipy.special import expit, logit

        return expit(self.shift + self.slope * logit(np.clip(chance, 1e-12, 1 - 1e-12)))


@dataclass(frozen=True, kw_only=True)
class GroupedErrors(EvidenceWorld):
    """Right and wrong rows in groups of `size` on average, whose rates of error vary: `within` is their correlation.

    With `unequal` the sizes are geometric: many groups of one or two rows and a few very large ones.
    """

    score: ClassVar[str] = "error"
    share: float = bounded(0.2, 0, 1, open_ends=True)
    size: int = count(5)
    within: float = bounded(0.2, 0, 1, open_ends=True)
    unequal: bool = False

    @property
    def truths(self) -> dict[str, float]:
        return {"error": self.share, "accuracy": 1 - self.share}

    def draw(self, rows: int, random: Random) -> Any:
        groups = group_of_rows(rows, self.size, self.unequal, random)
        spread = (1 - self.within) / self.within
        rates = random.beta(self.share * spread, (1 - self.share) * spread, groups[-1] + 1)
        wrong = random.random(len(groups)) < rates[groups]
        return predictions(correct=(~wrong).astype(int), groups=groups)


def group_of_rows(rows: int, size: int, unequal: bool, random: Random) -> Array:
    """The group of each row; the last group is cut where the rows end."""
    number = -(-rows // size) if not unequal else rows
    sizes = np.full(number, size) if not unequal else random.geometric(1 / size, number)
    return np.repeat(np.arange(number), sizes)[:rows]


normal_errors = world("Normal errors of numbers", name="normal_errors")(NormalErrors)
heavy_errors = world("Heavy-tailed errors of numbers", name="heavy_errors")(HeavyErrors)
skewed_losses = world("Skewed losses", name="skewed_losses")(SkewedLosses)
shares = world("Errors at a given rate", name="shares")(Shares)
best_of = world("The best of several rules", name="best_of")(BestOf)
confusion = world("Confusion matrices", name="confusion")(Confusion)
normal_values = world("Normal decision values", name="normal_values")(NormalValues)
probabilities = world("Probabilities of two classes", name="probabilities")(Probabilities)
grouped_errors = world("Right and wrong rows in groups", name="grouped_errors")(GroupedErrors)
