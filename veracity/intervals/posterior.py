"""Intervals for a share of rows from its posterior under a uniform prior."""

from __future__ import annotations

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput
from veracity.evidence.proportion import Proportion
from veracity.findings.interval import Limits
from veracity.intervals.binomial import NO_ROWS, share
from veracity.intervals.entry import interval

TAILS = ("hpd", "equal")


@interval(
    "Isaksson's small-sample posterior",
    reads=Proportion,
    cite=("isaksson2008",),
    assumes=("IID", "FIX", "PRIOR"),
    limits=(NO_ROWS,),
    known=(
        share(3, 25, 0.0318, 0.2804),
        Known(
            {"hits": 3, "rows": 25, "level": 0.95, "side": "two", "tails": "equal"},
            (0.0436, 0.3015),
        ),
    ),
)
def isaksson(p: Proportion, at: Confidence, *, tails: str = "hpd") -> Limits:
    """The shortest interval that holds this much of the posterior Beta(e+1, m-e+1) of the risk on a hold-out.

    For small samples, where counts pooled over folds or draws are refused because their rows are not independent.
    `tails="equal"` leaves out as much on either side. A one-sided bound leaves out all of it on its side.
    """
    from scipy.special import betaincinv

    if tails not in TAILS:
        raise BadInput(f"isaksson: tails is {' or '.join(map(repr, TAILS))}, not {tails!r}")
    a, b = p.hits + 1, p.misses + 1
    below = at.tail if tails == "equal" or at.side != "two" else _left_tail(a, b, at.miss)
    above = at.tail if tails == "equal" or at.side != "two" else at.miss - below
    return Limits(float(betaincinv(a, b, below)), float(betaincinv(a, b, 1 - above)))


def _left_tail(a: float, b: float, miss: float) -> float:
    """How much of Beta(a, b) lies left of its shortest interval of mass 1 - miss: the density is equal at both ends."""
    from scipy.optimize import brentq
    from scipy.special import betaincinv, xlog1py, xlogy

    if a <= 1 or b <= 1:  # the density falls, or rises, all the way
        return 0.0 if a <= 1 else miss

    def height(x: float) -> float:
        return float(xlogy(a - 1, x) + xlog1py(b - 1, -x))

    def gap(left: float) -> float:
        return height(float(betaincinv(a, b, left))) - height(float(betaincinv(a, b, 1 - miss + left)))

    tiny = 1e-12 * miss
    return float(brentq(gap, tiny, miss - tiny, xtol=1e-15))
