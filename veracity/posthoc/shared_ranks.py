"""Pairs by ranks that all learners share: mean ranks, aligned ranks, Quade's."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.anova import CONVENTIONS, ranks_of_aligned, sum_of_squares, weighted_ranks
from veracity.comparisons.friedman import INFINITE, SMALL, check_one_of
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.posthoc.entry import HOLES, POOL, PairTests, posthoc
from veracity.records.arrays import Array


@posthoc(
    "Mean ranks",
    cite=("demsar2006", "benavoli2016"),
    assumes=("DSI", "BIG"),
    limits=(HOLES, POOL, SMALL),
    aliases="mean_rank_test, average_ranks",
    keywords="Demsar",
)
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
