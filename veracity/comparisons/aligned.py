"""Rank tests that also use how large differences are: aligned ranks, and Quade's."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.many import (
    ALIKE,
    INDISTINGUISHABLE,
    INFINITE,
    SMALL,
    WHOLE,
    chance_alike,
    chi_square,
    doubled,
    fisher,
    largest,
    midranks,
    one_of,
    rough,
)
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import Array

CONVENTIONS = ("exact", "scmamp")


@comparison(
    "Aligned ranks",
    reads=ScoreMatrix,
    compares=0,
    cite=("hodges1962", "garcia2010"),
    assumes=("DSI", "COMM", "BIG"),
    limits=(*WHOLE, INFINITE, SMALL),
)
def aligned_ranks(m: ScoreMatrix, *, convention: str = "exact") -> Verdict:
    """Ranks of all scores together, each less the mean of its data set, so that large differences count for more.

    Differences must be comparable in size across data sets. `convention="scmamp"` takes the sum of squared ranks of
    scores without ties, as that package does.
    """
    one_of("aligned_ranks: convention", convention, CONVENTIONS)
    ranks = ranks_of_aligned(m)
    n, k = ranks.shape
    within = _within(ranks, convention)
    if not (ranks != ranks[:, :1]).any():
        return Verdict(0.0, 1.0, k - 1, (INDISTINGUISHABLE,))
    between = np.square(ranks.sum(axis=0) - n * (k * n + 1) / 2).sum()
    statistic = float((k - 1) * between / within)
    return Verdict(statistic, chi_square(statistic, k - 1), k - 1)


@comparison(
    "Quade",
    reads=ScoreMatrix,
    compares=0,
    cite=("quade1979", "garcia2010"),
    assumes=("DSI", "COMM"),
    limits=(*WHOLE, INFINITE),
)
def quade(m: ScoreMatrix, *, convention: str = "exact") -> Verdict:
    """Friedman's test in which a data set weighs by the rank of its range, the largest difference among its scores.

    Ranges must be comparable in size across data sets. `convention="scmamp"` takes the sum of squares of scores
    without ties, as that package does.
    """
    one_of("quade: convention", convention, CONVENTIONS)
    weighted = weighted_ranks(m)
    n, k = weighted.shape
    df = (k - 1, (k - 1) * (n - 1))
    if not weighted.any():
        return Verdict(0.0, 1.0, df, (INDISTINGUISHABLE,))
    total = squares(weighted, convention)
    between = np.square(weighted.sum(axis=0)).sum() / n
    if total <= between:
        return Verdict(float("inf"), chance_alike(m.ranks), df, (ALIKE,))
    statistic = float((n - 1) * between / (total - between))
    return Verdict(statistic, fisher(statistic, df), df, rough(m))


def ranks_of_aligned(m: ScoreMatrix) -> Array:
    """All scores less the mean of their data set, ranked together, 1 = best."""
    aligned = m.values - m.values.mean(axis=1, keepdims=True)
    return midranks(aligned if m.better == "lower" else -aligned, largest(m))


def weighted_ranks(m: ScoreMatrix) -> Array:
    """Centred ranks within a data set times the rank of its range, both doubled: whole numbers."""
    ranges = np.ptp(m.values, axis=1)
    return 2 * midranks(ranges, largest(m))[:, None] * doubled(m.ranks)


def squares(weighted: Array, convention: str) -> float:
    """The sum of squares of doubled weighted ranks, actual or as without ties."""
    n, k = weighted.shape
    if convention == "scmamp":
        return 16 * n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    return float(np.square(weighted).sum())


def _within(ranks: Array, convention: str) -> float:
    """Squared ranks less what the data sets explain."""
    cells, k = ranks.size, ranks.shape[1]
    untied = cells * (cells + 1) * (2 * cells + 1) / 6
    total = untied if convention == "scmamp" else np.square(ranks).sum()
    return float(total - np.square(ranks.sum(axis=1)).sum() / k)
