"""Post hoc tests on mean ranks and mean scores of all learners."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from veracity.adjustments.adjust import chance_of_any
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

RANKS: dict[str, Any] = {"assumes": ("DSI", "BIG"), "limits": (HOLES, POOL, SMALL)}
WEIGHTED_RANKS: dict[str, Any] = {"assumes": ("DSI", "COMM", "BIG"), "limits": (HOLES, INFINITE, POOL, SMALL)}
SINGLE_STEP: dict[str, Any] = {
    "assumes": ("DSI", "COMM", "NORM", "SPH"),
    "limits": (HOLES, INFINITE, NOT_NORMAL),
    "alone": True,
    "about": "mean scores",
}


@posthoc("Mean ranks", **RANKS, cite=("demsar2006", "benavoli2016"))
def mean_ranks(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Difference of two mean ranks over its standard error when all learners are equal, on the normal law."""
    return compare_means(m.average_ranks, standard_error(m), first, second)


@posthoc(
    "Mean aligned ranks",
    **WEIGHTED_RANKS,
    cite=("hodges1962", "garcia2010", "benavoli2016"),
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
    return compare_means(ranks.mean(axis=0), error, first, second)


@posthoc(
    "Quade's weighted ranks",
    **WEIGHTED_RANKS,
    cite=("quade1979", "garcia2010", "benavoli2016"),
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
    return compare_means(scale * weighted.sum(axis=0), error, first, second)


def standard_error(m: ScoreMatrix) -> float:
    """Return that of a difference of two mean ranks, when all orders of untied learners are as likely."""
    n, k = m.values.shape
    return math.sqrt(k * (k + 1) / (6 * n))


def compare_means(means: Array, error: float, first: Array, second: Array, df: float | None = None) -> PairTests:
    """Return two-sided p-values of differences of means with one standard error, by the normal or Student's law."""
    from scipy.special import ndtr, stdtr

    difference = means[first] - means[second]
    statistic = difference / error if error > 0 else np.zeros(len(difference))
    tail = ndtr(-np.abs(statistic)) if df is None else stdtr(df, -np.abs(statistic))
    return PairTests(difference, statistic, 2 * tail)


POINTS = 64  # of each integral: 10 digits for 2 to 1,000 learners
REACH = 9.0  # normal deviations beyond which nothing is left to double precision
CHUNK = 8_000  # values at a time


@posthoc("Nemenyi", **RANKS, cite=("nemenyi1963", "demsar2006"), alone=True, asks="all")
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
    q = critical_value(range_tail, miss, k, degrees)
    return tests._replace(adjusted=adjusted, critical_difference=q / math.sqrt(2) * standard_error(m))


@posthoc("Bonferroni-Dunn", **RANKS, cite=("dunn1961", "demsar2006"), alone=True, asks="control")
def bonferroni_dunn(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Differences of mean ranks to those of a control, each p-value times their number.

    Holm's adjustment of mean_ranks is never worse.
    """
    from scipy.special import ndtri

    tests = mean_ranks.function(m, first, second, miss)
    number = len(first)
    critical = -ndtri(miss / (2 * number)) * standard_error(m)
    return tests._replace(adjusted=np.minimum(number * tests.p, 1.0), critical_difference=float(critical))


@posthoc("Tukey", **SINGLE_STEP, cite=("tukey1949",), asks="all")
def tukey(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """All differences of mean scores against one least difference, with the error of the analysis of variance."""
    k, df, error = len(m.learners), mean_squares(m).df[1], error_of_means(m)
    tests = compare_means(m.values.mean(axis=0), error, first, second, df)
    adjusted = range_tail(math.sqrt(2) * np.abs(tests.statistic), k, df)
    least = critical_value(range_tail, miss, k, df) / math.sqrt(2) * error
    return tests._replace(adjusted=adjusted, critical_difference=least)


@posthoc("Dunnett", **SINGLE_STEP, cite=("dunnett1955",), asks="control")
def dunnett(m: ScoreMatrix, first: Array, second: Array, miss: float) -> PairTests:
    """Differences of mean scores to that of a control against one least difference, as tukey does for all pairs."""
    others, df, error = len(first), mean_squares(m).df[1], error_of_means(m)
    tests = compare_means(m.values.mean(axis=0), error, first, second, df)
    adjusted = control_tail(np.abs(tests.statistic), others, df)
    least = critical_value(control_tail, miss, others, df) * error
    return tests._replace(adjusted=adjusted, critical_difference=least)


def error_of_means(m: ScoreMatrix) -> float:
    """Return the standard error of a difference of two mean scores, by the analysis of variance."""
    return math.sqrt(2 * mean_squares(m).error / len(m))


def range_tail(q: Array, learners: int, df: float = math.inf) -> Array:
    """Return the probability that the range of so many means over their standard error is at least q.

    To full relative precision, which scipy's studentized_range lacks far in the tail, and much faster for many pairs.
    """
    from scipy.special import ndtr, ndtri

    def tail(q: Array, u: Array, density: Array) -> Array:
        below = np.minimum(ndtr(u - q[:, None]) / ndtr(u), 1.0)  # of the others, given that the largest is u
        return chance_of_any(below, learners - 1) @ (learners * density * ndtr(u) ** (learners - 1))

    lowest = max(-REACH, float(ndtri(math.exp(-45 / (learners - 1)))))  # the largest of many is never lower
    return _mean_over_deviations(tail, lowest, q, df)


def control_tail(d: Array, others: int, df: float = math.inf) -> Array:
    """Return the probability that the largest difference to a control, over its standard error, is at least d."""
    from scipy.special import ndtr

    def tail(d: Array, u: Array, density: Array) -> Array:
        wide = math.sqrt(2) * d[:, None]
        return chance_of_any(np.minimum(ndtr(u - wide) + ndtr(-u - wide), 1.0), others) @ density

    return _mean_over_deviations(tail, -REACH, d, df)


def _mean_over_deviations(tail: Callable[[Array, Array, Array], Array], lowest: float, at: Array, df: float) -> Array:
    """Return the mean of a tail over the law of a standard deviation estimated with `df` degrees of freedom.

    The tail is an integral over a standard normal number, from the lowest that matters on.
    """
    u, weight = _nodes(lowest, REACH)
    density = weight * np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
    deviations, weights = _deviations(df)
    step = max(1, CHUNK // len(weights))
    values, tails = np.asarray(at, float), np.empty(len(at))
    for start in range(0, len(values), step):
        scaled = np.multiply.outer(values[start : start + step], deviations)
        tails[start : start + step] = tail(scaled.ravel(), u, density).reshape(scaled.shape) @ weights
    return np.clip(tails, 0.0, 1.0)


@cache
def _deviations(df: float) -> tuple[Array, Array]:
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    from scipy.special import gammaincinv, gammaln

    low, high = np.sqrt(2 * gammaincinv(df / 2, [1e-17, 1 - 1e-16]) / df)
    s, weight = _nodes(low, high)
    log = df / 2 * math.log(df / 2) - gammaln(df / 2) + math.log(2) + (df - 1) * np.log(s) - df * s**2 / 2
    return s, weight * np.exp(log)


@cache
def _nodes(low: float, high: float) -> tuple[Array, Array]:
    """Return Gauss and Legendre's points and weights between two limits."""
    x, weight = np.polynomial.legendre.leggauss(POINTS)
    half = (high - low) / 2
    return low + half * (x + 1), half * weight


@cache
def critical_value(tail: Callable[[Array, int, float], Array], miss: float, number: int, df: float = math.inf) -> float:
    """Return the value that a tail, of so many learners or differences, exceeds with the probability `miss`."""

    def excess(at: float) -> float:
        return float(tail(np.array([at]), number, df)[0]) - miss

    high = 4.0
    while excess(high) > 0:
        high *= 2
    return root(excess, 0.0, high, xtol=1e-12)
