"""Post hoc tests on mean ranks and mean scores of all learners."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from veracity.adjustments.p_values import chance_of_any
from veracity.comparisons.friedman import (
    CONVENTIONS,
    INFINITE,
    NOT_NORMAL,
    SMALL,
    check_one_of,
    mean_squares,
    ranks_of_aligned,
    sum_of_squares,
    weighted_ranks,
)
from veracity.core.distributions import root
from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.posthoc import HOLES, POOL, PairTests, posthoc
from veracity.records.arrays import Array


@posthoc("Mean ranks", cite=("demsar2006", "benavoli2016"), assumes=("DSI", "BIG"), limits=(HOLES, POOL, SMALL))
def mean_ranks(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Difference of two mean ranks over its standard error when all learners are equal, on the normal law."""
    return normal_tests(m.average_ranks, standard_error(m), first, second)


@posthoc(
    "Mean aligned ranks",
    cite=("hodges1962", "garcia2010", "benavoli2016"),
    assumes=("DSI", "COMM", "BIG"),
    limits=(HOLES, INFINITE, POOL, SMALL),
    about="mean aligned ranks",
)
def aligned_ranks(m: ScoreMatrix, first: Array, second: Array, miss: float, *, convention: str = "exact") -> PairTests:
    """Difference of two mean aligned ranks over its standard error, on the normal law.

    The published standard error, `convention="scmamp"`, is too small (by a tenth for 5 learners): with it the test
    rejects too often.
    """
    check_one_of("aligned_ranks: convention", convention, CONVENTIONS)
    ranks = ranks_of_aligned(m)
    n, k = ranks.shape
    within = np.square(ranks - ranks.mean(axis=1, keepdims=True)).sum()
    error = math.sqrt(k * (k * n + 1) / 6) if convention == "scmamp" else math.sqrt(2 * within / ((k - 1) * n**2))
    return normal_tests(ranks.mean(axis=0), error, first, second)


@posthoc(
    "Quade's weighted ranks",
    cite=("quade1979", "garcia2010", "benavoli2016"),
    assumes=("DSI", "COMM", "BIG"),
    limits=(HOLES, INFINITE, POOL, SMALL),
    about="mean weighted ranks",
)
def quade(m: ScoreMatrix, first: Array, second: Array, miss: float, *, convention: str = "exact") -> PairTests:
    """Difference of two means of ranks, weighted by the rank of a data set's range, over its standard error.

    The published standard error, `convention="scmamp"`, is too wide for more than 3 learners: with it the test rejects
    too seldom.
    """
    check_one_of("quade: convention", convention, CONVENTIONS)
    weighted = weighted_ranks(m)
    n, k = weighted.shape
    scale = 2 / (4 * n * (n + 1))  # from sums of doubled ranks times doubled weights to means
    error = scale * math.sqrt(2 * sum_of_squares(weighted, "exact") / (k - 1))
    if convention == "scmamp":
        error = math.sqrt(k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1)))
    return normal_tests(scale * weighted.sum(axis=0), error, first, second)


def standard_error(m: ScoreMatrix) -> float:
    """Of a difference of two mean ranks, when all orders of untied learners are as likely."""
    n, k = m.values.shape
    return math.sqrt(k * (k + 1) / (6 * n))


def normal_tests(means: Array, error: float, first: Array, second: Array) -> PairTests:
    """Two-sided p-values of differences of means that have one standard error."""
    from scipy.special import ndtr

    difference = means[first] - means[second]
    z = difference / error if error > 0 else np.zeros(len(difference))
    return PairTests(difference, z, 2 * ndtr(-np.abs(z)))


MEANS = "mean scores"
POINTS = 64  # of the inner integral: 10 digits for 2 to 1,000 learners
OUTER = 64  # of the integral over the standard deviation
REACH = 9.0  # normal deviations beyond which nothing is left to double precision
CHUNK = 8_000  # values at a time


@posthoc(
    "Nemenyi",
    cite=("nemenyi1963", "demsar2006"),
    assumes=("DSI", "BIG"),
    limits=(HOLES, POOL, SMALL),
    alone=True,
    asks="all",
)
def nemenyi(m: ScoreMatrix, first: Array, second: Array, miss: float, *, df: str = "infinite") -> PairTests:
    """All differences of mean ranks against one critical difference, from the law of the range of all of them.

    The weakest choice: holm of mean_ranks is never far behind, and bergmann_hommel finds more.
    `df="finite"` takes (N-1)k degrees of freedom, as scmamp does, in place of infinitely many.
    """
    if df not in ("infinite", "finite"):
        raise BadInput(f"nemenyi: df is 'infinite' or 'finite', not {df!r}")
    n, k = m.values.shape
    degrees = (n - 1) * k if df == "finite" else math.inf
    tests = mean_ranks.function(m, first, second, miss)
    adjusted = range_tail(math.sqrt(2) * np.abs(tests.statistic), k, degrees)
    q = range_critical(miss, k, degrees)
    return tests._replace(adjusted=adjusted, critical_difference=q / math.sqrt(2) * standard_error(m))


@posthoc(
    "Bonferroni-Dunn",
    cite=("dunn1961", "demsar2006"),
    assumes=("DSI", "BIG"),
    limits=(HOLES, POOL, SMALL),
    alone=True,
    asks="control",
)
def bonferroni_dunn(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Differences of mean ranks to those of a control, each p-value times their number.

    Holm's adjustment of mean_ranks is never worse.
    """
    from scipy.special import ndtri

    tests = mean_ranks.function(m, first, second, miss)
    number = len(first)
    critical = -ndtri(miss / (2 * number)) * standard_error(m)
    return tests._replace(adjusted=np.minimum(number * tests.p, 1.0), critical_difference=float(critical))


@posthoc(
    "Tukey",
    cite=("tukey1949",),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(HOLES, INFINITE, NOT_NORMAL),
    alone=True,
    asks="all",
    about=MEANS,
)
def tukey(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """All differences of mean scores against one least difference, with the error of the analysis of variance."""
    k, df = len(m.learners), mean_squares(m).df[1]
    tests, error = _student_tests(m, first, second)
    adjusted = range_tail(math.sqrt(2) * np.abs(tests.statistic), k, df)
    least = range_critical(miss, k, df) / math.sqrt(2) * error
    return tests._replace(adjusted=adjusted, critical_difference=least)


@posthoc(
    "Dunnett",
    cite=("dunnett1955",),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(HOLES, INFINITE, NOT_NORMAL),
    alone=True,
    asks="control",
    about=MEANS,
)
def dunnett(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Differences of mean scores to that of a control against one least difference, as tukey does for all pairs."""
    others, df = len(first), mean_squares(m).df[1]
    tests, error = _student_tests(m, first, second)
    adjusted = control_tail(np.abs(tests.statistic), others, df)
    least = control_critical(miss, others, df) * error
    return tests._replace(adjusted=adjusted, critical_difference=least)


def _student_tests(m: ScoreMatrix, first: Array, second: Array) -> tuple[PairTests, float]:
    """Each pair alone, by Student's test with the error of the analysis of variance; and that error."""
    from scipy.special import stdtr

    squares = mean_squares(m)
    error = math.sqrt(2 * squares.error / len(m))
    means = m.values.mean(axis=0)
    difference = means[first] - means[second]
    t = difference / error if error > 0 else np.zeros(len(difference))
    return PairTests(difference, t, 2 * stdtr(squares.df[1], -np.abs(t))), error


def range_tail(q: Array, learners: int, df: float = math.inf) -> Array:
    """Chance that the range of so many means over their standard error is at least q, to full relative precision."""

    def at(q: Array) -> Array:
        from scipy.special import ndtr, ndtri

        lowest = max(-REACH, float(ndtri(math.exp(-45 / (learners - 1)))))  # the largest of many is never lower
        u, weight = _nodes(lowest, REACH, POINTS)
        top = learners * weight * _density(u) * ndtr(u) ** (learners - 1)
        below = np.minimum(ndtr(u - q[:, None]) / ndtr(u), 1.0)  # of the others, given that the largest is u
        return chance_of_any(below, learners - 1) @ top

    return _mean_over_deviations(at, np.asarray(q, float), df)


def control_tail(d: Array, others: int, df: float = math.inf) -> Array:
    """Chance that the largest of the differences to a control, over its standard error, is at least d in size."""

    def at(d: Array) -> Array:
        from scipy.special import ndtr

        u, weight = _nodes(-REACH, REACH, POINTS)
        wide = math.sqrt(2) * d[:, None]
        outside = np.minimum(ndtr(u - wide) + ndtr(-u - wide), 1.0)
        return chance_of_any(outside, others) @ (weight * _density(u))

    return _mean_over_deviations(at, np.asarray(d, float), df)


@cache
def range_critical(miss: float, learners: int, df: float = math.inf) -> float:
    """The value that `range_tail` exceeds with chance `miss`."""
    return _critical_value(lambda q: range_tail(q, learners, df), miss)


@cache
def control_critical(miss: float, others: int, df: float = math.inf) -> float:
    """The value that `control_tail` exceeds with chance `miss`."""
    return _critical_value(lambda d: control_tail(d, others, df), miss)


def _critical_value(tail: Callable[[Array], Array], miss: float) -> float:
    high = 4.0
    while tail(np.array([high]))[0] > miss:
        high *= 2
    return root(lambda x: tail(np.array([x]))[0] - miss, 0.0, high, xtol=1e-12)


def _mean_over_deviations(at: Callable[[Array], Array], values: Array, df: float) -> Array:
    """The mean of a tail over the law of a standard deviation that was estimated with `df` degrees of freedom."""
    deviations, weights = _deviations(df)
    step = max(1, CHUNK // len(weights))
    tails = np.empty(len(values))
    for start in range(0, len(values), step):
        scaled = np.multiply.outer(values[start : start + step], deviations)
        tails[start : start + step] = at(scaled.ravel()).reshape(scaled.shape) @ weights
    return np.clip(tails, 0.0, 1.0)


@cache
def _deviations(df: float) -> tuple[Array, Array]:
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    from scipy.special import gammaincinv, gammaln

    low, high = np.sqrt(2 * gammaincinv(df / 2, [1e-17, 1 - 1e-16]) / df)
    s, weight = _nodes(low, high, OUTER)
    log = df / 2 * math.log(df / 2) - gammaln(df / 2) + math.log(2) + (df - 1) * np.log(s) - df * s**2 / 2
    return s, weight * np.exp(log)


@cache
def _nodes(low: float, high: float, number: int) -> tuple[Array, Array]:
    """Gauss and Legendre's points and weights between two limits."""
    x, weight = np.polynomial.legendre.leggauss(number)
    half = (high - low) / 2
    return low + half * (x + 1), half * weight


def _density(u: Array) -> Array:
    return np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
