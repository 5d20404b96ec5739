"""Intervals for scores of an ordering that hold when a class has few rows."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.notes import caution, refuse
from veracity.core.quantiles import logit
from veracity.evidence.ordering import Ordering
from veracity.evidence.proportion import Proportion
from veracity.evidence.ranked import Ranked
from veracity.findings.interval import Limits
from veracity.intervals.binomial import wilson
from veracity.intervals.entry import interval
from veracity.intervals.few_values import limit_between
from veracity.intervals.mean import on_logit_scale
from veracity.records.arrays import Array
from veracity.scores.ordering import equal_error_rate

ADDED = 0.25  # rows of each class; chosen among 0.15 to 1 by coverage, as CONTRIBUTING says
FEW = 5
NO_ORDER = refuse(
    "no-order",
    "all rows have the same value, or their order does not matter, so that no spread can be measured",
    lambda r: r.flat,
)
ONE_ROW = refuse(
    "one-row", "a class has fewer than two rows that count, so nothing tells how they differ", lambda r: r.smaller < 2
)
FEW_ROWS = caution(
    "small-class",
    f"a class has fewer than {FEW} rows: the interval says little, and what it says rests on them",
    lambda r: r.smaller < FEW,
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
    keywords="confidence interval for AUC, AUROC confidence interval",
)
def delta_logit(r: Ranked, at: Confidence) -> Limits:
    """Student limits on the logit scale, after a quarter of a row of unknown place is added to each class.

    With few rows of a class, or a score near its best, the rows that would lower it may not have been seen yet, and the
    spread of those seen is too small. The added rows pull the value a little towards chance and widen the interval by
    how far chance is away. Student's quantile has as many degrees of freedom as the smaller class has rows. The logit
    is of the value's place between the score's least and largest values.
    """
    span, (place, error) = r.high - r.low, _place_and_error(r)
    limits = on_logit_scale(place, at.t(r.degrees) * error)
    return Limits(r.low + span * limits.low, r.low + span * limits.high)


def logit_statistic(r: Ranked, stated: float) -> float:
    """How many standard errors the value lies above a stated one on the scale of `delta_logit`."""
    place, error = _place_and_error(r)
    other = min(max((stated - r.low) / (r.high - r.low), 0.0), 1.0)
    return (logit(place) - logit(other)) * place * (1 - place) / error


def _place_and_error(r: Ranked) -> tuple[float, float]:
    """The value with the added rows and its standard error, as shares of the way from the least to the largest."""
    span = r.high - r.low
    return (r.linear.value + _pull(r) - r.low) / span, sqrt(r.variance + _square(r)) / span


def _pull(r: Ranked) -> float:
    """How far the added rows move the value towards chance."""
    kept = [1 / ((1 + ADDED / p.positives) * (1 + ADDED / p.negatives)) for p in r.pulls]
    return sum(p.share * p.gap * (1 - part) for p, part in zip(r.pulls, kept, strict=True))


def _square(r: Ranked) -> float:
    """What the added rows add to the variance; orderings of the same rows move together."""
    return ADDED * sum(p.share * abs(p.gap) * hypot(1 / p.positives, 1 / p.negatives) for p in r.pulls) ** 2


@interval(
    "Equal rates",
    reads=Ordering,
    only=("equal_error_rate",),
    cite=("wilson1927", "martin1997"),
    assumes=("IID", "FIX", "NORM"),
    limits=(
        refuse(
            "not-iid",
            "this interval counts plain rows, but these are weighted or grouped: use delta or bca",
            lambda o: o.sampling is not None,
        ),
        refuse(NO_ORDER.code, NO_ORDER.says, lambda o: o.blocks < 2),
    ),
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
    curve = _near(o, outer, at.z / 2 / np.sqrt([positives, negatives])) * np.sqrt([[positives], [negatives]])

    def beyond(common: float) -> float:
        target = common * np.sqrt([[positives], [negatives]])
        return squared_distance(curve - target) - at.z**2 * common * (1 - common)

    return Limits(limit_between(beyond, outer.low, rate), limit_between(beyond, outer.high, rate))


def _near(o: Ordering, outer: Limits, reach: Array) -> Array:
    """Both rates at the vertices that may be nearest to a rate between the limits, and at one more at each end.

    Others lie more than a normal quantile of standard errors, which are largest at one half, away in one of the rates.
    """
    positives, negatives = float(o.all_positives), float(o.all_negatives)
    hits = (1 - (outer.high + reach[0])) * positives, (1 - (outer.low - reach[0])) * positives
    alarms = (outer.low - reach[1]) * negatives, (outer.high + reach[1]) * negatives
    tp, fp = o.vertices(hits, alarms)
    return np.stack([1 - tp / positives, fp / negatives])


def squared_distance(curve: Array) -> float:
    """Of the nearest point of a line through vertices to the origin."""
    start, along = curve[:, :-1], np.diff(curve)
    length = np.maximum((along**2).sum(0), 1e-300)
    share = np.clip(-(start * along).sum(0) / length, 0.0, 1.0)
    return float(((start + share * along) ** 2).sum(0).min())
