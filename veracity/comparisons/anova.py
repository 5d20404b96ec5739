"""Repeated-measures analysis of variance: one score of each learner on each data set."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.many import INDISTINGUISHABLE, INFINITE, WHOLE, chi_square, fisher, largest, one_of
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import TIE, Array


class Parts(NamedTuple):
    """Mean squares of the learners and of what neither learners nor data sets explain."""

    learners: float
    error: float
    df: tuple[int, int]


@comparison(
    "Repeated-measures analysis of variance",
    reads=ScoreMatrix,
    compares=0,
    cite=("greenhouse1959", "mauchly1940", "demsar2006"),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(*WHOLE, INFINITE),
)
def anova(m: ScoreMatrix, *, correction: str = "none") -> Verdict:
    """Whether mean scores differ by more than their differences vary over data sets.

    Scores must be comparable across data sets, close to normal, and differences of any two learners must vary alike
    (sphericity, checked by Mauchly's test); `correction="greenhouse_geisser"` lowers the degrees of freedom by how far
    that fails. iman_davenport needs none of this.
    """
    one_of("anova: correction", correction, ("none", "greenhouse_geisser"))
    found = parts(m)
    epsilon = sphericity(m.values)
    if found.error == 0:
        return Verdict(0.0, 1.0, found.df, (INDISTINGUISHABLE,))
    statistic = found.learners / found.error
    shrunk = epsilon if correction == "greenhouse_geisser" else 1.0
    df = (found.df[0] * shrunk, found.df[1] * shrunk)
    notes = _doubt(m.values, epsilon) if correction == "none" else ()
    return Verdict(statistic, fisher(statistic, df), df, notes, facts=(("epsilon", epsilon),))


def parts(m: ScoreMatrix) -> Parts:
    """The mean squares; refuses where every data set has the same differences, so that nothing is left over."""
    values = m.values
    n, k = values.shape
    means = values.mean(axis=0)
    left = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    df = (k - 1, (k - 1) * (n - 1))
    between = n * np.square(means - means.mean()).sum() / df[0]
    rounding = (TIE * largest(m)) ** 2
    if np.square(left).max() > rounding:
        return Parts(float(between), float(np.square(left).sum() / df[1]), df)
    if np.square(means - means.mean()).max() > rounding:
        says = "the learners differ by the same amount on every data set, so there is no error to hold that against"
        raise Refused(f"{says}: iman_davenport reads ranks", "no-spread")
    return Parts(0.0, 0.0, df)


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
    return chi_square(float(-scale * log_w), size * (size + 1) / 2 - 1)


def _covariance(values: Array) -> Array:
    """Of the columns, centred by rows and columns."""
    found = np.cov(values, rowvar=False)
    return found - found.mean(axis=0) - found.mean(axis=1, keepdims=True) + found.mean()


def _doubt(values: Array, epsilon: float) -> tuple[Note, ...]:
    """Whether sphericity is in doubt."""
    n, k = values.shape
    way_out = "use correction='greenhouse_geisser', or iman_davenport"
    if n <= k:
        says = f"too few data sets to check that differences vary alike (epsilon {epsilon:.2f}): {way_out}"
    elif (p := mauchly(values)) < 0.05:
        says = f"differences between learners do not vary alike (Mauchly p = {p:.2g}, epsilon {epsilon:.2f}): {way_out}"
    else:
        return ()
    return (Note("sphericity", "caution", says),)
