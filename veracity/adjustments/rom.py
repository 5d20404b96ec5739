"""Rom's critical values, exact for independent p-values, and the adjusted p-values they give."""

from __future__ import annotations

import numpy as np

from veracity.adjustments.entry import adjustment
from veracity.adjustments.family import Family, stepped_up
from veracity.adjustments.single import raised
from veracity.core.errors import BadInput
from veracity.kernels.rom import critical
from veracity.records.arrays import Array

COMPILED_FROM = 60  # p-values: below this, compiling would take longer than the loop itself


@adjustment("Rom", cite=("rom1990",), assumes=("SIMES",))
def rom(family: Family, *, alpha: float | None = None) -> Array:
    """Step-up with critical values that use the whole level when p-values are independent.

    The adjusted value is the smallest level at which the hypothesis is rejected. With `alpha`, the critical values of
    that one level are used, and a p-value is multiplied by alpha over its critical value.
    """
    p = family.ascending
    if alpha is None:
        return stepped_up(family, _levels(p))
    return stepped_up(family, p * alpha / critical_values(family.size, alpha))


def critical_values(size: int, alpha: float) -> Array:
    """The critical value of each sorted p-value, the smallest first."""
    if not 0 < alpha < 1:
        raise BadInput(f"rom: alpha is a level between 0 and 1, such as 0.05, not {alpha!r}")
    return _from_largest(size, alpha)[::-1]


def _from_largest(size: int, alpha: float) -> Array:
    run = critical.function if size < COMPILED_FROM else critical.compiled
    found: Array = run(float(alpha), np.empty(size))
    return found


def _levels(p: Array) -> Array:
    """For each sorted p-value the smallest level that rejects it, where that is below those of all larger ones."""
    level = float(p[-1])
    found = np.full(len(p), level)
    values = _from_largest(len(p), level)
    for place in range(2, len(p) + 1):  # from the largest
        own = float(p[-place])
        if own < values[place - 1]:
            level = _solved(own, place, level)
            values = _from_largest(len(p), level)
        found[-place] = level
    return found


def _solved(p: float, place: int, above: float) -> float:
    """The level whose critical value at this place from the largest is p: between those of sidak and hochberg."""
    from scipy.optimize import brentq

    def excess(level: float) -> float:
        return float(_from_largest(place, level)[-1]) - p

    low, high = float(raised(np.asarray(p), place)), min(place * p, above)
    if p == 0 or excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else float(brentq(excess, low, high, xtol=1e-300, rtol=1e-14))
