"""Intervals for the difference of two accuracies on the same rows."""

from __future__ import annotations

from math import sqrt

from veracity.core.confidence import Confidence
from veracity.intervals.binomial import wilson
from veracity.records.interval import Limits
from veracity.records.pairs import Pairs
from veracity.records.proportion import Proportion


def newcombe_paired(pairs: Pairs, at: Confidence) -> Limits:
    """Newcombe's method 10: Wilson limits of both accuracies, joined with their correlation."""
    a, b, c, d, m = pairs.both, pairs.first_only, pairs.second_only, pairs.neither, pairs.rows
    first, second = (a + b) / m, (a + c) / m
    low1, high1, _ = wilson.function(Proportion(a + b, m), at)
    low2, high2, _ = wilson.function(Proportion(a + c, m), at)
    product = a * d - b * c
    product = max(product - m / 2, 0.0) if product > 0 else product  # this separates method 10 from method 8
    spread = (a + b) * (c + d) * (a + c) * (b + d)
    phi = product / sqrt(spread) if spread > 0 else 0.0

    def reach(one: float, other: float) -> float:
        return sqrt(max(one**2 - 2 * phi * one * other + other**2, 0.0))

    return Limits(
        pairs.difference - reach(first - low1, high2 - second), pairs.difference + reach(high1 - first, second - low2)
    )
