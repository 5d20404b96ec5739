"""Hall's cubic: it takes the skewness out of Student's ratio of a mean, and puts it back."""

from __future__ import annotations

from math import cbrt


def straightened(t: float, skewness: float) -> float:
    """A ratio whose law is nearly Student's, from that of a mean which has some skewness."""
    a = skewness / 3
    return t + a * t**2 + a**2 * t**3 / 3 + a / 2


def bent(t: float, skewness: float) -> float:
    """The ratio of the mean that is straightened to t: the cubic is (1 + a t)^3 in disguise, so it has one root."""
    a = skewness / 3
    away = t - a / 2
    root = cbrt(1 + 3 * a * away)
    return 3 * away / (root**2 + root + 1)
