"""Tails of the normal law and of Student's, to full precision far out, where one less the law has none left."""

from __future__ import annotations

from math import erfc, sqrt


def above(z: float) -> float:
    """Chance that a normal number is larger than z."""
    return erfc(z / sqrt(2)) / 2


def two_sided(z: float) -> float:
    """Chance that it is at least as far from 0 as z."""
    return erfc(abs(z) / sqrt(2))


def two_sided_student(t: float, df: float) -> float:
    """The same of Student's law with `df` degrees of freedom."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))
