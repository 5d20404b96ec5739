"""Scores of orderings as intervals read them: made linear beside chance, or the area under one ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import ClassVar, NamedTuple

from veracity.core.notes import Note
from veracity.evidence.linear import Linear


class Pull(NamedTuple):
    """How far a score, or one that it is the average of, lies from chance, and the rows of each class."""

    share: float  # of the average
    gap: float  # from the value to what chance gives
    positives: float
    negatives: float
    smaller: float  # rows of the smaller class, of those that the score looks at


@dataclass(frozen=True)
class Ranked:
    """A score of orderings made linear, with what chance would give and the values between which it lies."""

    label: ClassVar[str] = "an ordering"
    lacks: ClassVar[str] = "is no score of an ordering of which chance gives a known value"

    linear: Linear
    pulls: tuple[Pull, ...]
    low: float
    high: float
    values: int  # of the rows, that differ

    @property
    def smaller(self) -> float:
        """Rows of the smaller class, on average over the orderings."""
        return sum(abs(p.share) * p.smaller for p in self.pulls)

    @property
    def degrees(self) -> float:
        """Student's degrees of freedom; the row added to the smaller class makes good for the one that is lost."""
        return min(self.smaller, self.linear.effective)

    @property
    def variance(self) -> float:
        """With the sample variance of the smaller class, which most of it comes from."""
        if self.linear.sampled:
            return self.linear.squares
        return self.linear.squares * self.smaller / (self.smaller - 1) if self.smaller > 1 else nan

    @property
    def flat(self) -> bool:
        """Whether nothing is ordered, or the order does not matter."""
        return self.values < 2 or (self.linear.flat and all(p.gap == 0 for p in self.pulls))

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.linear.notes


@dataclass(frozen=True)
class Area:
    """The area, the rows of each class, and DeLong's variance where the rows are at hand."""

    label: ClassVar[str] = "an ordering"
    lacks: ClassVar[str] = "is not of one ordering of rows here"

    value: float
    positives: float
    negatives: float
    variance: float = nan
    plain: bool = True  # neither weighted nor grouped rows

    @property
    def smaller(self) -> float:
        """Rows of the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def separated(self) -> bool:
        """Whether every row of one class lies above every row of the other."""
        return self.value in (0.0, 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance)
