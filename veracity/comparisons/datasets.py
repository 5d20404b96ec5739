"""Two learners on many data sets by their mean difference, and the limits that all tests over data sets share."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.core.distributions import root
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Limit, Note, always, caution, refuse
from veracity.evidence.interval_evidence import normality_limit
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import TIE, Array

ONE_DATASET = refuse(
    "one-dataset",
    "one data set says nothing about other data sets: give several, or compare split scores using corrected_t",
    lambda m: len(m) < 2,
)
INFINITE = refuse(
    "infinite-scores",
    "some scores are infinite, so they have no mean: use wilcoxon or sign",
    lambda m: not _is_finite(m),
)
CONSTANT = refuse(
    "no-spread",
    "the difference is the same on all data sets and not 0, so its spread says nothing: use wilcoxon or sign",
    lambda m: _spread(m.difference) == 0 and bool(m.difference.any()),
)
FEW_DATASETS = caution(
    "few-datasets",
    "fewer than 30 data sets: the test leans on differences being normal, which so few hardly show; wilcoxon does not",
    lambda m: len(m) < 30,
)
NOT_NORMAL = normality_limit(lambda m: m.difference, "the differences over data sets", "wilcoxon")
NOT_NORMAL_SCORES = normality_limit(
    lambda m: (m.values - m.values.mean(axis=0)).ravel() if _is_finite(m) else m.difference[:0],
    "the scores over data sets",
    "wilcoxon",
)
BOTH_CONSTANT = refuse(
    "no-spread",
    "neither learner's score varies over the data sets, so their spread says nothing: use wilcoxon or sign",
    lambda m: _is_finite(m) and bool(m.difference.any()) and not any(map(_spread, m.values.T)),
)
AVERAGES = caution(
    "averages",
    "averages over data sets compare scores that are not of one kind, and one outlying data set can decide:"
    " use wilcoxon",
    always,
)
ALL_EQUAL = Note("all-equal", "remark", "the learners score alike on every data set: no evidence either way")
WRONG_DESIGN = Limit(
    "wrong-design",
    "refuse",
    "the scores of these splits cannot be tested: ",
    lambda m: bool(m.without_splits),
    lambda m: m.without_splits,
)
EQUAL_EVERYWHERE = Note("all-equal", "remark", "the learners score alike on every split: no evidence either way")
SAME_EVERYWHERE = Note(
    "no-spread",
    "refuse",
    "the difference is the same on all splits of all data sets, so its spread says nothing: use wilcoxon",
)
NO_SPLITS = refuse(
    "no-splits",
    "two_level reads the split scores of each data set, and these scores have none: use wilcoxon",
    lambda m: m.splits is None or any(cell is None for row in m.splits for cell in row),
)
FEW_FOR_LEVELS = caution(
    "few-datasets",
    "fewer than 6 data sets: how much the difference varies between them is poorly known",
    lambda m: len(m) < 6,
)


@comparison(
    "t of the averages",
    reads=ScoreMatrix,
    cite=("demsar2006", "welch1947"),
    assumes=("DSI", "COMM", "NORM"),
    limits=(ONE_DATASET, INFINITE, BOTH_CONSTANT, AVERAGES, NOT_NORMAL_SCORES),
    letter="t",
)
def averaged_t(m: ScoreMatrix) -> TestResult:
    """Welch's test of the two average scores over data sets, as if the data sets of the two learners were others.

    That data sets differ more than learners drowns every difference, and scores of different data sets are seldom of
    one kind.
    """
    first, second = (_spread(column) ** 2 / len(m) for column in m.values.T)
    difference, error, df = float(m.difference.mean()), math.sqrt(first + second), 2.0 * len(m) - 2
    if error > 0:
        df = (first + second) ** 2 / ((first**2 + second**2) / (len(m) - 1))
    notes = () if error or difference else (ALL_EQUAL,)
    return TestResult.from_standard_error(difference, error, df, notes=notes)


@comparison(
    "Paired t over data sets",
    reads=ScoreMatrix,
    cite=("student1908", "demsar2006", "shapiro1965"),
    assumes=("DSI", "COMM", "NORM"),
    limits=(ONE_DATASET, INFINITE, CONSTANT, FEW_DATASETS, NOT_NORMAL),
    letter="t",
)
def paired_t(m: ScoreMatrix) -> TestResult:
    """Student's test of the mean difference over data sets.

    Right where differences mean the same on all data sets and are near normal; an outlying data set spoils it.
    """
    mean, error = float(m.difference.mean()), _spread(m.difference) / math.sqrt(len(m))
    notes = () if error or mean else (ALL_EQUAL,)
    return TestResult.from_standard_error(mean, error, len(m) - 1, notes=notes, facts=tally(m))


def tally(m: ScoreMatrix) -> tuple[tuple[str, float], ...]:
    """On how many data sets the first learner is better, equal, worse."""
    return tuple(zip(("wins", "ties", "losses"), m.wins, strict=True))


def _is_finite(m: ScoreMatrix) -> bool:
    return bool(np.isfinite(m.values).all())


def _spread(d: Array) -> float:
    """Sample standard deviation, exactly 0 where rounding alone tells the differences apart."""
    if len(d) < 2 or np.ptp(d) <= TIE * np.abs(d).max():
        return 0.0
    return float(d.std(ddof=1))


@comparison(
    "Two-level mean",
    reads=ScoreMatrix,
    cite=("nadeau2003", "paule1982", "sidik2005", "kish1965"),
    assumes=("DSI", "COMM", "NORM", "RHO"),
    limits=(ONE_DATASET, WRONG_DESIGN, NO_SPLITS, FEW_FOR_LEVELS, NOT_NORMAL),
    letter="t",
)
def two_level(m: ScoreMatrix) -> TestResult:
    """The mean difference over data sets, each weighing by how precisely its splits tell its own difference.

    Splits vary within a data set (their variance raised for shared training rows, as in corrected_t) and true
    differences vary between data sets. More repeats make the first smaller, so they buy power, down to what the second
    leaves. Differences must be comparable in size across data sets.

    The variance between data sets is Paule and Mandel's. Weights that are estimated are not known: the error is the
    larger of what the model says and what the data sets scatter, and Student's law has the effective number of data
    sets less one as its degrees of freedom. With N - 1 of them and the error of the model, as is common, up to 12 % of
    simulated null worlds were rejected at .05; in this form about 5 % at most, and fewer where differences vary little.
    """
    means, variances, floored = _means_and_variances(m)
    if not variances.any() and not np.ptp(means):
        note = SAME_EVERYWHERE if means[0] else EQUAL_EVERYWHERE
        return TestResult(None if means[0] else 0.0, 1.0, len(m) - 1, float(means[0]), notes=(note,))
    between = variance_between(means, variances)
    weights = 1 / (variances + between)
    share = weights / weights.sum()
    mean = float(share @ means)
    scatter = math.sqrt(share**2 @ (np.square(means - mean) / (1 - share)))
    error = max(1 / math.sqrt(weights.sum()), scatter)
    df = max(1 / float(share @ share) - 1, 1.0)
    facts = (("deviation_between", math.sqrt(between)), ("deviation_within", math.sqrt(variances.mean())))
    return TestResult.from_standard_error(mean, error, df, notes=floored, facts=facts)


def variance_between(means: Array, variances: Array) -> float:
    """The variance of true differences that brings weighted squares down to their degrees of freedom, or 0."""

    def excess(between: float) -> float:
        weights = 1 / (variances + between)
        centre = weights @ means / weights.sum()
        return float(weights @ np.square(means - centre)) - (len(means) - 1)

    lowest = 0.0 if variances.all() else 1e-12 * float(np.var(means))
    if excess(lowest) <= 0:
        return lowest
    return root(excess, lowest, 2 * float(np.square(means - means.mean()).sum()), xtol=1e-300, rtol=1e-12)


def _means_and_variances(m: ScoreMatrix) -> tuple[Array, Array, tuple[Note, ...]]:
    """The mean difference of each data set and its corrected variance; one of 0 gets the smallest of the others."""
    if m.splits is None or NO_SPLITS.when(m):  # whatever is accepted: there is nothing to read
        raise Refused(NO_SPLITS.says, NO_SPLITS.code)
    differences = [first - second for first, second in m.splits if first is not None and second is not None]
    for name, difference in zip(m.datasets, differences, strict=True):
        if len(difference) < 2 or not np.isfinite(difference.values).all():
            says = "two_level needs two or more splits on each data set, each with a finite score"
            raise BadInput(f"{says}, and {name} lacks them")
    means = np.array([d.mean for d in differences])
    variances = np.array([d.spread**2 * (1 / len(d) + d.test_share) for d in differences])
    flat = variances == 0
    if not flat.any() or flat.all():
        return means, variances, ()
    says = f"on {int(flat.sum())} data sets all splits differ alike: they get the smallest variance of the others"
    return means, np.where(flat, variances[~flat].min(), variances), (Note("no-spread", "caution", says),)
