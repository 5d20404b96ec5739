"""Intervals for a share of rows from the binomial law itself."""

from __future__ import annotations

from collections.abc import Callable

from veracity.core.confidence import Confidence
from veracity.core.notes import refuse
from veracity.evidence.proportion import Proportion
from veracity.findings.interval import Limits
from veracity.intervals.binomial import NEWCOMBE, NO_ROWS, share, upper
from veracity.intervals.entry import interval

WHOLE = refuse(
    "fractional-counts", "blaker enumerates whole rows, not weighted ones: use clopper_pearson", lambda p: not p.whole
)


def mirrored(lower: Callable[[float, float, float], float], p: Proportion, tail: float) -> Limits:
    """Both limits from a rule for the lower one: hits and misses change places."""
    return Limits(lower(p.hits, p.rows, tail), 1 - lower(p.misses, p.rows, tail))


@interval(
    "Clopper-Pearson",
    reads=Proportion,
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS,),
    known=(
        share(12, 40, 0.1656, 0.4653),
        share(15, 148, 0.0578, 0.1617, NEWCOMBE),
        share(0, 20, 0.0, 0.1684, NEWCOMBE),
        share(1, 29, 0.0009, 0.1776, NEWCOMBE),
        upper(8, 100, 0.1397),
    ),
)
def clopper_pearson(p: Proportion, at: Confidence) -> Limits:
    """The shares that neither one-sided binomial test rejects; covers at least as often as its level says."""
    return mirrored(at_least, p, at.tail)


def at_least(hits: float, rows: float, tail: float) -> float:
    """The share under which so many hits or more have the probability `tail`."""
    from scipy.special import betaincinv

    return float(betaincinv(hits, rows - hits + 1, tail)) if hits > 0 else 0.0


@interval(
    "Mid-p",
    reads=Proportion,
    cite=("newcombe1998",),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS,),
    known=(
        share(12, 40, 0.1738, 0.4542),
        share(81, 263, 0.2544, 0.3658, NEWCOMBE),
        share(15, 148, 0.0601, 0.1581, NEWCOMBE),
        share(0, 20, 0.0, 0.1391, NEWCOMBE),
        share(1, 29, 0.0017, 0.1585, NEWCOMBE),
        share(5, 20, 0.098, 0.470, "Berry and Armitage 1995", 3),
        share(4, 10, 0.142, 0.709, "Agresti and Gottard 2001", 3),
    ),
)
def mid_p(p: Proportion, at: Confidence) -> Limits:
    """As Clopper-Pearson, but the observed number of hits counts half; near its level, slightly below in places."""
    return mirrored(_mid, p, at.tail)


def _mid(hits: float, rows: float, tail: float) -> float:
    if hits <= 0:
        return 0.0
    if hits >= rows:
        return float((2 * tail) ** (1 / rows)) if 2 * tail < 1 else 1.0
    from scipy.optimize import brentq
    from scipy.special import betainc

    def excess(q: float) -> float:
        return float(betainc(hits, rows - hits + 1, q) + betainc(hits + 1, rows - hits, q)) / 2 - tail

    return float(brentq(excess, 0.0, 1.0, xtol=1e-15, rtol=1e-13))


@interval(
    "Jeffreys",
    reads=Proportion,
    cite=("brown2001",),
    assumes=("IID", "FIX", "PRIOR"),
    limits=(NO_ROWS,),
    known=(
        share(12, 40, 0.1756, 0.4522),
        share(0, 20, 0.0, 0.1166),
        share(1, 29, 0.0037, 0.1501),
        upper(8, 100, 0.1336),
    ),
)
def jeffreys(p: Proportion, at: Confidence) -> Limits:
    """Equal tails of the posterior under Jeffreys' prior, reaching 0 or 1 where all rows are alike."""
    return mirrored(_posterior, p, at.tail)


def _posterior(hits: float, rows: float, tail: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(hits + 0.5, rows - hits + 0.5, tail)) if hits > 0 else 0.0


@interval(
    "Blaker",
    reads=Proportion,
    cite=("blaker2000",),
    assumes=("IID", "FIX"),
    limits=(NO_ROWS, WHOLE),
    known=(
        share(12, 40, 0.1672, 0.4616),
        share(2, 123, 0.0029, 0.0575, "Lecoutre and Poitevineau 2016"),
        share(131, 134, 0.935973, 0.993871, "Klaschka 2010", 6),
    ),
)
def blaker(p: Proportion, at: Confidence) -> Limits:
    """All shares under which what was seen is not among the least likely outcomes; exact, inside Clopper-Pearson.

    A one-sided bound is a limit of the two-sided interval with twice the miss.
    """
    return mirrored(_acceptable, p, at.tail)


def _acceptable(hits: float, rows: float, tail: float) -> float:
    """The smallest acceptable share.

    From Clopper-Pearson's limit upwards, P(X >= hits) plus the lower tail that is no larger stays at most 2 tail until
    either that sum rises through it, or the next outcome joins the lower tail: at that point the sum is twice
    P(X >= hits), which is more. So the first stretch holds the limit.
    """
    if hits <= 0:
        return 0.0
    from scipy.optimize import brentq
    from scipy.special import bdtr, bdtrc

    start = at_least(hits, rows, tail)
    joined = _lower_outcomes(hits, rows, start, tail)

    def gap(q: float) -> float:  # positive while the next outcome is still likelier than the upper tail
        return float(bdtr(joined + 1, int(rows), q) - bdtrc(hits - 1, int(rows), q))

    def surplus(q: float) -> float:
        below = bdtr(joined, int(rows), q) if joined >= 0 else 0.0
        return float(below + bdtrc(hits - 1, int(rows), q)) - 2 * tail

    end = 1.0 if gap(1.0) > 0 else float(brentq(gap, start, 1.0, xtol=1e-15, rtol=1e-13))
    if surplus(end) <= 0:
        return end
    return float(brentq(surplus, start, end, xtol=1e-15, rtol=1e-13)) if surplus(start) < 0 else start


def _lower_outcomes(hits: float, rows: float, share: float, tail: float) -> int:
    """The largest outcome whose lower tail is no likelier than `tail`; -1 where there is none."""
    from scipy.special import bdtr

    low, high = -1, int(hits)
    while high - low > 1:
        middle = (low + high) // 2
        if bdtr(middle, int(rows), share) <= tail * (1 + 1e-10):
            low = middle
        else:
            high = middle
    return low
