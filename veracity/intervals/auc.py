"""Intervals for the area under the ROC curve, and for the difference of two areas on the same rows."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.notes import always, caution, refuse
from veracity.evidence.ordering import Ordering
from veracity.evidence.ranked import Area
from veracity.evidence.same_rows import SameRows
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.intervals.mean import on_logit_scale
from veracity.records.arrays import Array

EXAMPLE = {"truth": (1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0), "level": 0.95}
PLAIN = refuse(
    "not-iid",
    "this interval counts plain rows, but these are weighted or grouped: use delta or bca",
    lambda a: not a.plain,
)
ONE_ROW = refuse("one-row", "a class has fewer than two rows, so it has no variance", lambda a: a.smaller < 2)
SEPARATED = refuse(
    "perfect-separation",
    "the classes are separated perfectly, so the variance is 0 and says nothing: use concordant_pairs",
    lambda a: a.separated,
)
MIXED = refuse(
    "not-separated",
    "concordant_pairs is for perfect separation only: use delong or delong_logit",
    lambda a: not a.separated,
)
ASSUMED = caution(
    "assumed-law", "assumes exponentially distributed values: meant for published summaries, use delong", always
)
DELONG = {
    "reads": Area,
    "only": ("auc",),
    "cite": ("delong1988", "sun2014"),
    "assumes": ("IID", "FIX", "NORM"),
    "limits": (PLAIN, ONE_ROW, SEPARATED),
}


@interval(
    "DeLong",
    **DELONG,
    known=(Known(EXAMPLE, (0.6011, 1.0656)),),
    aliases="delong_interval",
    keywords="AUC interval, var.roc, cov.roc",
)
def delong(a: Area, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times the standard error from the placements of each class in the other."""
    return Limits(a.value - at.z * a.standard_error, a.value + at.z * a.standard_error)


@interval("DeLong on the logit scale", **DELONG, known=(Known(EXAMPLE, (0.4844, 0.9638)),))
def delong_logit(a: Area, at: Confidence) -> Limits:
    """DeLong's interval built on the logit of the area, which keeps it inside 0 and 1 and fits areas near 1 better."""
    return on_logit_scale(a.value, at.z * a.standard_error)


@interval(
    "Hanley-McNeil",
    reads=Area,
    only=("auc",),
    cite=("hanley1982",),
    assumes=("IID", "FIX", "NORM"),
    limits=(PLAIN, ONE_ROW, SEPARATED, ASSUMED),
    known=(
        Known(
            {"area": 0.893, "positives": 51, "negatives": 58, "level": 0.95},
            (0.829278, 0.956722),
            "Hanley and McNeil 1982, worked example",
            6,
        ),
    ),
    aliases="hanley",
)
def hanley_mcneil(a: Area, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times a standard error that only needs the area and the class sizes."""
    half = at.z * hanley_mcneil_error(a)
    return Limits(a.value - half, a.value + half)


def hanley_mcneil_error(a: Area) -> float:
    """The standard error if the values of each class were exponentially distributed."""
    square = a.value**2
    for_positives, for_negatives = a.value / (2 - a.value) - square, 2 * square / (1 + a.value) - square
    spread = a.value * (1 - a.value) + (a.positives - 1) * for_positives + (a.negatives - 1) * for_negatives
    return sqrt(spread / (a.positives * a.negatives))


@interval(
    "Concordant pairs",
    reads=Area,
    only=("auc",),
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    limits=(PLAIN, MIXED),
    known=(Known({"truth": (1, 1, 1, 0, 0, 0, 0), "level": 0.95, "side": "lower"}, (0.3684, 1.0)),),
)
def concordant_pairs(a: Area, at: Confidence) -> Limits:
    """The bound that remains under perfect separation: so many independent pairs were all in the same order.

    There are as many such pairs as the smaller class has rows. At an area of 1 it is a lower bound, at an area of 0 an
    upper one; the other limit is the area itself.
    """
    if not a.separated:  # only past a refusal
        return Limits(nan, nan)
    bound = at.tail ** (1 / a.smaller)
    return Limits(bound, 1.0) if a.value == 1 else Limits(0.0, 1 - bound)


class AreaDifference(NamedTuple):
    """The difference of two areas, its standard error, and Welch's degrees of freedom of that."""

    difference: float
    standard_error: float
    df: float = nan


def area_difference(pair: SameRows) -> AreaDifference:
    """From the placements of each row among the rows of the other class, by both models; O(n log n)."""
    if smaller_class(pair) < 2:
        return AreaDifference(pair.difference, nan)
    _check_one_ordering(pair)
    return AreaDifference(pair.difference, *error_by_class(pair))


def _check_one_ordering(pair: SameRows) -> None:
    if not all(isinstance(evidence, Ordering) for evidence in pair.evidence):
        raise Refused("DeLong's difference is of two classes and one ordering: use paired_delta", "two-classes")


def error_by_class(pair: SameRows) -> tuple[float, float]:
    """The standard error of a difference from what rows do to it, and Welch's degrees of freedom.

    The influence values of an area are its placements, so that this is DeLong's error. A class of one row tells no
    variance and counts with the largest class.
    """
    rows, squares = _squares_by_class(pair)
    parts = squares * rows / ((rows - 1) * len(pair) ** 2)
    variance = float(parts.sum())
    rounding = 1e-12  # of placements: the same ordering may be added up in another way
    return (
        (sqrt(variance), variance**2 / float((parts**2 / (rows - 1)).sum())) if variance > rounding**2 else (0.0, nan)
    )


def _squares_by_class(pair: SameRows) -> tuple[Array, Array]:
    """Rows of each class, and sums of squares of what they do to the difference."""
    if pair.areas is not None and pair.areas.class_sizes.min() > 1:
        return pair.areas.class_sizes, pair.areas.squares
    truth = pair.truth
    sizes = np.bincount(truth)
    joined = np.where(sizes > 1, np.arange(len(sizes)), sizes.argmax())[truth]
    rows = np.bincount(joined)
    squares = np.bincount(joined, np.square(pair.influence))[rows > 0]
    return rows[rows > 0].astype(float), squares  # a cube of millions is more than whole numbers hold


def smaller_class(pair: SameRows) -> int:
    of_class = np.bincount(pair.truth, minlength=2) if pair.areas is None else pair.areas.class_sizes
    return int(of_class.min())


ONE_ROW_OF_A_CLASS = refuse(
    "one-row", "a class has fewer than two rows, so the area has no variance", lambda pair: smaller_class(pair) < 2
)
SAME_ORDERING = refuse(
    "same-ordering",
    "the areas of both models are equal, as they order the rows alike: there is nothing to test",
    lambda pair: pair.difference == 0 and area_difference(pair).standard_error == 0,
)
BOTH_SEPARATED = refuse(
    "perfect-separation",
    "each model separates the classes perfectly, be it the wrong way round, or gives all rows one value, so the "
    "variance is 0 and says nothing: use paired_permutation",
    lambda pair: pair.difference != 0 and area_difference(pair).standard_error == 0,
)
DELONG_DIFFERENCE: dict[str, Any] = {
    "reads": SameRows,
    "only": ("auc",),
    "cite": ("delong1988", "sun2014"),
    "assumes": ("IID", "FIX", "PAIR", "NORM"),
    "limits": (ONE_ROW_OF_A_CLASS, SAME_ORDERING, BOTH_SEPARATED),
}


PLAIN_PAIR = refuse(
    "not-iid",
    "this counts independent rows, and these are weighted or in groups: use delong_t",
    lambda pair: pair.sampling is not None,
)
PLAIN_DELONG = {**DELONG_DIFFERENCE, "limits": (PLAIN_PAIR, *DELONG_DIFFERENCE["limits"])}


@interval("DeLong's difference of areas", answers="difference", **PLAIN_DELONG)
def delong_difference(pair: SameRows, at: Confidence) -> Limits:
    """Difference of two areas plus or minus a normal quantile times its standard error, which knows that rows agree."""
    areas = area_difference(pair)
    half = at.z * areas.standard_error
    return Limits(areas.difference - half, areas.difference + half)
