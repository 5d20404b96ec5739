"""A share of rows, for the binomial intervals, and two shares from different rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isinf
from typing import ClassVar

from veracity.core.confidence import Confidence
from veracity.core.notes import Note, unique
from veracity.records.arrays import Array


@dataclass(frozen=True)
class Proportion:
    """`hits` among `rows`. Weighted or clustered rows count as the number of plain rows that would tell as much."""

    label: ClassVar[str] = "a share of rows"
    between: ClassVar[str] = "the rows that one model gets right"
    lacks: ClassVar[str] = "is not a share of rows, so binomial intervals do not hold for it"

    hits: float
    rows: float
    notes: tuple[Note, ...] = ()
    degrees: float = inf  # of freedom: how well the variance of weighted or clustered rows is known
    most: float = inf  # plain rows that would tell as much if no row were like another of its group

    def at(self, confidence: Confidence) -> Proportion:
        """The plain rows that tell as much at this confidence: Student's quantile is larger than the normal one."""
        if isinf(self.degrees):
            return self
        rows = min(self.rows * (confidence.z / confidence.t(self.degrees)) ** 2, self.most)
        return Proportion(self.share * rows, rows, self.notes)

    @property
    def share(self) -> float:
        return self.hits / self.rows

    @property
    def whole(self) -> bool:
        """Whether these are plain counts, as methods that enumerate outcomes need."""
        return float(self.hits).is_integer() and float(self.rows).is_integer()

    @property
    def misses(self) -> float:
        return self.rows - self.hits


@dataclass(frozen=True)
class Shares:
    """The same score, a share of rows, of two models that were tried on different rows."""

    label: ClassVar[str] = "shares of rows of two models on different rows"

    first: Proportion
    second: Proportion
    same: bool = False  # whether the rows are in truth the same ones

    def at(self, confidence: Confidence) -> Shares:
        """Both as plain rows at this confidence, by the degrees of freedom of their difference."""
        first, second = (replace(one, degrees=self.degrees).at(confidence) for one in (self.first, self.second))
        return replace(self, first=first, second=second)

    @property
    def pooled(self) -> float:
        """The share of all rows together."""
        return (self.first.hits + self.second.hits) / (self.first.rows + self.second.rows)

    @property
    def degrees(self) -> float:
        """Welch's degrees of freedom of the difference if both shares are equal; infinite for plain rows, or none."""
        if min(self.first.rows, self.second.rows) <= 0:
            return inf
        variances = [1 / one.rows for one in (self.first, self.second)]
        freedom = sum(v**2 / one.degrees for v, one in zip(variances, (self.first, self.second), strict=True))
        return sum(variances) ** 2 / freedom if freedom else inf

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must be said of rows that are not plain ones."""
        return unique(self.first.notes + self.second.notes)

    @property
    def difference(self) -> float:
        return self.first.share - self.second.share


@dataclass(frozen=True, eq=False)
class FewValues:
    """The numbers that a row can give, in order, and how many rows gave each."""

    label: ClassVar[str] = "a mean of few values"
    lacks: ClassVar[str] = "is no mean of what single rows give by their cell of the confusion matrix"

    values: Array
    counts: Array

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.values @ self.counts / self.rows)
