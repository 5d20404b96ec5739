"""Confidence intervals of a binomial proportion, and of the difference of two, paired or independent."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from math import hypot, nan, sqrt
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.distributions import beta_quantile, root, share_of_at_least
from veracity.core.errors import BadInput
from veracity.core.notes import Limit, caution, check, refuse
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.evidence.same_rows import Pairs
from veracity.findings.interval import Limits
from veracity.intervals import interval


def few_hits(instead: str, rarer: Callable[[Any], float]) -> Limit:
    """Return the condition that few rows are of one kind, with the interval to use instead."""
    says = f"fewer than 10 rows of one kind: the normal approximation is poor, use {instead}"
    return caution("few-hits", says, lambda evidence: rarer(evidence) < 10)


NO_ROWS = refuse("no-rows", "there is no row to count: an interval needs at least one", lambda p: p.rows <= 0)
ONE_ROW = refuse("one-row", "one row has no standard error: use wilson or clopper_pearson", lambda p: p.rows < 2)
ZERO_WIDTH = refuse(
    "zero-width", "all rows are alike, so its width would be 0: use wilson or clopper_pearson", lambda p: p.rarer <= 0
)
FEW_HITS = few_hits("wilson", lambda p: p.rarer)
WHOLE = refuse(
    "fractional-counts", "blaker enumerates whole rows, not weighted ones: use clopper_pearson", lambda p: not p.whole
)
OF_A_SHARE: dict[str, Any] = {"reads": Proportion, "assumes": ("IID", "FIX"), "limits": (NO_ROWS,)}
POSTERIOR_OF_A_SHARE = {**OF_A_SHARE, "assumes": ("IID", "FIX", "PRIOR")}


def mirror(lower: Callable[[float, float, float], float], p: Proportion, tail: float) -> Limits:
    """Return both limits from a rule for the lower one where there are hits, in which hits and misses change places."""
    low, high = (lower(hits, p.rows, tail) if hits > 0 else 0.0 for hits in (p.hits, p.misses))
    return Limits(low, 1 - high)


@interval(
    "Wald",
    reads=Proportion,
    cite=("newcombe1998",),
    assumes=("IID", "FIX", "NORM", "BIG"),
    limits=(NO_ROWS, ZERO_WIDTH, FEW_HITS),
)
def wald(p: Proportion, at: Confidence, *, divisor: str = "m") -> Limits:
    """Share plus or minus a normal quantile times its standard error; kept for teaching and comparison.

    `divisor="m-1"` divides the variance by one less than the number of rows.
    """
    if divisor not in ("m", "m-1"):
        raise BadInput(f"wald: divisor is 'm' or 'm-1', not {divisor!r}")
    of = p.rows if divisor == "m" else p.rows - 1
    return Limits.plus_minus(p.share, at.z * sqrt(p.share * (1 - p.share) / of))


@interval(
    "Student t of a share",
    reads=Proportion,
    cite=("student1908",),
    assumes=("IID", "FIX", "NORM"),
    limits=(NO_ROWS, ONE_ROW, ZERO_WIDTH, FEW_HITS),
)
def student_t(p: Proportion, at: Confidence) -> Limits:
    """Share plus or minus a Student quantile with one degree less than rows; exact only for normal losses."""
    if not p.rows > 1:
        return Limits(nan, nan)
    return Limits.plus_minus(p.share, at.t(p.rows - 1) * sqrt(p.share * (1 - p.share) / (p.rows - 1)))


@interval("Wilson", **OF_A_SHARE, cite=("wilson1927", "korn1998"))
def wilson(p: Proportion, at: Confidence) -> Limits:
    """The shares that a score test at this level would not reject.

    Weighted or grouped rows count as the plain rows with the same variance, and Student's quantile, with one degree
    less than groups or rows in effect, stands for the normal one.
    """
    below, above = wilson_limits(p.hits, p.rows, at.z)
    return Limits(below if p.hits > 0 else 0.0, above if p.misses > 0 else 1.0)  # exact there, rounding aside


def wilson_limits(hits: Any, rows: Any, z: float) -> tuple[Any, Any]:
    """Return Wilson's limits of one share, or of an array of them."""
    share, extra = hits / rows, z**2 / rows
    centre, half = share + extra / 2, (share * (1 - share) * extra + extra**2 / 4) ** 0.5
    return (centre - half) / (1 + extra), (centre + half) / (1 + extra)


@interval("Wilson with continuity correction", **OF_A_SHARE, cite=("newcombe1998",))
def wilson_cc(p: Proportion, at: Confidence) -> Limits:
    """Wilson's interval made wider by half a row on each side; conservative."""

    def lower(hits: float, m: float, z: float) -> float:
        inside = z**2 - 2 - 1 / m + 4 * (hits / m) * (m - hits + 1)
        return max(0.0, (2 * hits + z**2 - 1 - z * sqrt(max(inside, 0.0))) / (2 * (m + z**2)))

    return mirror(lower, p, at.z)


@interval("Agresti-Coull", **OF_A_SHARE, cite=("agresti1998",))
def agresti_coull(p: Proportion, at: Confidence) -> Limits:
    """Wald's interval after adding half a squared normal quantile to the rows of each kind."""
    rows = p.rows + at.z**2
    q = (p.hits + at.z**2 / 2) / rows
    return Limits.plus_minus(q, at.z * sqrt(q * (1 - q) / rows))


@interval("Clopper-Pearson", **OF_A_SHARE, cite=("clopper1934",))
def clopper_pearson(p: Proportion, at: Confidence) -> Limits:
    """The shares that neither one-sided binomial test rejects; covers at least as often as its level says."""
    return mirror(share_of_at_least, p, at.tail)


@interval("Mid-p", **OF_A_SHARE, cite=("newcombe1998",))
def mid_p(p: Proportion, at: Confidence) -> Limits:
    """As Clopper-Pearson, but the observed number of hits counts half; near its level, slightly below in places."""
    from scipy.special import betainc

    def lower(hits: float, rows: float, tail: float) -> float:
        if hits >= rows:
            return float((2 * tail) ** (1 / rows)) if 2 * tail < 1 else 1.0

        def excess(q: float) -> float:
            return float(betainc(hits, rows - hits + 1, q) + betainc(hits + 1, rows - hits, q)) / 2 - tail

        return root(excess, 0.0, 1.0, xtol=1e-15, rtol=1e-13)

    return mirror(lower, p, at.tail)


@interval("Jeffreys", **POSTERIOR_OF_A_SHARE, cite=("brown2001",))
def jeffreys(p: Proportion, at: Confidence) -> Limits:
    """Equal tails of the posterior under Jeffreys' prior, reaching 0 or 1 where all rows are alike."""

    return mirror(lambda hits, rows, tail: beta_quantile(hits + 0.5, rows - hits + 0.5, tail), p, at.tail)


@interval("Blaker", **{**OF_A_SHARE, "limits": (NO_ROWS, WHOLE)}, cite=("blaker2000",))
def blaker(p: Proportion, at: Confidence) -> Limits:
    """All shares under which what was seen is not among the least likely outcomes; exact, inside Clopper-Pearson.

    A one-sided bound is a limit of the two-sided interval with twice the miss.
    """
    return mirror(_blaker_lower, p, at.tail)


def chance_at_most(hits: float, rows: float, share: float) -> float:
    """Return the probability of so many hits or fewer, by the beta law: scipy's binomial one ends at 2^31 rows."""
    from scipy.special import betaincc

    if hits < 0 or hits >= rows:
        return float(hits >= rows)
    return float(betaincc(hits + 1, rows - hits, share))


def _blaker_lower(hits: float, rows: float, tail: float) -> float:
    """Return the smallest acceptable share.

    From Clopper-Pearson's limit upwards, P(X >= hits) plus the lower tail that is no larger stays at most 2 tail until
    either that sum rises through it, or the next outcome joins the lower tail: at that point the sum is twice
    P(X >= hits), which is more. So the first stretch holds the limit.
    """
    from scipy.special import betainc

    start = share_of_at_least(hits, rows, tail)
    # the largest outcome whose lower tail is no likelier than `tail`; -1 where there is none
    bound = tail * (1 + 1e-10)
    joined = bisect_left(range(int(hits)), True, key=lambda outcome: chance_at_most(outcome, rows, start) > bound) - 1

    def gap(q: float) -> float:  # positive while the next outcome is still likelier than the upper tail
        return chance_at_most(joined + 1, rows, q) - float(betainc(hits, rows - hits + 1, q))

    def surplus(q: float) -> float:
        return chance_at_most(joined, rows, q) + float(betainc(hits, rows - hits + 1, q)) - 2 * tail

    if gap(start) <= 0:  # by rounding alone: it joins here
        return start
    end = 1.0 if gap(1.0) > 0 else root(gap, start, 1.0, xtol=1e-24, rtol=1e-13)
    if surplus(end) <= 0:
        return end
    return root(surplus, start, end, xtol=1e-24, rtol=1e-13) if surplus(start) < 0 else start


@interval("Isaksson's small-sample posterior", **POSTERIOR_OF_A_SHARE, cite=("isaksson2008",))
def isaksson(p: Proportion, at: Confidence, *, tails: str = "hpd") -> Limits:
    """The shortest interval that holds this much of the posterior Beta(e+1, m-e+1) of the risk on a hold-out.

    For small samples, where counts pooled over folds or draws are refused because their rows are not independent.
    `tails="equal"` leaves out as much on either side. A one-sided bound leaves out all of it on its side.
    """
    if tails not in ("hpd", "equal"):
        raise BadInput(f"isaksson: tails is 'hpd' or 'equal', not {tails!r}")
    a, b = p.hits + 1, p.misses + 1
    equal = tails == "equal" or at.side != "two"
    below = at.tail if equal else _left_tail(a, b, at.miss)
    above = at.tail if equal else at.miss - below
    return Limits(beta_quantile(a, b, below), beta_quantile(a, b, 1 - above))


def _left_tail(a: float, b: float, miss: float) -> float:
    """Return the mass of Beta(a, b) left of its shortest interval: the density is equal at both ends."""
    from scipy.special import xlog1py, xlogy

    if a <= 1 or b <= 1:  # the density falls, or rises, all the way
        return 0.0 if a <= 1 else miss

    def height(x: float) -> float:
        return float(xlogy(a - 1, x) + xlog1py(b - 1, -x))

    def gap(left: float) -> float:
        return height(beta_quantile(a, b, left)) - height(beta_quantile(a, b, 1 - miss + left))

    tiny = 1e-12 * miss
    return root(gap, tiny, miss - tiny, xtol=1e-15)


PAIRED = ("IID", "FIX", "PAIR")
OF_PAIRS: dict[str, Any] = {"reads": Pairs, "answers": "difference", "assumes": PAIRED}
OF_TWO_SHARES: dict[str, Any] = {"reads": Shares, "answers": "difference", "cite": ("newcombe1998difference",)}
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
NO_ROWS_OF_ONE = refuse(
    "no-rows", "there is no row to count for one of the models", lambda s: min(s.first.rows, s.second.rows) <= 0
)
ALL_ALIKE = refuse(
    "zero-width",
    "the rows of each model are all alike, so its width would be 0: use newcombe",
    lambda s: max(s.first.rarer, s.second.rarer) <= 0,
)
FEW_HITS_OF_ONE = few_hits("newcombe", lambda s: min(s.first.rarer, s.second.rarer))


@interval(
    "Wald of the paired difference",
    **{**OF_PAIRS, "assumes": (*PAIRED, "NORM", "BIG")},
    cite=("newcombe1998paired",),
    limits=(NEVER_DISAGREE,),
)
def paired_wald(pairs: Pairs, at: Confidence) -> Limits:
    """Difference plus or minus a normal quantile times its standard error; kept for teaching and comparison."""
    b, c, m = pairs.first_only, pairs.second_only, pairs.rows
    return Limits.plus_minus(pairs.difference, at.z / m * sqrt(b + c - (b - c) ** 2 / m))


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
    """Return Tango's limits, after so many rows were taken off the distance between what was counted and expected."""

    def largest(pairs: Pairs) -> float:  # difference that is not rejected
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
    return Limits.plus_minus(centre, at.z * sqrt((first + second - centre**2) / (pairs.rows + 2)))


@interval(
    "Wald of the difference",
    **OF_TWO_SHARES,
    assumes=("IID", "FIX", "NORM", "BIG"),
    limits=(NO_ROWS_OF_ONE, SAME_ROWS, ALL_ALIKE, FEW_HITS_OF_ONE),
)
def wald_difference(s: Shares, at: Confidence) -> Limits:
    """Difference plus or minus a normal quantile times its standard error; kept for teaching and comparison."""
    check((NO_ROWS_OF_ONE,), s)  # whatever is accepted: there is no share
    variance = sum(p.share * (1 - p.share) / p.rows for p in (s.first, s.second))
    return Limits.plus_minus(s.difference, at.z * sqrt(variance))


@interval(
    "Newcombe's difference (hybrid score)", **OF_TWO_SHARES, assumes=("IID", "FIX"), limits=(NO_ROWS_OF_ONE, SAME_ROWS)
)
def newcombe(s: Shares, at: Confidence) -> Limits:
    """Distances of the Wilson limits of both shares, squared and added; good down to few rows."""
    check((NO_ROWS_OF_ONE,), s)  # whatever is accepted: there is no share
    first, second = s.first.share, s.second.share
    one, other = wilson.function(s.first, at), wilson.function(s.second, at)
    return Limits(
        s.difference - hypot(first - one.low, other.high - second),
        s.difference + hypot(one.high - first, second - other.low),
    )
