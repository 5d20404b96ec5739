"""The interval for a learner from bootstrap draws that left rows out."""

from __future__ import annotations

import math

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.notes import always, caution, refuse
from veracity.evidence.learner_losses import DrawnLosses
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

ADVISED = 1_000
NEVER_OUT = refuse(
    "never-out",
    "some rows were in every draw, so their loss is not known: use more draws, as by='loo_bootstrap(draws=1000)'",
    lambda x: bool((x.times_out == 0).any()),
)
NO_SPREAD = refuse(
    "no-spread", "all rows have the same loss, so their spread says nothing", lambda x: np.ptp(x.each) == 0
)
FEW_DRAWS = caution(
    "few-draws",
    f"fewer than {ADVISED} draws: the standard error is poorly known, use by='loo_bootstrap(draws={ADVISED})'",
    lambda x: x.draws < ADVISED,
)
FEWER_ROWS = caution(
    "fewer-rows",
    "a draw holds about 63.2 % of the rows, so the interval is about a learner that sees fewer and errs more",
    always,
)


@interval(
    "Leave-one-out bootstrap",
    reads=DrawnLosses,
    answers="learner",
    cite=("efron1997",),
    assumes=("IID", "NORM", "BIG"),
    limits=(NEVER_OUT, NO_SPREAD, FEW_DRAWS, FEWER_ROWS),
)
def loo_bootstrap_se(x: DrawnLosses, at: Confidence) -> Limits:
    """Normal interval for the leave-one-out bootstrap; its standard error comes from the very same draws.

    The delta method after the bootstrap: how much each row weighs in the estimate is read from its loss where it was
    left out and from the loss of the draws that it was in.
    """
    half = at.z * standard_error(x)
    return Limits(x.mean - half, x.mean + half, about=x.mean)


def standard_error(x: DrawnLosses) -> float:
    """The length of the vector of the rows' influences."""
    own = (2 + 1 / (x.rows - 1)) * (x.each - x.mean) / x.rows
    return math.sqrt(float(np.sum((own + x.covariance / x.times_out) ** 2)))
