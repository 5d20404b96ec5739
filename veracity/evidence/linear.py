"""A score made linear: what its rows' influence values say about its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import ClassVar

import numpy as np

from veracity.core.notes import Note
from veracity.evidence.evidence import effective_number
from veracity.records.arrays import Array

LARGEST = 12  # losses among which a gap is looked for
WHOLE = 1 - 1e-9  # a unit that holds this share of the weight holds all of it, rounding aside


@dataclass(frozen=True)
class Linear:
    """A value with the summed powers of the influence values of the independent units behind it."""

    label: ClassVar[str] = "influence values"
    lacks: ClassVar[str] = "has no known influence values"

    value: float
    units: float  # rows, or clusters of rows
    squares: float  # sum over units of (influence / units)^2, centred
    cubes: float
    effective: float = inf  # units of equal weight that would tell as much; no more than there are units
    clustered: bool = False
    weighted: bool = False
    notes: tuple[Note, ...] = ()
    gap: float = 0.0  # the widest among the largest of plain rows, as `widest_gap` has it, where that was looked at

    @classmethod
    def of_moments(cls, value: float, total: float, first: float, second: float, third: float) -> Linear:
        """From powers 0 to 3 of the influence values summed over plain rows."""
        mean = first / total
        squares = (second / total - mean**2) / total
        cubes = (third / total - 3 * mean * second / total + 2 * mean**3) / total**2
        return cls(value, total, squares, cubes)

    @classmethod
    def of_units(cls, value: float, moved: Array, held: Array, clustered: bool, weighted: bool) -> Linear:
        """From what units move the score by and the share of the weight that each holds, parts of the rows by rows.

        The more a unit holds, the more it pulls the value towards itself: its influence is that of leaving it out
        (Tukey's jackknife). The degrees of freedom are those of the parts, averaged by their share of the variance.
        """
        if (held > WHOLE).any():
            return cls(value, moved.shape[1], nan, nan, 1.0, clustered, weighted)
        alone = moved / (1 - held)
        unit = alone[0] if len(alone) == 1 else alone.sum(0)
        of_part = np.einsum("ij,ij->i", alone, alone)
        degrees = np.array([effective_number(share) - 1 for share in held])
        total = of_part.sum()
        found = total / (of_part / degrees).sum() if total > 0 else degrees.min()
        # whole for equal units, whatever rounding does
        effective = 1 + float(np.clip(found, degrees.min(), degrees.sum()))
        squares, cubes = float(unit @ unit), float((unit * unit) @ unit)
        return cls(value, moved.shape[1], squares, cubes, effective, clustered, weighted)

    @property
    def sampled(self) -> bool:
        """Whether units are clusters or weighted rows, for whose number the squares are corrected already."""
        return self.clustered or self.weighted

    @property
    def degrees(self) -> float:
        """Student's degrees of freedom: how well the spread of the units is known."""
        return max(min(self.effective, self.units) - 1, 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(max(self.squares, 0.0))

    @property
    def sample_error(self) -> float:
        """Standard error with the sample variance (divisor one less than the units)."""
        if self.sampled:
            return self.standard_error
        return sqrt(max(self.squares, 0.0) * self.units / (self.units - 1)) if self.units > 1 else nan

    @property
    def flat(self) -> bool:
        """Whether all rows say the same, rounding aside, so that there is no spread to measure."""
        return sqrt(max(self.squares * self.units, 0.0)) <= (1e-9 * abs(self.value) or 1e-12)

    @property
    def skewness(self) -> float:
        """Of the value: that of the units divided by the root of their number."""
        return self.cubes / self.squares**1.5 if self.squares > 0 else 0.0

    @property
    def acceleration(self) -> float:
        """The skewness that the BCa interval corrects for."""
        return self.skewness / 6


def widest_gap(losses: Array) -> float:
    """The widest gap among the largest losses, in what lies between their median and their ninth decile."""
    ranked = np.sort(losses)
    usual = float(np.quantile(ranked, 0.9) - np.median(ranked))
    gap = float(np.diff(ranked[-LARGEST:]).max(initial=0.0))
    if usual > 0:
        return gap / usual
    return inf if gap > 0 else 0.0
