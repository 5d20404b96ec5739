"""Intervals of mean ranks, and the places that decided pairs leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veracity.core.confidence import Confidence
from veracity.evidence.proportion import FewValues
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.rank_interval import RankInterval
from veracity.findings.ranked_pair import RankedPair
from veracity.intervals.few_values import mean_score
from veracity.records.arrays import Array


def rank_intervals(
    matrix: ScoreMatrix, kind: str | None, pairs: Sequence[RankedPair], control: str | None, at: Confidence
) -> dict[str, RankInterval]:
    """Of the mean rank the score interval over data sets, each by itself or all at once (Bonferroni).

    Places are those that the pairs leave (Al Mohamad, Goeman and van Zwet 2022): behind all learners that are concluded
    to be better, before all that are concluded to be worse. They hold for all at once if the adjustment of pairs does.
    """
    if kind is None:
        return {}
    number = len(matrix.learners)
    level = at.level if kind == "marginal" else 1 - at.miss / number
    means = dict(zip(matrix.learners, matrix.average_ranks.tolist(), strict=True))
    found = {}
    for name, ranks in zip(matrix.learners, matrix.ranks.T, strict=True):
        low, high, *_ = mean_score.function(_few_values(ranks, number), Confidence(level))
        apart = [{pair.a, pair.b} - {name} for pair in pairs if pair.rejected and name in (pair.a, pair.b)]
        ahead = sum(means[other] < means[name] for (other,) in apart)
        first, last = (None, None) if control is not None else (1 + ahead, number - len(apart) + ahead)
        found[name] = RankInterval(low, high, first, last, at.level)
    return found


def _few_values(ranks: Array, number: int) -> FewValues:
    """How often each rank, halves among them where learners tie."""
    values = np.arange(2, 2 * number + 1) / 2
    places = np.rint(2 * ranks[~np.isnan(ranks)]).astype(int) - 2
    return FewValues(values, np.bincount(places, minlength=len(values)).astype(float))
