"""Where a function of one number crosses 0: Brent's method, which needs no more than two ends on different sides."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan

from veracity.core.errors import BadInput

STEPS = 5_000  # halving alone takes fewer between any two numbers
RELATIVE = 4 * 2.0**-52


def root(
    function: Callable[[float], float], low: float, high: float, xtol: float = 1e-12, rtol: float = RELATIVE
) -> float:
    """Between two ends, to `xtol` or to the share `rtol` of itself, whichever is wider.

    scipy.optimize's brentq takes the same steps; loading it takes longer than most commands do.
    """
    last, best = low, high
    at_last, at_best = _value(function, last), _value(function, best)
    if at_last == 0:
        return last
    if at_best == 0:
        return best
    if (at_last > 0) == (at_best > 0):
        raise BadInput(f"no root between {low!r} and {high!r}: the function has the same sign at both")
    other, at_other, step, before = last, at_last, best - last, best - last
    for _ in range(STEPS):
        if (at_other > 0) == (at_best > 0):
            other, at_other, step, before = last, at_last, best - last, best - last
        if abs(at_other) < abs(at_best):
            last, best, other = best, other, best
            at_last, at_best, at_other = at_best, at_other, at_best
        enough = (xtol + rtol * abs(best)) / 2
        half = (other - best) / 2
        if at_best == 0 or abs(half) < enough:
            return best
        guess = _interpolated(last, best, other, at_last, at_best, at_other) if abs(at_best) < abs(at_last) else half
        if abs(before) > enough and 2 * abs(guess) < min(abs(before), 3 * abs(half) - enough):
            before, step = step, guess
        else:
            before = step = half
        last, at_last = best, at_best
        best += step if abs(step) > enough else (enough if half > 0 else -enough)
        at_best = _value(function, best)
    raise BadInput(f"no root between {low!r} and {high!r} was found to {xtol!r} or the share {rtol!r} in {STEPS} steps")


def _value(function: Callable[[float], float], at: float) -> float:
    value = float(function(at))
    if isnan(value):
        raise BadInput(f"a function that is not defined at {at!r} has no root that can be found")
    return value


def _interpolated(last: float, best: float, other: float, at_last: float, at_best: float, at_other: float) -> float:
    """The step from `best` to where a line, or an inverse parabola through three points, crosses 0."""
    if last == other:
        return -at_best * (best - last) / (at_best - at_last)
    of_last, of_other = (at_last - at_best) / (last - best), (at_other - at_best) / (other - best)
    slope = of_other * of_last * (at_other - at_last)
    return -at_best * (at_other * of_other - at_last * of_last) / slope if slope else inf  # too small: halve instead
