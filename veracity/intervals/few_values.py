"""The mean of what rows give, where that is one of a few known numbers, as the costs of a confusion matrix are."""

from __future__ import annotations

from collections.abc import Callable

from veracity.core.confidence import Confidence
from veracity.core.notes import refuse
from veracity.core.root import root
from veracity.evidence.proportion import FewValues
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.records.arrays import Array

EDGE = 1e-9  # of a range: as near to its end as numbers allow


@interval(
    "Score interval of a mean of few values",
    reads=FewValues,
    cite=("wilson1927", "owen1988"),
    assumes=("IID", "FIX"),
    limits=(refuse("no-spread", "every row costs the same whatever is predicted", lambda x: x.values.size < 2),),
)
def mean_score(x: FewValues, at: Confidence) -> Limits:
    """The means that a score test at this level would not reject: Wilson's interval for rows of more than two values.

    The variance is that of the likeliest shares of the values that have the mean in question, so that a dear mistake
    that was not seen, or seen once, still counts.
    """
    low, high = float(x.values[0]), float(x.values[-1])

    def beyond(mean: float) -> float:
        return float(x.rows * (x.mean - mean) ** 2 - at.z**2 * _variance(x, mean))

    edge = EDGE * (high - low)
    return Limits(
        low if x.mean - low <= edge else limit_between(beyond, low + edge, x.mean),
        high if high - x.mean <= edge else limit_between(beyond, high - edge, x.mean),
    )


def limit_between(beyond: Callable[[float], float], outside: float, inside: float) -> float:
    """Where a value passes from outside an interval to inside, by the sign of `beyond`."""
    if outside == inside or beyond(outside) <= 0:
        return outside
    within = inside + 1e-6 * (outside - inside)  # at the value itself there may be no spread at all
    return root(beyond, outside, within, xtol=1e-12)


def _variance(x: FewValues, mean: float) -> float:
    """Of the values, by the likeliest shares with this mean."""
    gap = x.values - mean
    seen = x.counts > 0
    shares = _likeliest(x.counts[seen], gap[seen], gap[0], gap[-1])
    total = float(shares @ gap[seen] ** 2)
    rest = 1 - shares.sum()  # on an end that no row has, where those seen cannot have this mean
    return total + (rest * gap[0 if shares @ gap[seen] > 0 else -1] ** 2 if rest > 1e-12 else 0.0)


def _likeliest(counts: Array, gap: Array, lowest: float, highest: float) -> Array:
    """Shares n_k / (n (1 + tilt gap_k)), with the tilt at which their mean gap is 0, or the furthest allowed."""

    def lean(tilt: float) -> float:
        return float((counts * gap / (1 + tilt * gap)).sum())

    ends = -(1 - 1e-12) / highest, -(1 - 1e-12) / lowest
    tilt = ends[0] if lean(ends[0]) <= 0 else ends[1] if lean(ends[1]) >= 0 else root(lean, *ends, xtol=1e-14)
    shares: Array = counts / (counts.sum() * (1 + tilt * gap))
    return shares
