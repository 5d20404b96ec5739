"""Intervals from a standard error (means, functions of means, scores with influence values) or from order alone."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution, refuse
from veracity.core.quantiles import expit, logit
from veracity.evidence.linear import Linear
from veracity.evidence.losses import Losses
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.records.arrays import Array, unroll

NO_SPREAD = refuse(
    "no-spread",
    "all rows (or groups) say the same, so no spread can be measured: use betting or clopper_pearson where they fit",
    lambda x: x.flat,
)
FEW = caution(
    "few-rows",
    "fewer than 30 independent rows: the normal approximation may be poor",
    lambda x: x.units < 30 and not x.sampled,  # of others their own notes tell
)
ONE_UNIT = refuse(
    "one-row",
    "one row or group holds all the weight, so there is no standard error: more of them are needed",
    lambda x: min(x.units, x.effective) < 2 and isnan(x.sample_error),
)
TOO_FEW = Note(
    "few-rows", "refuse", "there are too few rows for the order of losses to bound their median at this level"
)
PLAIN_ORDER = refuse(
    "not-iid",
    "order statistics count plain rows, but these are weighted or grouped: use percentile",
    lambda x: x.sampling is not None,
)


@interval(
    "Student t of the mean",
    reads=Linear,
    cite=("student1908", "bell2002", "kish1965"),
    assumes=("IID", "FIX", "NORM"),
    limits=(ONE_UNIT, NO_SPREAD, FEW),
    aliases="t_interval, student_t_mean",
    keywords="standard error of the mean",
)
def mean_t(x: Linear, at: Confidence) -> Limits:
    """Mean loss plus or minus a Student quantile times its standard error.

    A function of means (a root mean squared error, say) enters through its slope; a cluster of rows counts as one unit.
    Weighted rows and unequal clusters have one degree of freedom less than equal ones that tell as much.
    """
    half = at.t(x.degrees) * x.sample_error
    return Limits(x.value - half, x.value + half)


@interval(
    "Delta method",
    reads=Linear,
    cite=("hampel1974", "takahashi2022"),
    assumes=("IID", "FIX", "NORM", "BIG"),
    limits=(ONE_UNIT, NO_SPREAD, FEW),
    known=(Known({"score": "fbeta", "matrix": ((50, 3, 2), (4, 30, 6), (1, 5, 19)), "level": 0.95}, (0.7277, 0.8784)),),
    aliases="influence_function, linearisation",
)
def delta(x: Linear, at: Confidence, *, scale: str = "plain") -> Limits:
    """Value plus or minus a normal quantile times the standard error from influence values.

    With groups or weights the quantile is Student's, with one degree less than groups or rows in effect.
    `scale="logit"` builds the interval on the logit scale, for scores between 0 and 1.
    """
    half = _quantile(x, at) * x.standard_error
    if scale == "plain":
        return Limits(x.value - half, x.value + half)
    if scale != "logit" or not 0 < x.value < 1:
        raise BadInput(
            f"delta: scale is 'plain', or 'logit' for a value strictly between 0 and 1, not {scale!r} at {x.value:.4g}"
        )
    return on_logit_scale(x.value, half)


def _quantile(x: Linear, at: Confidence) -> float:
    """The spread of a few groups or heavy rows is poorly known, which only Student's quantile makes good for."""
    return at.t(x.degrees) if x.sampled else at.z


def on_logit_scale(value: float, half: float) -> Limits:
    """Limits of a value in (0, 1) with the half width it has on the plain scale, symmetric on the logit scale."""
    if not 0 < value < 1:  # the logit of either end is infinite
        return Limits(nan, nan)
    half /= value * (1 - value)
    return Limits(expit(logit(value) - half), expit(logit(value) + half))


@interval(
    "Order statistics",
    reads=Losses,
    only=("median_absolute_error",),
    cite=("conover1999",),
    assumes=("IID", "FIX"),
    limits=(PLAIN_ORDER,),
    aliases="quantile_interval",
)
def order_statistics(x: Losses, at: Confidence) -> Limits:
    """The losses at the ranks between which a fair coin's number of heads falls often enough; exact for any law."""
    losses = _sorted_losses(x)
    rank = outer_rank(len(losses), at.tail)
    if rank < 1:
        return Limits(0.0, inf, (TOO_FEW,))
    return Limits(float(losses[rank - 1]), float(losses[-rank]))


def _sorted_losses(x: Losses) -> Array:
    losses = x.columns[:, 0] if x.weight is None else unroll(x.columns[:, 0], x.weight)
    return np.sort(losses)


def outer_rank(rows: int, tail: float) -> int:
    """The largest rank k for which fewer than k of `rows` fair coins show heads with probability at most `tail`."""
    from scipy.special import bdtr

    low, high = 0, rows // 2 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bdtr(middle - 1, rows, 0.5) <= tail else (low, middle)
    return low
