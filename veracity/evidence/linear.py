"""A score made linear: what its rows' influence values say about its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from veracity.core.notes import Note


@dataclass(frozen=True)
class Linear:
    """A value with the summed powers of the influence values of the independent units behind it."""

    label: ClassVar[str] = "influence values"
    lacks: ClassVar[str] = "has no known influence values"

    value: float
    units: float  # rows, or clusters of rows
    squares: float  # sum over units of (influence / units)^2, centred
    cubes: float
    clustered: bool = False
    weighted: bool = False
    notes: tuple[Note, ...] = ()

    @classmethod
    def of_moments(cls, value: float, total: float, first: float, second: float, third: float) -> Linear:
        """From powers 0 to 3 of the influence values summed over plain rows."""
        mean = first / total
        squares = (second / total - mean**2) / total
        cubes = (third / total - 3 * mean * second / total + 2 * mean**3) / total**2
        return cls(value, total, squares, cubes)

    @property
    def variance(self) -> float:
        """Plug-in variance, with the usual correction where units are clusters."""
        return self.squares * (self.units / (self.units - 1) if self.clustered and self.units > 1 else 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(max(self.variance, 0.0))

    @property
    def sample_error(self) -> float:
        """Standard error with the sample variance (divisor one less than the units)."""
        return sqrt(max(self.squares, 0.0) * self.units / (self.units - 1)) if self.units > 1 else float("nan")

    @property
    def flat(self) -> bool:
        """Whether all rows say the same, rounding aside, so that there is no spread to measure."""
        return sqrt(max(self.squares * self.units, 0.0)) <= (1e-9 * abs(self.value) or 1e-12)

    @property
    def acceleration(self) -> float:
        """The skewness that the BCa interval corrects for."""
        return self.cubes / (6 * self.squares**1.5) if self.squares > 0 else 0.0
