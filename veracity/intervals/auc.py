"""Intervals for the area under the ROC curve."""

from __future__ import annotations

from math import sqrt
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.notes import always, caution, refuse
from veracity.intervals.entry import interval
from veracity.intervals.mean import on_logit_scale
from veracity.kernels.delong import area_and_variance
from veracity.records.interval import Limits
from veracity.records.ordering import Ordering

EXAMPLE = {"selected": (1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0), "level": 0.95}
RECOMPUTED = "recomputed from the formula"


def _smaller(o: Ordering) -> float:
    return float(min(o.all_positives, o.all_negatives))


def _separated(o: Ordering) -> bool:
    return _smaller(o) >= 1 and float(auc_of(o)) in (0.0, 1.0)


def auc_of(o: Ordering) -> float:
    """The area itself."""
    return float(_summary(o)[0])


def _summary(o: Ordering) -> Any:
    return area_and_variance(o.positives, o.negatives)


PLAIN = refuse(
    "not-iid",
    "this interval counts plain rows, but these are weighted or grouped: use delta or bca",
    lambda o: o.sampling is not None,
)
ONE_ROW = refuse("one-row", "a class has fewer than two rows, so it has no variance", lambda o: _smaller(o) < 2)
SEPARATED = refuse(
    "perfect-separation",
    "the classes are separated perfectly, so the variance is 0 and says nothing: use concordant_pairs",
    _separated,
)
DELONG = {
    "reads": Ordering,
    "only": ("auc",),
    "cite": ("delong1988", "sun2014"),
    "assumes": ("IID", "FIX", "NORM"),
    "limits": (PLAIN, ONE_ROW, SEPARATED),
}


@interval("DeLong", **DELONG, known=(Known(EXAMPLE, (0.6011, 1.0656), RECOMPUTED),))
def delong(o: Ordering, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times the standard error from the placements of each class in the other."""
    area, variance = _summary(o)
    return Limits(area - at.z * sqrt(variance), area + at.z * sqrt(variance))


@interval("DeLong on the logit scale", **DELONG, known=(Known(EXAMPLE, (0.4844, 0.9638), RECOMPUTED),))
def delong_logit(o: Ordering, at: Confidence) -> Limits:
    """DeLong's interval built on the logit of the area, which keeps it inside 0 and 1 and fits areas near 1 better."""
    area, variance = _summary(o)
    return on_logit_scale(area, sqrt(variance), at)


@interval(
    "Hanley-McNeil",
    reads=Ordering,
    only=("auc",),
    cite=("hanley1982",),
    assumes=("IID", "FIX", "NORM"),
    limits=(
        PLAIN,
        ONE_ROW,
        SEPARATED,
        caution(
            "assumed-law", "assumes exponentially distributed values: meant for published summaries, use delong", always
        ),
    ),
)
def hanley_mcneil(o: Ordering, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times a standard error that only needs the area and the class sizes."""
    area = auc_of(o)
    half = at.z * hanley_mcneil_error(area, float(o.all_positives), float(o.all_negatives))
    return Limits(area - half, area + half)


def hanley_mcneil_error(area: float, positives: float, negatives: float) -> float:
    """The standard error of a published area."""
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
    return sqrt(spread / (positives * negatives))


@interval(
    "Concordant pairs",
    reads=Ordering,
    only=("auc",),
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    limits=(PLAIN,),
    known=(Known({"selected": (1, 1, 1, 0, 0, 0, 0), "level": 0.95, "side": "lower"}, (0.3684, 1.0), RECOMPUTED),),
)
def concordant_pairs(o: Ordering, at: Confidence) -> Limits:
    """The bound that remains under perfect separation: so many independent pairs were all in the same order.

    There are as many such pairs as the smaller class has rows. At an area of 1 it is a lower bound, at an area
    of 0 an upper one; the other limit is the area itself.
    """
    area = auc_of(o)
    if area not in (0.0, 1.0):
        raise Refused("concordant_pairs is for perfect separation only: use delong or delong_logit", "not-separated")
    bound = at.tail ** (1 / _smaller(o))
    return Limits(bound, 1.0) if area == 1 else Limits(0.0, 1 - bound)
