"""Intervals for a learner, from its scores on the splits of a design."""

from __future__ import annotations

import math

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.notes import Limit, always, caution, refuse
from veracity.evidence.split_scores import SplitScores
from veracity.findings.interval import Limits
from veracity.intervals.coverage import coverage_of
from veracity.intervals.entry import interval

DIFFERENCES = (0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01)

ONE_SPLIT = refuse(
    "one-split",
    "one split says nothing about how splits differ: use by='repeated_kfold(k=10, repeats=10)'",
    lambda s: len(s) < 2,
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: use fewer folds or a design that spreads classes",
    lambda s: s.undefined > 0,
)
NO_SPREAD = refuse("no-spread", "all splits have the same score, so their spread says nothing", lambda s: s.spread == 0)
FEW_SPLITS = caution(
    "few-splits", "fewer than 10 splits: the spread between them is poorly known", lambda s: len(s) < 10
)
UNEQUAL = caution(
    "unequal-training",
    "the training sets differ in size, and the variance is that of sets of one size: take the result for a rough guide",
    lambda s: s.unequal,
    lambda s: f" (they have {s.train.min()} to {s.train.max()} rows)",
)


def _worst(_: SplitScores) -> str:
    """How rarely it held the truth where that was known."""
    found = min(coverage_of("naive_t"), key=lambda row: row.covered, default=None)
    if found is None:
        return ""
    return (
        f"; in a simulated world ({found.setting}, {found.rows} rows) it held {found.covered:.0%} at {found.level:.0%}"
    )


NAIVE = Limit(
    "naive",
    "refuse",
    "naive_t takes splits that share training rows for independent, and with ever more repeats its width goes to 0: "
    "use corrected_t",
    always,
    _worst,
)


@interval(
    title="Corrected resampled t",
    reads=SplitScores,
    answers="learner",
    cite=("nadeau2003",),
    assumes=("RHO", "NORM"),
    limits=(ONE_SPLIT, UNDEFINED, NO_SPREAD, FEW_SPLITS, UNEQUAL),
    known=(Known({"splits": DIFFERENCES, "train": 9, "test": 1, "level": 0.95}, (0.0010, 0.0390)),),
)
def corrected_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits, widened because the splits share training rows.

    The variance of the mean is s^2 (1/J + n_test/n_train) in place of s^2/J: with ever more repeats the width tends
    to what the rows themselves allow, and not to 0.
    """
    half = at.t(len(s) - 1) * s.spread * math.sqrt(1 / len(s) + s.test_share)
    return Limits(s.mean - half, s.mean + half, about=s.mean)


@interval(
    title="Student's t over splits",
    reads=SplitScores,
    answers="learner",
    cite=("dietterich1998", "nadeau2003", "bengio2004"),
    assumes=("NORM",),
    limits=(NAIVE, ONE_SPLIT, UNDEFINED, NO_SPREAD),
)
def naive_t(s: SplitScores, at: Confidence) -> Limits:
    """Student's interval for the mean over splits as if they were independent, which they are not: always refused.

    It is here because it is so often printed, and so that it can be simulated; corrected_t takes its place.
    """
    half = at.t(len(s) - 1) * s.spread / math.sqrt(len(s))
    return Limits(s.mean - half, s.mean + half, about=s.mean)
