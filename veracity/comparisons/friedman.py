"""Friedman's test of mean ranks over data sets, and the F form of Iman and Davenport."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.exact_ranks import exact_tail, permuted_tail
from veracity.comparisons.many import (
    ALIKE,
    INDISTINGUISHABLE,
    WHOLE,
    chance_alike,
    chi_square,
    doubled,
    fisher,
    rough,
)
from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import Array


@comparison(
    "Friedman",
    reads=ScoreMatrix,
    compares=0,
    cite=("friedman1937", "demsar2006"),
    assumes=("DSI",),
    limits=WHOLE,
)
def friedman(
    m: ScoreMatrix, *, tie_correction: bool = True, exact: bool = False, draws: int = 0, seed: int = 0
) -> Verdict:
    """Whether mean ranks over the data sets differ by more than chance, on the chi-square law.

    `tie_correction=False` gives the value that Demsar 2006 and scmamp print. The chi-square law is rough for few data
    sets or learners: `exact=True` convolves all arrangements of the ranks of each data set (3 learners on up to 200
    data sets, 4 on 40, 5 on 14, 6 on 6), `draws=10000` permutes them. Both keep the ties of each data set.
    """
    sums, spread = _sums(m.ranks, tie_correction)
    df = len(m.learners) - 1
    if not doubled(m.ranks).any():
        return Verdict(0.0, 1.0, df, (INDISTINGUISHABLE,))
    statistic = df * sums / spread
    if exact and draws:
        raise BadInput("friedman: exact=True needs no draws, so give one of them")
    if exact:
        return Verdict(statistic, exact_tail(m.ranks), df)
    if draws:
        p, error = permuted_tail(m.ranks, draws, seed)
        return Verdict(statistic, p, df, facts=(("monte_carlo_error", error),))
    return Verdict(statistic, chi_square(statistic, df), df, rough(m))


@comparison(
    "Iman-Davenport",
    reads=ScoreMatrix,
    compares=0,
    cite=("iman1980", "demsar2006"),
    assumes=("DSI",),
    limits=WHOLE,
)
def iman_davenport(m: ScoreMatrix, *, tie_correction: bool = True) -> Verdict:
    """Friedman's statistic on the F law, which is closer to the truth than the chi-square one.

    The usual first question: do any of the learners differ? Where all data sets rank the learners alike the statistic
    is infinite, and the p-value is the exact chance of that.
    """
    n, k = m.ranks.shape
    df = (k - 1, (k - 1) * (n - 1))
    sums, spread = _sums(m.ranks, tie_correction)
    if not doubled(m.ranks).any():
        return Verdict(0.0, 1.0, df, (INDISTINGUISHABLE,))
    left = n * spread - sums
    if left <= 0:
        return Verdict(float("inf"), chance_alike(m.ranks), df, (ALIKE,))
    statistic = (n - 1) * sums / left
    return Verdict(statistic, fisher(statistic, df), df, rough(m))


def _sums(ranks: Array, tie_correction: bool) -> tuple[float, float]:
    """Squares of the rank sums, and of the ranks (those of untied ones without the correction), centred and doubled.

    They are whole numbers, so that all data sets ranking alike is told exactly: the first is then n times the second.
    """
    n, k = ranks.shape
    centred = doubled(ranks)
    spread = np.square(centred).sum() if tie_correction else n * k * (k**2 - 1) / 3
    return float(np.square(centred.sum(axis=0)).sum()), float(spread)
