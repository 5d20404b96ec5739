"""Two learners on five times two folds of one data set."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.splits import INFINITE
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.notes import always, caution, refuse
from veracity.evidence.split_scores import SplitScores
from veracity.intervals.splits import UNDEFINED
from veracity.records.arrays import Array

EXAMPLE = ((0.03, 0.01), (0.02, 0.04), (0.00, 0.02), (0.05, 0.03), (0.01, 0.01))

OTHER_DESIGN = refuse(
    "wrong-design",
    "this test reads five repeats of two folds that swap training and test rows: evaluate by='five_by_two'",
    lambda s: not _is_five_by_two(s),
)
NO_SPREAD = refuse(
    "no-spread",
    "the two folds of every repeat differ by the same amount, so they say nothing about chance: use corrected_t",
    lambda s: _is_five_by_two(s) and not _variances(_folds(s)).any() and bool(_folds(s).any()),
)
ONE_OF_TEN = caution(
    "one-of-ten",
    "only the first of the ten differences is tested, and another order of the folds gives another answer:"
    " use five_by_two_f",
    always,
)
LIMITS = (UNDEFINED, INFINITE, OTHER_DESIGN, NO_SPREAD)


@comparison(
    "5x2cv t",
    reads=SplitScores,
    cite=("dietterich1998",),
    assumes=("NORM",),
    limits=(*LIMITS, ONE_OF_TEN),
    known=(Known({"differences": EXAMPLE}, (2.372, 0.0638)),),
)
def five_by_two_t(s: SplitScores) -> Verdict:
    """The first of ten differences over the spread between the two folds of five repeats."""
    from scipy.special import stdtr

    folds = _folds(s)
    error = math.sqrt(float(_variances(folds).mean()))
    if error == 0:
        return Verdict(0.0, 1.0, 5, difference=s.mean)
    t = float(folds[0, 0]) / error
    return Verdict(t, float(2 * stdtr(5, -abs(t))), 5, difference=s.mean)


@comparison(
    "5x2cv F",
    reads=SplitScores,
    cite=("alpaydin1999",),
    assumes=("NORM",),
    limits=LIMITS,
    known=(Known({"differences": EXAMPLE}, (4.375, 0.0585)),),
)
def five_by_two_f(s: SplitScores) -> Verdict:
    """All ten differences, squared, over the spread between the two folds of five repeats.

    Ten fits per learner suffice, so it is for fits that are dear. The law F(10, 5) is approximate: numerator and
    denominator are not independent, and the five repeats use the same rows.
    """
    from scipy.special import fdtrc

    folds = _folds(s)
    below = 2 * float(_variances(folds).sum())
    if below == 0:
        return Verdict(0.0, 1.0, (10, 5), difference=s.mean)
    f = float((folds**2).sum()) / below
    return Verdict(f, float(fdtrc(10, 5, f)), (10, 5), difference=s.mean)


def _is_five_by_two(s: SplitScores) -> bool:
    _, times = np.unique(s.repeats, return_counts=True)
    if len(times) != 5 or not (times == 2).all():
        return False
    order = np.argsort(s.repeats, kind="stable")
    train, test = s.train[order].reshape(5, 2), s.test[order].reshape(5, 2)
    return bool((np.abs(train - test[:, ::-1]) <= 1).all())  # one row may be lost to rounding of a stated size


def _folds(s: SplitScores) -> Array:
    """The differences as five repeats of two folds; of another number there is no such thing, whatever is accepted."""
    if len(s) != 10:
        raise Refused(OTHER_DESIGN.says, OTHER_DESIGN.code)
    return s.values[np.argsort(s.repeats, kind="stable")].reshape(5, 2)


def _variances(folds: Array) -> Array:
    """Summed squares about the mean of each repeat, exactly 0 where its two folds agree."""
    return (folds[:, 0] - folds[:, 1]) ** 2 / 2
