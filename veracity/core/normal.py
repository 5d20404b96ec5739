"""Tails of the normal law and of Student's, to full precision far out, where one less the law has none left."""

from __future__ import annotations

from functools import cache, lru_cache
from math import erfc, sqrt
from typing import Any

NODES = 801
FARTHEST = 9.0  # standard deviations: 1e-19 lies beyond


def above(z: float) -> float:
    """Chance that a normal number is larger than z."""
    return erfc(z / sqrt(2)) / 2


def two_sided(z: float) -> float:
    """Chance that it is at least as far from 0 as z."""
    return erfc(abs(z) / sqrt(2))


def below_noncentral(t: float, df: float, shift: float) -> float:
    """Chance that a noncentral t with this shift is at most t: a mean over its denominator.

    scipy's is NaN, or never ends, for some large shifts.
    """
    from scipy.special import ndtr

    scales, weights = student_scales(df)
    return float(weights @ ndtr(t * scales - shift))


@lru_cache(maxsize=32)
def student_scales(df: float) -> Any:
    """Values of the denominator of Student's t, its root mean square being 1, and their chances."""
    import numpy as np
    from scipy.special import gammainccinv, gammaincinv, ndtr

    places, weights = _nodes()
    lower, upper = gammaincinv(df / 2, ndtr(places)), gammainccinv(df / 2, ndtr(-places))
    return np.sqrt(2 * np.where(places < 0, lower, upper) / df), weights


@cache
def _nodes() -> Any:
    """Equal steps of a standard normal deviate, at whose quantile the denominator is taken, and their chances.

    The integrand is smooth and dies out at both ends, where equal steps are exact to all digits. Over the quantile
    itself the denominator has infinite slopes there, which cost all but six.
    """
    import numpy as np

    places = np.linspace(-FARTHEST, FARTHEST, NODES)
    chances = np.exp(-(places**2) / 2)
    return places, chances / chances.sum()
