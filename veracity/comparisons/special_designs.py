"""Two learners by a design of its own: five times two folds, pairs of disjoint halves, fresh rows for every fit."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.split_differences import INFINITE, measured_rate
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.notes import always, caution, check, refuse
from veracity.core.p_values import student_p_values
from veracity.core.words import option
from veracity.evidence.split_scores import SplitScores, SplitTable, Subsamples
from veracity.intervals.over_splits import UNDEFINED
from veracity.records.arrays import Array

EXAMPLE = ((0.03, 0.01), (0.02, 0.04), (0.00, 0.02), (0.05, 0.03), (0.01, 0.01))

OTHER_DESIGN = refuse(
    "wrong-design",
    "this test reads five repeats of two folds that swap training and test rows: "
    f"evaluate {option('by', 'five_by_two')}",
    lambda s: not _is_five_by_two(s),
)
NO_SPREAD = refuse(
    "no-spread",
    "the two folds of every repeat differ by the same amount, so they say nothing about chance: use conservative_t",
    lambda s: _is_five_by_two(s) and not _variances(_folds(s)).any() and bool(_folds(s).any()),
)
ONE_OF_TEN = caution(
    "one-of-ten",
    "only the first of the ten differences is tested, and another order of the folds gives another answer:"
    " use five_by_two_f",
    always,
)
TOO_LIBERAL = caution(
    "unstable-learner",
    "tests of five times two folds find differences too often between learners that change with every row:"
    " use conservative_t",
    always,
    lambda _: measured_rate("five_by_two_f"),
)
LIMITS = (UNDEFINED, INFINITE, OTHER_DESIGN, NO_SPREAD, TOO_LIBERAL)
UNDEFINED_PARTS = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped: use larger test parts",
    lambda s: not (np.isfinite(s.full).all() and np.isfinite(s.halves).all()),
)
ALIKE_HALVES = refuse(
    "no-spread",
    "the halves of every pair differ by the same amount, so their spread says nothing: use corrected_t",
    lambda s: s.variance == 0 and s.mean != 0,
)
FEW_PAIRS = caution(
    "few-pairs", "fewer than 10 pairs of halves: the variance is poorly known", lambda s: len(s.halves) < 10
)
SHARED_ROWS = refuse(
    "shared-rows",
    "the splits share rows unless it is said that they do not: use corrected_t, or draw fresh rows for every fit and"
    " say split_scores(..., independent=True)",
    lambda table: not table.independent,
)
ONE_FIT = refuse(
    "one-split", "one fit says nothing about how fits differ", lambda table: len(_score_table(table)[0]) < 2
)
UNDEFINED_FITS = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped",
    lambda table: not np.isfinite(_score_table(table)).all(),
)
ALIKE_FITS = refuse(
    "no-spread",
    "neither learner's score varies, so their spread says nothing",
    lambda table: not np.ptp(_score_table(table), axis=1).any() and bool(np.ptp(_score_table(table))),
)
FEW_FITS = caution(
    "few-splits", "fewer than 30 fits: the normal law is rough", lambda table: len(_score_table(table)[0]) < 30
)


@comparison(
    "5x2cv t",
    reads=SplitScores,
    cite=("dietterich1998",),
    assumes=("NORM",),
    limits=(*LIMITS, ONE_OF_TEN),
    known=(Known({"differences": EXAMPLE}, (2.372, 0.0638)),),
    aliases="5x2cv, 5x2_t, 5x2cv_t_test, 5x2cv_paired_t, 5x2cv_paired_t_test, dietterich_5x2cv",
    keywords="Dietterich",
    letter="t",
)
def five_by_two_t(s: SplitScores) -> Verdict:
    """The first of ten differences over the spread between the two folds of five repeats."""
    folds = _folds(s)
    error = math.sqrt(float(_variances(folds).mean()))
    if error == 0:
        return Verdict(0.0, 1.0, 5, difference=s.centre)
    t = float(folds[0, 0]) / error
    return Verdict.of(t, student_p_values(t, 5), 5, difference=s.centre)


@comparison(
    "5x2cv F",
    reads=SplitScores,
    cite=("alpaydin1999",),
    assumes=("NORM",),
    limits=LIMITS,
    known=(Known({"differences": EXAMPLE}, (4.375, 0.0585)),),
    directed=False,
    aliases="5x2_f, 5x2cv_f_test, alpaydin, combined_5x2cv_f, combined_5x2cv_f_test, alpaydin_f",
    letter="F",
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
        return Verdict(0.0, 1.0, (10, 5), difference=s.centre)
    f = float((folds**2).sum()) / below
    return Verdict(f, float(fdtrc(10, 5, f)), (10, 5), difference=s.centre)


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


@comparison(
    "Conservative z",
    reads=Subsamples,
    cite=("nadeau2003",),
    assumes=("NORM",),
    limits=(UNDEFINED_PARTS, ALIKE_HALVES, FEW_PAIRS),
    aliases="conservative_z_test",
    keywords="Nadeau",
    letter="z",
)
def conservative_z(s: Subsamples) -> Verdict:
    """The mean difference over splits of all rows against its spread between disjoint halves of them.

    Halves share no row, so their spread hides nothing; but learners in them train on fewer rows, so it overstates the
    variance and the test rejects less often than its level says. It reads the design paired_subsampling.
    """
    error = math.sqrt(s.variance)
    if error == 0:
        return Verdict(0.0, 1.0, difference=s.mean)
    return Verdict.of_error(s.mean, error)


@comparison(
    "Ideal z",
    reads=SplitTable,
    cite=("dietterich1998",),
    assumes=("IID", "NORM"),
    limits=(SHARED_ROWS, UNDEFINED_FITS, ONE_FIT, ALIKE_FITS, FEW_FITS),
    letter="z",
)
def ideal_z(table: SplitTable) -> Verdict:
    """The difference of two mean scores over independent training sets, each tested on fresh rows.

    This is what every other test on one data set stands in for. It needs a population that can be sampled again and
    again.
    """
    check((ONE_FIT,), table)  # whatever is accepted
    first, second = _score_table(table)
    difference = float(first.mean() - second.mean())
    error = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / len(first))
    if error == 0:
        return Verdict(0.0, 1.0, difference=difference)
    return Verdict.of_error(difference, error)


def _score_table(table: SplitTable) -> Array:
    return np.stack([scores.values for scores in table.learners.values()])
