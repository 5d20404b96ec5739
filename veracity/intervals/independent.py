"""Intervals for the difference of two shares of different rows."""

from __future__ import annotations

from math import hypot, sqrt

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.notes import caution, refuse
from veracity.evidence.proportion import Shares
from veracity.findings.interval import Limits
from veracity.intervals.binomial import wilson
from veracity.intervals.entry import interval

INDEPENDENT = ("IID", "FIX")
EXAMPLE = {"hits": (12, 20), "rows": (40, 50), "level": 0.95}
RESOLVED = {"hits": (170, 200), "rows": (1000, 1000), "level": 0.95}
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
    "Wald of the difference",
    reads=Shares,
    answers="difference",
    cite=("newcombe1998difference",),
    assumes=(*INDEPENDENT, "NORM", "BIG"),
    limits=(NO_ROWS, SAME_ROWS, ZERO_WIDTH, FEW_HITS),
    known=(Known(EXAMPLE, (-0.2965, 0.0965)),),
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
    known=(
        Known(EXAMPLE, (-0.2825, 0.0979)),
        Known(RESOLVED, (-0.0640, 0.0041)),
    ),
)
def newcombe(s: Shares, at: Confidence) -> Limits:
    """Distances of the Wilson limits of both shares, squared and added; good down to few rows."""
    first, second = s.first.share, s.second.share
    one, other = wilson.function(s.first, at), wilson.function(s.second, at)
    return Limits(
        s.difference - hypot(first - one.low, other.high - second),
        s.difference + hypot(one.high - first, second - other.low),
    )
