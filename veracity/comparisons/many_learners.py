"""What tests of many learners over many data sets share: tables they refuse, and ties among computed numbers."""

from __future__ import annotations

import math

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Limit, Note, caution, refuse
from veracity.core.words import phrase
from veracity.evidence.normality import normality_limit
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import TIE, Array

ONE_DATASET = refuse(
    "one-dataset",
    "one data set says nothing about others: rank learners over several, or compare them on its splits",
    lambda m: len(m) < 2,
)
COMPARE_TWO = phrase("compare(..., using='wilcoxon')", "veracity compare --using wilcoxon")
TWO_LEARNERS = refuse(
    "two-learners", f"this test is of three learners or more: {COMPARE_TWO} is for two", lambda m: len(m.learners) < 3
)
MISSING = Limit(
    "missing-cells",
    "refuse",
    "every learner needs a score on every data set",
    lambda m: m.missing > 0,
    lambda m: f": {missing_cell(m)} is missing; skillings_mack reads tables with missing cells",
)
INFINITE = refuse(
    "infinite",
    "an infinite score has no size to compare: friedman and iman_davenport read ranks alone",
    lambda m: bool(np.isinf(m.values).any()),
)
SMALL = caution(
    "small-table",
    "fewer than 10 data sets or fewer than 5 learners: this p-value is asymptotic, friedman(exact=True) is not",
    lambda m: len(m) < 10 or len(m.learners) < 5,
)
WHOLE = (ONE_DATASET, TWO_LEARNERS, MISSING)


def left_over(m: ScoreMatrix) -> Array:
    """What neither learners nor data sets explain of the scores, all of them; none where that is no number."""
    values = m.values
    if not np.isfinite(values).all():
        return np.empty(0)
    left: Array = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return left.ravel()


NOT_NORMAL = normality_limit(left_over, "what learners and data sets leave of the scores", "a ranking by friedman")

INDISTINGUISHABLE = Note("all-tied", "remark", "all learners are tied on every data set: they are indistinguishable")
ALIKE = Note(
    "all-alike",
    "remark",
    "all data sets rank the learners alike: the statistic is infinite, the p-value the exact chance of that",
)


def missing_cell(m: ScoreMatrix) -> str:
    """The first cell without a score, by name."""
    row, column = np.argwhere(np.isnan(m.values))[0]
    return f"that of {m.learners[column]} on {m.datasets[row]}"


def mid_ranks(values: Array, scale: float | None = None) -> Array:
    """Ranks from 1, equals sharing their mean; gaps that rounding alone makes tie.

    Numbers that were formed by subtraction are rounded on a `scale` that they do not tell: else it is their largest.
    """
    order = np.argsort(values, axis=None, kind="stable")
    ascending = values.ravel()[order]
    scale = ascending[np.isfinite(ascending)].max(initial=0.0) if scale is None else scale
    with np.errstate(invalid="ignore"):  # infinite values tie: their difference is NaN, which exceeds nothing
        block = np.cumsum(np.diff(ascending, prepend=ascending[:1]) > TIE * scale)
    size = np.bincount(block)
    ranks = np.empty(values.size)
    ranks[order] = (np.cumsum(size) - (size - 1) / 2)[block]
    return ranks.reshape(values.shape)


def largest_score(m: ScoreMatrix) -> float:
    """The largest score in size: what rounding errors are relative to."""
    return float(np.abs(m.values).max())


def doubled_ranks(ranks: Array) -> Array:
    """Ranks less their centre, times two: whole numbers, whose sums are exact."""
    return 2 * ranks - (ranks.shape[1] + 1)


def chance_alike(ranks: Array) -> float:
    """Chance that all data sets arrange the ranks of the first as it does, when every order is as likely."""
    k, sizes = ranks.shape[1], np.unique(ranks[0], return_counts=True)[1]
    ways = math.lgamma(k + 1) - sum(math.lgamma(size + 1) for size in sizes)
    return math.exp(-ways * (len(ranks) - 1))


def small_table_notes(m: ScoreMatrix) -> tuple[Note, ...]:
    """What is said of an asymptotic p-value, where an exact one needs no such words."""
    return (SMALL.note(m),) if SMALL.when(m) else ()


def chi_square_tail(statistic: float, df: float) -> float:
    """Chance of a larger value."""
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))


def f_tail(statistic: float, df: tuple[float, float]) -> float:
    """Chance of a larger value under the F law."""
    from scipy.special import fdtrc

    return float(fdtrc(*df, statistic))


def check_one_of(name: str, value: str, offered: tuple[str, ...]) -> None:
    """Refuse a word that a parameter does not know."""
    if value not in offered:
        raise BadInput(f"{name} is {' or '.join(map(repr, offered))}, not {value!r}")
