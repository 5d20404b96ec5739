"""Confidence intervals of the difference of two proportions, paired or independent."""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.distributions import root
from veracity.core.notes import caution, refuse
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.evidence.same_rows import Pairs
from veracity.findings.interval import Limits
from veracity.intervals import interval
from veracity.intervals.proportions import wilson

PAIRED = ("IID", "FIX", "PAIR")
INDEPENDENT = ("IID", "FIX")
OF_PAIRS: dict[str, Any] = {"reads": Pairs, "answers": "difference", "assumes": PAIRED}
NEVER_DISAGREE = refuse(
    "zero-width",
    "the models never disagree, so its width would be 0: use tango or bonett_price",
    lambda pairs: pairs.discordant == 0,
)
NOT_TOLD_APART = refuse(
    "not-told-apart",
    "it needs the rows that both models got right apart from those that neither did, give "
    "`both=`: or use tango or bonett_price",
    lambda pairs: not pairs.told_apart,
)
SAME_ROWS = refuse(
    "same-rows",
    "both models were tried on the same rows, or some of them, which this takes for different ones: use mcnemar_midp"
    " and its interval",
    lambda s: s.same,
)
NO_ROWS = refuse(
    "no-rows", "there is no row to count for one of the models", lambda s: min(s.first.rows, s.second.rows) <= 0
)
ZERO_WIDTH = refuse(
    "zero-width",
    "the rows of each model are all alike, so its width would be 0: use newcombe",
    lambda s: all(min(p.hits, p.misses) <= 0 for p in (s.first, s.second)),
)
FEW_HITS = caution(
    "few-hits",
    "fewer than 10 rows of one kind: the normal approximation is poor, use newcombe",
    lambda s: min(s.first.hits, s.first.misses, s.second.hits, s.second.misses) < 10,
)


@interval(
    "Wald of the paired difference",
    reads=Pairs,
    answers="difference",
    cite=("newcombe1998paired",),
    assumes=(*PAIRED, "NORM", "BIG"),
    limits=(NEVER_DISAGREE,),
)
def paired_wald(pairs: Pairs, at: Confidence) -> Limits:
    """Difference plus or minus a normal quantile times its standard error; kept for teaching and comparison."""
    b, c, m = pairs.first_only, pairs.second_only, pairs.rows
    half = at.z / m * sqrt(b + c - (b - c) ** 2 / m)
    return Limits(pairs.difference - half, pairs.difference + half)


@interval(
    "Newcombe's paired difference (method 10)", **OF_PAIRS, cite=("newcombe1998paired",), limits=(NOT_TOLD_APART,)
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


@interval("Tango's score interval of the paired difference", **OF_PAIRS, cite=("tango1998",))
def tango(pairs: Pairs, at: Confidence) -> Limits:
    """The differences that a score test at this level would not reject; also where the models never disagree."""
    return score_limits(pairs, at.z)


def score_limits(pairs: Pairs, z: float, continuity: float = 0.0) -> Limits:
    """Tango's limits, after so many rows were taken off the distance between what was counted and expected."""

    def largest(pairs: Pairs) -> float:
        """Return the largest difference that is not rejected."""
        b, c, m = pairs.first_only, pairs.second_only, pairs.rows

        def excess(difference: float) -> float:
            slope = (2 * m - b + c) * difference - b - c
            free = (sqrt(max(slope**2 + 8 * m * c * difference * (1 - difference), 0.0)) - slope) / (4 * m)
            spread = m * (2 * free + difference * (1 - difference))
            return b - c - m * difference + continuity + z * sqrt(max(spread, 0.0))

        if excess(1.0) >= 0:
            return 1.0
        above = pairs.difference + 1e-12  # at the difference itself lies a second root where the models never disagree
        return root(excess, above, 1.0, xtol=1e-14)

    return Limits(-largest(pairs.swap()), largest(pairs))  # the smallest is that of the models in the other order


@interval("Bonett and Price's adjusted Wald of the paired difference", **OF_PAIRS, cite=("bonett2012",))
def bonett_price(pairs: Pairs, at: Confidence) -> Limits:
    """Wald's interval after adding one row to each of the two kinds on which the models disagree."""
    first, second = (pairs.first_only + 1) / (pairs.rows + 2), (pairs.second_only + 1) / (pairs.rows + 2)
    centre = first - second
    half = at.z * sqrt((first + second - centre**2) / (pairs.rows + 2))
    return Limits(centre - half, centre + half)


@interval(
    "Wald of the difference",
    reads=Shares,
    answers="difference",
    cite=("newcombe1998difference",),
    assumes=(*INDEPENDENT, "NORM", "BIG"),
    limits=(NO_ROWS, SAME_ROWS, ZERO_WIDTH, FEW_HITS),
)
def wald_difference(s: Shares, at: Confidence) -> Limits:
    """Difference plus or minus a normal quantile times its standard error; kept for teaching and comparison."""
    half = at.z * sqrt(sum(p.share * (1 - p.share) / p.rows for p in (s.first, s.second)))
    return Limits(s.difference - half, s.difference + half)


@interval(
    "Newcombe's difference (hybrid score)",
    reads=Shares,
    answers="difference",
    cite=("newcombe1998difference",),
    assumes=INDEPENDENT,
    limits=(NO_ROWS, SAME_ROWS),
)
def newcombe(s: Shares, at: Confidence) -> Limits:
    """Distances of the Wilson limits of both shares, squared and added; good down to few rows."""
    first, second = s.first.share, s.second.share
    one, other = wilson.function(s.first, at), wilson.function(s.second, at)
    return Limits(
        s.difference - hypot(first - one.low, other.high - second),
        s.difference + hypot(one.high - first, second - other.low),
    )
