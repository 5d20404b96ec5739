"""A power law through a learning curve: risk = a + b n^-c."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.records.arrays import Array

FAR = 2.0  # times the largest size: beyond, nothing in the data speaks for the curve
FASTEST, SLOWEST = 5.0, 0.02  # exponents that are looked at
LEAST = 4  # sizes: three would be met exactly by almost any curve


@dataclass(frozen=True)
class Projected:
    """What the law says of a size."""

    rows: float
    value: float
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return f"{self.value:.4g} at {self.rows:g} rows" + _below(self.notes)


@dataclass(frozen=True)
class PowerLaw:
    """`a` is where the curve levels off, `c` how fast it gets there."""

    a: float
    b: float
    c: float
    largest: int  # size that was measured
    residual: float  # root of the mean square of what is left over
    notes: tuple[Note, ...] = ()

    def __call__(self, rows: Array | float) -> Array:
        return np.asarray(self.a + self.b * np.asarray(rows, float) ** -self.c)

    def at(self, rows: float) -> Projected:
        """The value at a size, with a caution beyond twice the largest that was measured."""
        if not rows > 0:
            raise BadInput(f"rows is a number larger than 0, not {rows!r}")
        notes = self.notes
        if rows > FAR * self.largest:
            says = f"{rows:g} rows are more than twice the {self.largest} that were measured: a guess, not an estimate"
            notes += (Note("far-beyond", "caution", says),)
        return Projected(rows, float(self(rows)), notes)

    def __str__(self) -> str:
        return self.formula + _below(self.notes)

    @property
    def formula(self) -> str:
        return f"{self.a:.4g} {'+' if self.b >= 0 else '-'} {abs(self.b):.4g} n^-{self.c:.3g}"


def _below(notes: tuple[Note, ...]) -> str:
    """What must be known, under what it is about."""
    return "".join(f"\n  {note}" for note in notes)


def power_law(sizes: Array, values: Array) -> PowerLaw:
    """Least squares: for each exponent a and b are a straight line, so that only the exponent is searched for."""
    from scipy.optimize import minimize_scalar

    if len(sizes) < LEAST:
        raise BadInput(f"a power law has three numbers to find: give at least {LEAST} sizes, not {len(sizes)}")
    if not np.isfinite(values).all():
        raise Refused("a power law needs a value at every size, and some are undefined", "undefined")
    n, y = np.asarray(sizes, float), np.asarray(values, float)
    grid = np.geomspace(SLOWEST, FASTEST, 60)
    left = [_line(n, y, c)[2] for c in grid]
    place = int(np.argmin(left))
    around = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    c = float(minimize_scalar(lambda c: _line(n, y, c)[2], bounds=around, method="bounded").x)
    a, b, rest = _line(n, y, c)
    return PowerLaw(a, b, c, int(n.max()), float(np.sqrt(rest / len(n))), _poor(place, len(grid)))


def _line(n: Array, y: Array, c: float) -> tuple[float, float, float]:
    """Intercept and slope over n^-c, and the sum of squares left over."""
    x = (n / n.min()) ** -c  # scaled, so that tiny powers lose no digits
    slope = float(((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean())))
    level = float(y.mean() - slope * x.mean())
    return level, slope * float(n.min()) ** c, float(((y - level - slope * x) ** 2).sum())


def _poor(place: int, number: int) -> tuple[Note, ...]:
    if 0 < place < number - 1:
        return ()
    says = "these sizes do not determine a power law: its exponent is at the end of what was looked at"
    return (Note("no-power-law", "caution", says),)
