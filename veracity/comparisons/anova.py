"""Tests of many learners that use how large differences are: analysis of variance, aligned ranks, Quade's."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.comparisons.friedman import (
    ALIKE,
    INDISTINGUISHABLE,
    INFINITE,
    NOT_NORMAL,
    SMALL,
    WHOLE,
    chance_alike,
    check_one_of,
    chi_square_tail,
    doubled_ranks,
    f_tail,
    largest_score,
    mid_ranks,
    residuals,
    small_table_notes,
)
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import TIE, Array

CONVENTIONS = ("exact", "scmamp")


class MeanSquares(NamedTuple):
    """Mean squares of the learners and of what neither learners nor data sets explain."""

    learners: float
    error: float
    df: tuple[int, int]


@comparison(
    "Repeated-measures analysis of variance",
    reads=ScoreMatrix,
    compares=0,
    cite=("greenhouse1959", "mauchly1940", "demsar2006", "shapiro1965"),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(*WHOLE, INFINITE, NOT_NORMAL),
    letter="F",
)
def anova(m: ScoreMatrix, *, correction: str = "none") -> TestResult:
    """Whether mean scores differ by more than their differences vary over data sets.

    Scores must be comparable across data sets, close to normal, and differences of any two learners must vary alike
    (sphericity, checked by Mauchly's test); `correction="greenhouse_geisser"` lowers the degrees of freedom by how far
    that fails. iman_davenport needs none of this.
    """
    check_one_of("anova: correction", correction, ("none", "greenhouse_geisser"))
    squares = mean_squares(m)
    epsilon = sphericity(m.values)
    if squares.error == 0:
        return TestResult(0.0, 1.0, squares.df, notes=(INDISTINGUISHABLE,))
    statistic = squares.learners / squares.error
    shrunk = epsilon if correction == "greenhouse_geisser" else 1.0
    df = (squares.df[0] * shrunk, squares.df[1] * shrunk)
    notes: tuple[Note, ...] = ()
    n, k = m.values.shape
    way_out = "use correction='greenhouse_geisser', or iman_davenport"
    if correction == "none" and n <= k:
        says = f"too few data sets to check that differences vary alike (epsilon {epsilon:.2f}): {way_out}"
        notes = (Note("sphericity", "caution", says),)
    elif correction == "none" and (p := mauchly(m.values)) < 0.05:
        says = f"differences between learners do not vary alike (Mauchly p = {p:.2g}, epsilon {epsilon:.2f}): {way_out}"
        notes = (Note("sphericity", "caution", says),)
    return TestResult(statistic, f_tail(statistic, df), df, notes=notes, facts=(("epsilon", epsilon),))


def mean_squares(m: ScoreMatrix) -> MeanSquares:
    """The mean squares; refuses where every data set has the same differences, so that nothing is left over."""
    values = m.values
    n, k = values.shape
    means = values.mean(axis=0)
    left = residuals(values)
    df = (k - 1, (k - 1) * (n - 1))
    between = n * np.square(means - means.mean()).sum() / df[0]
    rounding = (TIE * largest_score(m)) ** 2
    if np.square(left).max() > rounding:
        return MeanSquares(float(between), float(np.square(left).sum() / df[1]), df)
    if np.square(means - means.mean()).max() > rounding:
        says = "the learners differ by the same amount on every data set, so there is no error to hold that against"
        raise Refused(f"{says}: iman_davenport reads ranks", "no-spread")
    return MeanSquares(0.0, 0.0, df)


def sphericity(values: Array) -> float:
    """Greenhouse and Geisser's epsilon: 1 where differences of any two learners vary alike, 1/(k-1) at worst."""
    k = values.shape[1]
    centred = _covariance(values)
    squares = np.square(centred).sum()
    return float(np.trace(centred) ** 2 / ((k - 1) * squares)) if squares > 0 else 1.0


def mauchly(values: Array) -> float:
    """P-value of Mauchly's test of sphericity; needs more data sets than learners."""
    n, k = values.shape
    size = k - 1
    roots = np.linalg.eigvalsh(_covariance(values))[1:]  # the smallest belongs to the constant direction
    if roots.min() <= 0:
        return 0.0
    log_w = np.log(roots).sum() - size * math.log(roots.mean())
    scale = n - 1 - (2 * size**2 + size + 2) / (6 * size)
    return chi_square_tail(float(-scale * log_w), size * (size + 1) / 2 - 1)


def _covariance(values: Array) -> Array:
    """Of the columns, centred by rows and columns."""
    covariance = np.cov(values, rowvar=False)
    return covariance - covariance.mean(axis=0) - covariance.mean(axis=1, keepdims=True) + covariance.mean()


@comparison(
    "Aligned ranks",
    reads=ScoreMatrix,
    compares=0,
    cite=("hodges1962", "garcia2010"),
    assumes=("DSI", "COMM", "BIG"),
    limits=(*WHOLE, INFINITE, SMALL),
    letter="chi2",
)
def aligned_ranks(m: ScoreMatrix, *, convention: str = "exact") -> TestResult:
    """Ranks of all scores together, each less the mean of its data set, so that large differences count for more.

    Differences must be comparable in size across data sets. `convention="scmamp"` takes the sum of squared ranks of
    scores without ties, as that package does.
    """
    check_one_of("aligned_ranks: convention", convention, CONVENTIONS)
    ranks = ranks_of_aligned(m)
    n, k = ranks.shape
    cells = ranks.size
    total = cells * (cells + 1) * (2 * cells + 1) / 6 if convention == "scmamp" else np.square(ranks).sum()
    within = float(total - np.square(ranks.sum(axis=1)).sum() / k)  # what the data sets do not explain
    if not (ranks != ranks[:, :1]).any():
        return TestResult(0.0, 1.0, k - 1, notes=(INDISTINGUISHABLE,))
    between = np.square(ranks.sum(axis=0) - n * (k * n + 1) / 2).sum()
    statistic = float((k - 1) * between / within)
    return TestResult(statistic, chi_square_tail(statistic, k - 1), k - 1)


@comparison(
    "Quade",
    reads=ScoreMatrix,
    compares=0,
    cite=("quade1979", "garcia2010"),
    assumes=("DSI", "COMM"),
    limits=(*WHOLE, INFINITE),
    letter="F",
)
def quade(m: ScoreMatrix, *, convention: str = "exact") -> TestResult:
    """Friedman's test in which a data set weighs by the rank of its range, the largest difference among its scores.

    Ranges must be comparable in size across data sets. `convention="scmamp"` takes the sum of squares of scores
    without ties, as that package does.
    """
    check_one_of("quade: convention", convention, CONVENTIONS)
    weighted = weighted_ranks(m)
    n, k = weighted.shape
    df = (k - 1, (k - 1) * (n - 1))
    if not weighted.any():
        return TestResult(0.0, 1.0, df, notes=(INDISTINGUISHABLE,))
    total = sum_of_squares(weighted, convention)
    between = np.square(weighted.sum(axis=0)).sum() / n
    if total <= between:
        return TestResult(float("inf"), chance_alike(m.ranks), df, notes=(ALIKE,))
    statistic = float((n - 1) * between / (total - between))
    return TestResult(statistic, f_tail(statistic, df), df, notes=small_table_notes(m))


def ranks_of_aligned(m: ScoreMatrix) -> Array:
    """All scores less the mean of their data set, ranked together, 1 = best."""
    aligned = m.values - m.values.mean(axis=1, keepdims=True)
    return mid_ranks(aligned if m.better == "lower" else -aligned, largest_score(m))


def weighted_ranks(m: ScoreMatrix) -> Array:
    """Centred ranks within a data set times the rank of its range, both doubled: whole numbers."""
    ranges = np.ptp(m.values, axis=1)
    return 2 * mid_ranks(ranges, largest_score(m))[:, None] * doubled_ranks(m.ranks)


def sum_of_squares(weighted: Array, convention: str) -> float:
    """The sum of squares of doubled weighted ranks, actual or as without ties."""
    n, k = weighted.shape
    if convention == "scmamp":
        return 16 * n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    return float(np.square(weighted).sum())
