"""Friedman's test for tables with missing cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.many import INDISTINGUISHABLE, ONE_DATASET, TWO_LEARNERS, chi_square, missing_cell, one_of
from veracity.core.errors import Refused
from veracity.core.notes import Limit
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import Array, frozen

NOT_AT_RANDOM = Limit(
    "missing-cells",
    "caution",
    "this holds where scores are missing at random; a learner that failed is not",
    lambda m: m.missing > 0,
    lambda m: f" (the first is {missing_cell(m)}): skillings_mack(missing='worst') gives it the worst rank there",
)


@comparison(
    "Skillings-Mack",
    reads=ScoreMatrix,
    compares=0,
    cite=("skillings1981",),
    assumes=("DSI", "BIG"),
    limits=(ONE_DATASET, TWO_LEARNERS, NOT_AT_RANDOM),
)
def skillings_mack(m: ScoreMatrix, *, missing: str = "random") -> Verdict:
    """Whether ranks within data sets differ by more than chance where some learners have no score on some data sets.

    Without missing cells and ties it is friedman. Data sets with one score are left out. `missing="worst"` ranks a
    missing score behind all others of its data set: the choice where it is missing because the learner failed.
    """
    one_of("skillings_mack: missing", missing, ("random", "worst"))
    ranks = (filled_with_worst(m) if missing == "worst" else m).ranks
    present = ~np.isnan(ranks)
    useful = present.sum(axis=1) > 1
    ranks, present = ranks[useful], present[useful]
    _connected(present, m.learners)
    df = ranks.shape[1] - 1
    sizes = present.sum(axis=1, keepdims=True)
    scaled = np.where(present, np.sqrt(12 / (sizes + 1)) * (np.nan_to_num(ranks) - (sizes + 1) / 2), 0.0)
    sums = scaled.sum(axis=0)
    if not scaled.any():
        return Verdict(0.0, 1.0, df, (INDISTINGUISHABLE,))
    statistic = float(sums[1:] @ np.linalg.solve(_covariance(present)[1:, 1:], sums[1:]))
    return Verdict(statistic, chi_square(statistic, df), df)


def filled_with_worst(m: ScoreMatrix) -> ScoreMatrix:
    """Missing scores as infinitely bad ones, which rank last and tie with each other."""
    worst = np.inf if m.better == "lower" else -np.inf
    none = np.isnan(m.values)
    return replace(m, values=frozen(np.where(none, worst, m.values)), taken=frozen(none))


def _covariance(present: Array) -> Array:
    """Of the adjusted rank sums: less one for each data set that holds both, rows summing to 0."""
    together = -(present.T.astype(float) @ present)
    np.fill_diagonal(together, 0.0)
    np.fill_diagonal(together, -together.sum(axis=1))
    return together


def _connected(present: Array, learners: tuple[str, ...]) -> None:
    """Refuse a table that falls into parts without a data set in common."""
    meets = present.T.astype(int) @ present > 0
    reached = np.zeros(len(learners), bool)
    reached[0] = True
    for _ in learners:
        reached = reached | meets[reached].any(axis=0)
    if not reached.all():
        apart = learners[int(np.flatnonzero(~reached)[0])]
        says = f"{learners[0]} and {apart} share no data set, not even through other learners: rank them apart"
        raise Refused(says, "not-connected")
