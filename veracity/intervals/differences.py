"""Intervals for the difference of two accuracies on the same rows."""

from __future__ import annotations

from math import sqrt

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.intervals.binomial import wilson
from veracity.intervals.entry import interval
from veracity.records.interval import Limits
from veracity.records.pairs import Pairs
from veracity.records.proportion import Proportion

PAIRED = ("IID", "FIX", "PAIR")
EXAMPLE = {"both": 60, "first_only": 15, "second_only": 5, "neither": 20, "level": 0.95}


@interval(
    "Newcombe's paired difference (method 10)",
    reads=Pairs,
    answers="difference",
    cite=("newcombe1998paired",),
    assumes=PAIRED,
    known=(Known(EXAMPLE, (0.0120, 0.1866), "theory 6.6"),),
)
def newcombe_paired(pairs: Pairs, at: Confidence) -> Limits:
    """Wilson limits of both accuracies, joined with their correlation."""
    a, b, c, d, m = pairs.both, pairs.first_only, pairs.second_only, pairs.neither, pairs.rows
    first, second = (a + b) / m, (a + c) / m
    one, other = wilson.function(Proportion(a + b, m), at), wilson.function(Proportion(a + c, m), at)
    product = a * d - b * c
    product = max(product - m / 2, 0.0) if product > 0 else product  # this separates method 10 from method 8
    spread = (a + b) * (c + d) * (a + c) * (b + d)
    phi = product / sqrt(spread) if spread > 0 else 0.0

    def reach(x: float, y: float) -> float:
        return sqrt(max(x**2 - 2 * phi * x * y + y**2, 0.0))

    return Limits(
        pairs.difference - reach(first - one.low, other.high - second),
        pairs.difference + reach(one.high - first, second - other.low),
    )
