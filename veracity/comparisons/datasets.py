"""Two learners on many data sets: t tests over data sets, and the limits that all such tests share."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.notes import Note, always, caution, refuse
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import TIE, Array

ONE_DATASET = refuse(
    "one-dataset",
    "one data set says nothing about other data sets: give several, or compare split scores using corrected_t",
    lambda m: len(m) < 2,
)
INFINITE = refuse(
    "infinite-scores", "some scores are infinite, so they have no mean: use wilcoxon or sign", lambda m: not _finite(m)
)
CONSTANT = refuse(
    "no-spread",
    "the difference is the same on all data sets and not 0, so its spread says nothing: use wilcoxon or sign",
    lambda m: _spread(m.difference) == 0 and bool(m.difference.any()),
)
FEW_DATASETS = caution(
    "few-datasets", "fewer than 30 data sets: the test leans on differences being normal", lambda m: len(m) < 30
)
BOTH_CONSTANT = refuse(
    "no-spread",
    "neither learner's score varies over the data sets, so their spread says nothing: use wilcoxon or sign",
    lambda m: _finite(m) and bool(m.difference.any()) and not any(map(_spread, m.values.T)),
)
AVERAGES = caution(
    "averages",
    "averages over data sets compare scores that are not of one kind, and one outlying data set can decide:"
    " use wilcoxon",
    always,
)
ALL_EQUAL = Note("all-equal", "remark", "the learners score alike on every data set: no evidence either way")


@comparison(
    "t of the averages",
    reads=ScoreMatrix,
    cite=("demsar2006", "welch1947"),
    assumes=("DSI", "COMM", "NORM"),
    limits=(ONE_DATASET, INFINITE, BOTH_CONSTANT, AVERAGES),
)
def averaged_t(m: ScoreMatrix) -> Verdict:
    """Welch's test of the two average scores over data sets, as if the data sets of the two learners were others.

    That data sets differ more than learners drowns every difference, and scores of different data sets are seldom of
    one kind.
    """
    from scipy.special import stdtr

    first, second = (_spread(column) ** 2 / len(m) for column in m.values.T)
    difference, error = float(m.difference.mean()), math.sqrt(first + second)
    if error == 0:
        return Verdict(0.0, 1.0, 2 * len(m) - 2, () if difference else (ALL_EQUAL,), difference)
    df = (first + second) ** 2 / ((first**2 + second**2) / (len(m) - 1))
    t = difference / error
    return Verdict(t, float(2 * stdtr(df, -abs(t))), df, difference=difference, standard_error=error)


@comparison(
    "Paired t over data sets",
    reads=ScoreMatrix,
    cite=("student1908", "demsar2006"),
    assumes=("DSI", "COMM", "NORM"),
    limits=(ONE_DATASET, INFINITE, CONSTANT, FEW_DATASETS),
)
def paired_t(m: ScoreMatrix) -> Verdict:
    """Student's test of the mean difference over data sets.

    Right where differences mean the same on all data sets and are near normal; an outlying data set spoils it.
    """
    from scipy.special import stdtr

    d, df = m.difference, len(m) - 1
    mean, error = float(d.mean()), _spread(d) / math.sqrt(len(d))
    if error == 0:
        return Verdict(0.0, 1.0, df, () if mean else (ALL_EQUAL,), mean, facts=tally(m))
    t = mean / error
    p = float(2 * stdtr(df, -abs(t)))
    return Verdict(t, p, df, difference=mean, standard_error=error, facts=tally(m))


def tally(m: ScoreMatrix) -> tuple[tuple[str, float], ...]:
    """On how many data sets the first learner is better, equal, worse."""
    return tuple(zip(("wins", "ties", "losses"), m.wins, strict=True))


def _finite(m: ScoreMatrix) -> bool:
    return bool(np.isfinite(m.values).all())


def _spread(d: Array) -> float:
    """Sample standard deviation, exactly 0 where rounding alone tells the differences apart."""
    if len(d) < 2 or np.ptp(d) <= TIE * np.abs(d).max():
        return 0.0
    return float(d.std(ddof=1))
