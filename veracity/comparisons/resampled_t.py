"""Two learners on the splits of one data set: t tests of their differences, designs of their own, and a posterior."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from veracity.comparisons.entry import TestResult, comparison, worst_error_rate
from veracity.comparisons.posteriors import check_rope, point_mass
from veracity.core.confidence import student_p_values
from veracity.core.errors import Refused
from veracity.core.notes import Limit, Note, always, caution, check, refuse
from veracity.evidence.score_matrix import SplitScores, SplitTable, Subsamples
from veracity.findings.significance import Posterior, Student
from veracity.intervals.resampled import (
    EVEN_CLASSES,
    FEW_SPLITS,
    ONE_SPLIT,
    TRAINED_ALIKE,
    UNDEFINED,
    UNEQUAL,
    conservative_law,
)
from veracity.records.arrays import Array


@cache
def measured_rate(name: str) -> str:
    """Return how often a test rejects in the world where it errs most, in brackets."""
    worst = worst_error_rate(name)
    return "" if worst is None else f" (measured where nothing differs: {worst})"


INFINITE = refuse(
    "infinite-splits",
    "the difference is infinite in some splits, so it has no mean: use a bounded score such as brier",
    lambda s: not s.finite and bool(np.isinf(s.values).any()),
)
CONSTANT = refuse(
    "no-spread",
    "the difference is the same in all splits and not 0, so its spread says nothing: use a finer score such as brier,"
    " or larger test parts",
    lambda s: s.spread == 0 and s.mean != 0,
)
NOTHING_MOVES = refuse(CONSTANT.code, CONSTANT.says, lambda s: CONSTANT.when(s) and s.losses.spread_away == 0)
SKEWED = caution(
    "skewed-splits",
    "the differences of the splits are skewed (beyond 1): Student's law is a rough guide",
    lambda s: len(s) >= 10 and s.finite and abs(s.skewness) > 1,
)
MANY_REPEATS = refuse(
    "not-kfold",
    "these are not the folds of one k-fold cross-validation, whose test parts make up all rows: use conservative_t",
    lambda s: not _one_kfold(s),
)
OVERLAP = caution(
    "shared-training-rows",
    "folds share training rows, so the test finds differences too often: trust corrected_t",
    always,
)
DISCREDITED = Limit(
    "discredited",
    "refuse",
    "resampled_t takes splits that share rows for independent and finds differences where there are none:"
    " use conservative_t",
    always,
    lambda _: measured_rate("resampled_t"),
)
TOO_LIBERAL = caution(
    "repeated-splits",
    "by several repeats the variance of corrected_t is too small for learners that change with every row:"
    " use conservative_t",
    lambda s: s.rounds > 1,
    lambda _: measured_rate("corrected_t"),
)
ALL_EQUAL = Note("all-equal", "remark", "the learners score alike in every split: no evidence either way")
SOUND = (ONE_SPLIT, UNDEFINED, INFINITE)
NO_SPREAD = Note("no-spread", "caution", "the difference is the same in all splits: the posterior is that one number")


@comparison(
    "Corrected resampled t",
    reads=SplitScores,
    cite=("nadeau2003",),
    assumes=("RHO", "NORM"),
    limits=(*SOUND, CONSTANT, FEW_SPLITS, SKEWED, UNEQUAL, TOO_LIBERAL, EVEN_CLASSES),
    letter="t",
)
def corrected_t(s: SplitScores) -> TestResult:
    """Student's test of the mean difference over splits, its variance raised because splits share training rows.

    The variance of the mean is s^2 (1/J + n_test/n_train) in place of s^2/J, so that more repeats make the answer
    steadier without making it certain. How much splits really share depends on the learner: by one k-fold it holds its
    level, by several repeats an unstable learner is found different too often, and conservative_t is the default. The
    difference is that of the two estimates, which is the mean over splits where these test equally many rows.
    """
    return student_test(s, s.standard_error)


@comparison(
    "Conservative resampled t",
    reads=SplitScores,
    cite=("nadeau2003", "hall1992"),
    assumes=("RHO2",),
    limits=(*SOUND, NOTHING_MOVES, FEW_SPLITS, UNEQUAL, TRAINED_ALIKE),
    letter="t",
)
def conservative_t(s: SplitScores) -> TestResult:
    """Student's test of the mean difference over splits, its variance that of one repeat however many there are.

    The variance of the mean is s^2 (1/J + n_test/n_train + (1 - 1/R) n_test/n) for R repeats: more of them make the
    answer steadier and no more certain. The law has 15 degrees of freedom at most, and Hall's transformation takes out
    the skewness of the splits, shrunk as if ten more had none. Where classes are spread evenly over splits, what their
    shares add to the variance of the difference is added. For learners that change little it finds less than
    corrected_t.
    """
    law = conservative_law(s)
    if law.standard_error == 0:
        return replace(student_test(s, 0.0), df=law.df)
    p, error = student_p_values(law.statistic, law.df), law.standard_error
    return TestResult.from_p_values(law.statistic, p, law.df, s.centre, standard_error=error, limits=law.limits)


@comparison(
    "k-fold t",
    reads=SplitScores,
    cite=("dietterich1998", "bengio2004"),
    assumes=("NORM",),
    limits=(*SOUND, MANY_REPEATS, CONSTANT, OVERLAP),
    letter="t",
)
def kfold_t(s: SplitScores) -> TestResult:
    """Student's test of the mean difference over the folds of one k-fold cross-validation; rejects too often.

    It takes folds for independent though any two share most of their training rows. The result shows the corrected
    p-value beside it.
    """
    fair = student_test(s, s.standard_error)
    naive = student_test(s, s.spread / math.sqrt(len(s)))
    return replace(naive, facts=(("corrected_t_p_value", fair.p_value or 0.0),))


@comparison(
    "Resampled t",
    reads=SplitScores,
    cite=("dietterich1998", "nadeau2003"),
    assumes=("NORM",),
    limits=(*SOUND, DISCREDITED, CONSTANT),
    letter="t",
)
def resampled_t(s: SplitScores) -> TestResult:
    """Student's test of the mean difference over hold-outs as if they were independent: refused.

    With enough repeats it finds any two learners different. It is here so that it can be measured.
    """
    return student_test(s, s.spread / math.sqrt(len(s)))


def student_test(s: SplitScores, error: float) -> TestResult:
    """Student's test of the mean of the splits with some standard error; without any spread p is 1."""
    notes = () if error or s.centre else (ALL_EQUAL,)
    return TestResult.from_standard_error(s.centre, error, len(s) - 1, notes=notes)


def _one_kfold(s: SplitScores) -> bool:
    """One repeat whose test parts make up all rows, give or take one per fold where sizes were rounded."""
    rows = s.train + s.test
    return len(s) > 1 and s.rounds == 1 and bool(np.all(np.abs(s.test.sum() - rows) <= len(s)))


@comparison(
    "Correlated t posterior",
    reads=SplitScores,
    cite=("corani2015", "benavoli2017"),
    assumes=("RHO", "NORM", "PRIOR"),
    limits=(*SOUND, FEW_SPLITS, SKEWED, UNEQUAL, TOO_LIBERAL, EVEN_CLASSES),
)
def correlated_t_posterior(s: SplitScores, *, rope: float = 0.0) -> TestResult:
    """Probabilities that the mean difference is below -rope, inside [-rope, rope], and above.

    Student's law about the mean difference with the variance of corrected_t, under a flat prior: the same numbers,
    read as probabilities. The interval is that of the posterior.
    """
    from scipy.special import stdtr

    rope, error, df = check_rope(rope), s.standard_error, len(s) - 1
    posterior = Posterior(rope, Student(s.centre, error, df))
    if error == 0:
        known = point_mass(s.centre, rope)
        return TestResult(None, None, df, s.centre, notes=(NO_SPREAD,), probabilities=known, posterior=posterior)
    left, right = (float(stdtr(df, (-rope + sign * s.centre) / error)) for sign in (-1, 1))
    probabilities = (left, max(0.0, 1 - left - right) if rope else 0.0, right)
    return TestResult(None, None, df, s.centre, error, probabilities=probabilities, posterior=posterior)


OTHER_DESIGN = refuse(
    "wrong-design",
    "this test reads five repeats of two folds that swap training and test rows: evaluate `by='five_by_two'`",
    lambda s: not _is_five_by_two(s),
)
ALIKE_REPEATS = refuse(
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
TOO_LIBERAL_FIVE_BY_TWO = caution(
    "unstable-learner",
    "tests of five times two folds find differences too often between learners that change with every row:"
    " use conservative_t",
    always,
    lambda _: measured_rate("five_by_two_f"),
)
LIMITS = (UNDEFINED, INFINITE, OTHER_DESIGN, ALIKE_REPEATS, TOO_LIBERAL_FIVE_BY_TWO)
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
    "5x2cv t", reads=SplitScores, cite=("dietterich1998",), assumes=("NORM",), limits=(*LIMITS, ONE_OF_TEN), letter="t"
)
def five_by_two_t(s: SplitScores) -> TestResult:
    """The first of ten differences over the spread between the two folds of five repeats."""
    folds = _folds(s)
    error = math.sqrt(float(_variances(folds).mean()))
    if error == 0:
        return TestResult(0.0, 1.0, 5, s.centre)
    t = float(folds[0, 0]) / error
    return TestResult.from_p_values(t, student_p_values(t, 5), 5, s.centre)


@comparison(
    "5x2cv F", reads=SplitScores, cite=("alpaydin1999",), assumes=("NORM",), limits=LIMITS, directed=False, letter="F"
)
def five_by_two_f(s: SplitScores) -> TestResult:
    """All ten differences, squared, over the spread between the two folds of five repeats.

    Ten fits per learner suffice, so it is for fits that are dear. The law F(10, 5) is approximate: numerator and
    denominator are not independent, and the five repeats use the same rows.
    """
    from scipy.special import fdtrc

    folds = _folds(s)
    variance = 2 * float(_variances(folds).sum())
    if variance == 0:
        return TestResult(0.0, 1.0, (10, 5), s.centre)
    f = float((folds**2).sum()) / variance
    return TestResult(f, float(fdtrc(10, 5, f)), (10, 5), s.centre)


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
    letter="z",
)
def conservative_z(s: Subsamples) -> TestResult:
    """The mean difference over splits of all rows against its spread between disjoint halves of them.

    Halves share no row, so their spread hides nothing; but learners in them train on fewer rows, so it overstates the
    variance and the test rejects less often than its level says. It reads the design paired_subsampling.
    """
    return TestResult.from_standard_error(s.mean, math.sqrt(s.variance))


@comparison(
    "Ideal z",
    reads=SplitTable,
    cite=("dietterich1998",),
    assumes=("IID", "NORM"),
    limits=(SHARED_ROWS, UNDEFINED_FITS, ONE_FIT, ALIKE_FITS, FEW_FITS),
    letter="z",
)
def ideal_z(table: SplitTable) -> TestResult:
    """The difference of two mean scores over independent training sets, each tested on fresh rows.

    This is what every other test on one data set stands in for. It needs a population that can be sampled again and
    again.
    """
    check((ONE_FIT,), table)  # whatever is accepted
    first, second = _score_table(table)
    difference = float(first.mean() - second.mean())
    error = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / len(first))
    return TestResult.from_standard_error(difference, error)


def _score_table(table: SplitTable) -> Array:
    return np.stack([scores.values for scores in table.learners.values()])
