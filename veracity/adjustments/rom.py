"""Rom's critical values, exact for independent p-values, and the adjusted p-values they give."""

from __future__ import annotations

import numpy as np

from veracity.adjustments.entry import adjustment
from veracity.adjustments.family import Family, step_up
from veracity.adjustments.single import chance_of_any
from veracity.core.errors import BadInput
from veracity.kernels.recursions import rom_critical_values
from veracity.records.arrays import Array

STRETCHES = ((0.0, 5.0), (5.0, 20.0))  # of -log(1 - level)
POINTS, STEPS = 60, 12  # of a polynomial on one stretch, and of Newton's method on it
COMPILED_FROM = 60  # p-values: below this, compiling would take longer than the loop itself


@adjustment("Rom", cite=("rom1990",), assumes=("SIMES",))
def rom(family: Family, *, alpha: float | None = None) -> Array:
    """Step-up with critical values that use the whole level when p-values are independent.

    The adjusted value is the smallest level at which the hypothesis is rejected. With `alpha`, the critical values of
    that one level are used, and a p-value is multiplied by alpha over its critical value.
    """
    p = family.ascending
    if alpha is None:
        return step_up(family, _levels(p))
    return step_up(family, p * alpha / critical_values(family.size, alpha))


def critical_values(size: int, alpha: float) -> Array:
    """The critical value of each sorted p-value, the smallest first."""
    if not 0 < alpha < 1:
        raise BadInput(f"rom: alpha is a level between 0 and 1, such as 0.05, not {alpha!r}")
    return _from_largest(size, alpha)[::-1]


def _from_largest(size: int, alpha: float) -> Array:
    run = rom_critical_values.function if size < COMPILED_FROM else rom_critical_values.compiled
    found: Array = run(float(alpha), np.empty(size))
    return found


def _levels(p: Array) -> Array:
    """For each sorted p-value the smallest level that rejects it, where that is below those of all larger ones."""
    return _one_by_one(p) if len(p) < COMPILED_FROM else _all_at_once(p)


def _one_by_one(p: Array, down_to: float = 0.0) -> Array:
    """By solving for each, from the largest on, until the level is `down_to`; those that follow stay there."""
    level = float(p[-1])
    found = np.full(len(p), level)
    values = _from_largest(len(p), level)
    for place in range(2, len(p) + 1):  # from the largest
        own = float(p[-place])
        if own < values[place - 1] or own == 0:
            level = _solved(own, place, level)
            values = _from_largest(len(p), level)
        found[-place] = level
        if level < down_to:
            found[:-place] = level
            break
    return found


def _all_at_once(p: Array) -> Array:
    """By polynomials in s = -log(1 - level), one for each place and stretch of s; what lies beyond is done one by one.

    A critical value c at place i is nearly 1 - exp(-s/i). What is left, -i log(1 - c) / s, is so smooth in s that 60
    points give the level to 12 digits.
    """
    places = np.arange(len(p), 0, -1)
    with np.errstate(divide="ignore"):
        wanted = -places * np.log1p(-p)
    found = np.full(len(p), np.inf)
    for low, high in STRETCHES:
        inside = _inside(wanted, places, low, high)
        found = np.where(np.isinf(found), inside, found)
    beyond = np.isinf(found)
    return np.where(beyond, _one_by_one(p, -np.expm1(-high)) if beyond.any() else 1.0, -np.expm1(-found))


def _inside(wanted: Array, places: Array, low: float, high: float) -> Array:
    """The s at which each place has its critical value, by Newton's method; infinite where it is above `high`."""
    from numpy.polynomial.chebyshev import chebder, chebval

    angles = np.pi * (np.arange(POINTS) + 0.5) / POINTS
    half = (high - low) / 2
    s = low + half * (1 + np.cos(angles))
    left = np.array([places * -np.log1p(-_from_largest(len(places), -np.expm1(-x))[::-1]) / x for x in s])
    polynomials = 2 / POINTS * np.cos(np.outer(np.arange(POINTS), angles)) @ left
    polynomials[0] /= 2
    slopes = chebder(polynomials) / half
    found = np.clip(wanted, low, high)
    for _ in range(STEPS):
        x = (found - low) / half - 1
        ratio = chebval(x, polynomials, tensor=False)
        step = (found * ratio - wanted) / (ratio + found * chebval(x, slopes, tensor=False))
        found = np.clip(found - step, low, high)
    return np.where(found < high, found, np.inf)


def _solved(p: float, place: int, above: float) -> float:
    """The level whose critical value at this place from the largest is p: between those of sidak and hochberg."""
    from scipy.optimize import brentq

    def excess(level: float) -> float:
        return float(_from_largest(place, level)[-1]) - p

    low, high = float(chance_of_any(np.asarray(p), place)), min(place * p, above)
    if p == 0 or excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else float(brentq(excess, low, high, xtol=1e-300, rtol=1e-14))
