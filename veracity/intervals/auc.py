"""Confidence intervals of AUC and other scores of an ordering, and of the difference of two AUCs."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, nan, sqrt
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.distributions import logit
from veracity.core.errors import Refused
from veracity.core.notes import always, caution, refuse
from veracity.evidence.interval_evidence import Area, Proportion, Ranked
from veracity.evidence.ordering import Ordering
from veracity.evidence.same_rows import SameRows
from veracity.findings.interval import Limits
from veracity.intervals import interval, only_plain_rows
from veracity.intervals.confusion_matrix import limit_between
from veracity.intervals.means import on_logit_scale
from veracity.intervals.proportions import wilson
from veracity.records.arrays import Array
from veracity.scores.ordering import equal_error_rate

PLAIN = only_plain_rows(lambda a: not a.plain)
ONE_ROW = refuse(
    "one-row", "a class has fewer than two rows that count, so it has no variance", lambda a: a.smaller < 2
)
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
OF_AREA: dict[str, Any] = {"reads": Area, "only": ("auc",)}
NORMAL_AREA: dict[str, Any] = {**OF_AREA, "assumes": ("IID", "FIX", "NORM"), "limits": (PLAIN, ONE_ROW, SEPARATED)}
DELONG = {**NORMAL_AREA, "cite": ("delong1988", "sun2014")}


@interval("DeLong", **DELONG)
def delong(a: Area, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times the standard error from the placements of each class in the other."""
    return Limits.plus_minus(a.value, at.z * a.standard_error)


@interval("DeLong on the logit scale", **DELONG)
def delong_logit(a: Area, at: Confidence) -> Limits:
    """DeLong's interval built on the logit of the area, which keeps it inside 0 and 1 and fits areas near 1 better."""
    return on_logit_scale(a.value, at.z * a.standard_error)


@interval("Hanley-McNeil", **{**NORMAL_AREA, "limits": (*NORMAL_AREA["limits"], ASSUMED)}, cite=("hanley1982",))
def hanley_mcneil(a: Area, at: Confidence) -> Limits:
    """Area plus or minus a normal quantile times a standard error that only needs the area and the class sizes."""
    return Limits.plus_minus(a.value, at.z * hanley_mcneil_error(a.value, a.positives, a.negatives))


def hanley_mcneil_error(area: float, positives: float, negatives: float) -> float:
    """Return the standard error of an area if the values of each class were exponentially distributed."""
    square = area**2
    for_positives, for_negatives = area / (2 - area) - square, 2 * square / (1 + area) - square
    spread = area * (1 - area) + (positives - 1) * for_positives + (negatives - 1) * for_negatives
    return sqrt(spread / (positives * negatives))


@interval("Concordant pairs", **OF_AREA, cite=("clopper1934",), assumes=("IID", "FIX"), limits=(PLAIN, MIXED))
def concordant_pairs(a: Area, at: Confidence) -> Limits:
    """The bound that remains under perfect separation: so many independent pairs were all in the same order.

    There are as many such pairs as the smaller class has rows. At an area of 1 it is a lower bound, at an area of 0 an
    upper one; the other limit is the area itself.
    """
    if not a.separated:  # only past a refusal
        return Limits(nan, nan)
    bound = at.tail ** (1 / a.smaller)
    return Limits(bound, 1.0) if a.value == 1 else Limits(0.0, 1 - bound)


ROUNDING = 1e-12  # of placements: the same ordering may be added up in another way


def delong_error(pair: SameRows) -> tuple[float, float]:
    """Return the standard error of a difference of two areas, and Welch's degrees of freedom of that.

    From the placements of each row among the rows of the other class, by both models; O(n log n).
    """
    if smaller_class(pair) < 2:
        return nan, nan
    if not all(isinstance(evidence, Ordering) for evidence in pair.evidence):
        raise Refused("DeLong's difference is of two classes and one ordering: use paired_delta", "two-classes")
    return error_by_class(pair)


def error_by_class(pair: SameRows) -> tuple[float, float]:
    """Return the standard error of a difference from what rows do to it, and Welch's degrees of freedom.

    The influence values of an area are its placements, so that this is DeLong's error. A class of one row tells no
    variance and counts with the largest class.
    """
    if pair.areas is not None and pair.areas.class_sizes.min() > 1:
        rows, squares = pair.areas.class_sizes, pair.areas.squares
    else:
        sizes = np.bincount(pair.truth)
        joined = np.where(sizes > 1, np.arange(len(sizes)), sizes.argmax())[pair.truth]
        every = np.bincount(joined)
        squares = np.bincount(joined, np.square(pair.influence))[every > 0]
        rows = every[every > 0].astype(float)  # a cube of millions is more than whole numbers hold
    parts = squares * rows / ((rows - 1) * len(pair) ** 2)
    variance = float(parts.sum())
    if not variance > ROUNDING**2:
        return 0.0, nan
    return sqrt(variance), variance**2 / float((parts**2 / (rows - 1)).sum())


def smaller_class(pair: SameRows) -> int:
    """Return the number of rows of the smaller class."""
    of_class = np.bincount(pair.truth, minlength=2) if pair.areas is None else pair.areas.class_sizes
    return int(of_class.min())


ONE_ROW_OF_PAIR = replace(ONE_ROW, when=lambda pair: smaller_class(pair) < 2)
SAME_ORDERING = refuse(
    "same-ordering",
    "the areas of both models are equal, as they order the rows alike: there is nothing to test",
    lambda pair: pair.difference == 0 and delong_error(pair)[0] == 0,
)
BOTH_SEPARATED = refuse(
    "perfect-separation",
    "each model separates the classes perfectly, be it the wrong way round, or gives all rows one value, so the "
    "variance is 0 and says nothing: use paired_permutation",
    lambda pair: pair.difference != 0 and delong_error(pair)[0] == 0,
)
DELONG_DIFFERENCE: dict[str, Any] = {
    "reads": SameRows,
    "only": ("auc",),
    "cite": ("delong1988", "sun2014"),
    "assumes": ("IID", "FIX", "PAIR", "NORM"),
    "limits": (ONE_ROW_OF_PAIR, SAME_ORDERING, BOTH_SEPARATED),
}
PLAIN_PAIR = only_plain_rows(
    lambda pair: pair.sampling is not None,
    "this counts independent rows, and these are weighted or in groups: use delong_t",
)
PLAIN_DELONG = {**DELONG_DIFFERENCE, "limits": (PLAIN_PAIR, *DELONG_DIFFERENCE["limits"])}


@interval("DeLong's difference of areas", answers="difference", **PLAIN_DELONG)
def delong_difference(pair: SameRows, at: Confidence) -> Limits:
    """Difference of two areas plus or minus a normal quantile times its standard error, which knows that rows agree."""
    return Limits.plus_minus(pair.difference, at.z * delong_error(pair)[0])


ADDED = 0.25  # rows of each class; chosen among 0.15 to 1 by coverage, as CONTRIBUTING says
NO_ORDER = refuse(
    "no-order",
    "all rows have the same value, or their order does not matter, so that no spread can be measured",
    lambda r: r.flat,
)
FEW_ROWS = caution(
    "small-class",
    "a class has fewer than 5 rows: the interval says little, and what it says rests on them",
    lambda r: r.smaller < 5,
)
WEIGHED = caution(
    "weighted-order",
    "weights, and fewer than 100 rows of a class: where weights go with the values, intervals at 95 % were measured to "
    "hold in 89 to 98 % of samples",
    lambda r: r.linear.weighted and r.smaller < 100,
)


@interval(
    "Delta method on the logit scale with a quarter of a row added",
    reads=Ranked,
    cite=("delong1988", "agresti1998", "kottas2014"),
    assumes=("IID", "FIX", "NORM"),
    limits=(NO_ORDER, ONE_ROW, FEW_ROWS, WEIGHED),
)
def delta_logit(r: Ranked, at: Confidence) -> Limits:
    """Student limits on the logit scale, after a quarter of a row of unknown place is added to each class.

    With few rows of a class, or a score near its best, the rows that would lower it may not have been seen yet, and the
    spread of those seen is too small. The added rows pull the value a little towards chance and widen the interval by
    how far chance is away. Student's quantile has as many degrees of freedom as the smaller class has rows. The logit
    is of the value's place between the score's least and largest values.
    """
    place, error = _place_and_error(r)
    limits = on_logit_scale(place, at.t(r.degrees) * error)
    span = r.high - r.low
    return Limits(r.low + span * limits.low, r.low + span * limits.high)


def logit_statistic(r: Ranked, stated: float) -> float:
    """Return how many standard errors the value lies above a stated one on the scale of `delta_logit`."""
    place, error = _place_and_error(r)
    other = min(max((stated - r.low) / (r.high - r.low), 0.0), 1.0)
    return (logit(place) - logit(other)) * place * (1 - place) / error


def _place_and_error(r: Ranked) -> tuple[float, float]:
    """Return the value shrunk by the added rows and its standard error, rescaled to 0..1 by the range of the score."""
    span = r.high - r.low
    kept = [1 / ((1 + ADDED / p.positives) * (1 + ADDED / p.negatives)) for p in r.pulls]
    towards_chance = sum(p.share * p.gap * (1 - part) for p, part in zip(r.pulls, kept, strict=True))
    # orderings of the same rows move together
    added = ADDED * sum(p.share * abs(p.gap) * hypot(1 / p.positives, 1 / p.negatives) for p in r.pulls) ** 2
    return (r.linear.value + towards_chance - r.low) / span, sqrt(r.variance + added) / span


@interval(
    "Equal rates",
    reads=Ordering,
    only=("equal_error_rate",),
    cite=("wilson1927", "martin1997"),
    assumes=("IID", "FIX", "NORM"),
    limits=(only_plain_rows(lambda o: o.sampling is not None), replace(NO_ORDER, when=lambda o: o.blocks < 2)),
)
def equal_rates(o: Ordering, at: Confidence) -> Limits:
    """Every rate that false positives and false negatives may have in common at some point of the ROC curve.

    A rate is in the interval if the point of the curve that is nearest to having both rates equal to it, in standard
    errors of these rates, is no further away than a normal quantile: Wilson's interval with an unknown threshold. It
    lies inside Wilson's interval of the smaller class, needs no density at the threshold, and stays valid when the
    classes are separated.
    """
    rate = float(equal_error_rate.function(o))
    positives, negatives = float(o.all_positives), float(o.all_negatives)
    smaller = min(positives, negatives)
    outer = wilson.function(Proportion(rate * smaller, smaller), at)
    # vertices further than a normal quantile of standard errors, largest at one half, from both limits are not nearest
    reach = at.z / 2 / np.sqrt([positives, negatives])
    hits = (1 - (outer.high + reach[0])) * positives, (1 - (outer.low - reach[0])) * positives
    alarms = (outer.low - reach[1]) * negatives, (outer.high + reach[1]) * negatives
    tp, fp = o.vertices(hits, alarms)
    curve = np.stack([1 - tp / positives, fp / negatives]) * np.sqrt([[positives], [negatives]])

    def beyond(common: float) -> float:
        target = common * np.sqrt([[positives], [negatives]])
        return squared_distance(curve - target) - at.z**2 * common * (1 - common)

    return Limits(limit_between(beyond, outer.low, rate), limit_between(beyond, outer.high, rate))


def squared_distance(curve: Array) -> float:
    """Return the squared distance of a line through vertices from the origin."""
    start, along = curve[:, :-1], np.diff(curve)
    length = np.maximum((along**2).sum(0), 1e-300)
    share = np.clip(-(start * along).sum(0) / length, 0.0, 1.0)
    return float(((start + share * along) ** 2).sum(0).min())
