"""Effect sizes of two learners on the same units: a difference in units of its own variation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from veracity.core.catalogue import Catalogue
from veracity.core.confidence import Confidence
from veracity.core.distributions import below_noncentral, root
from veracity.core.entry import Entry
from veracity.core.measurement import Coverage
from veracity.core.notes import Note, caution, refuse
from veracity.evidence.interval_evidence import FewValues, normality_limit
from veracity.evidence.same_rows import PairedScores
from veracity.findings.interval import Limits
from veracity.intervals.confusion_matrix import mean_score
from veracity.records.arrays import TIE, Array


class Sized(NamedTuple):
    """What a method computes: the effect size and its limits."""

    value: float
    limits: Limits


@dataclass(frozen=True, eq=False, repr=False)
class EffectMethod(Entry):
    """`function(pairs, at, **parameters) -> Sized`, of the scores of two on the same units."""

    kind: ClassVar[str] = "effect size"
    measured: ClassVar[str] = "coverage"
    figures = (Coverage, "veracity.effects")
    plain_types: ClassVar[bool] = True

    span: tuple[float, float] = (-1.0, 1.0)  # in which it lies
    none: float = 0.0  # its value where nothing differs

    def particulars(self) -> dict[str, tuple[str, ...]]:
        low, high = self.span
        return {"Range": (f"{low:g} to {high:g}, {self.none:g} where nothing differs",)}


effect_size = EffectMethod.decorator


effects = Catalogue("veracity.effects", EffectMethod)
CORRELATED = caution(
    "correlated-splits",
    "splits of one data set share its rows, so how much their scores vary says little of how sure a difference is: more"
    " splits do not make it smaller, this has no interval, and it does not compare with effect sizes of other designs",
    lambda s: not s.independent,
)
FEW = refuse("few-units", "it takes three pairs of scores or more", lambda s: len(s) < 3)
INFINITE = refuse(
    "infinite-scores", "some scores are infinite, so they have no mean: use cliffs_delta", lambda s: not s.finite
)
NO_SPREAD = refuse(
    "no-spread",
    "the difference is the same everywhere, so there is no spread to hold it against: use cliffs_delta",
    lambda s: s.finite and _spread(s.difference) == 0,
)
NOT_NORMAL = normality_limit(lambda s: s.difference, "the differences", "cliffs_delta(paired=True)")
ACROSS = Note(
    "across-datasets",
    "caution",
    "scores of one data set are held against those of others, which differ more than learners do:"
    " paired=True asks how often one is higher on the same data set",
)
BOTH = "effect size"


@effect_size(
    "Cohen's d of paired differences",
    cite=("cohen1988", "hedges1981", "cumming2001"),
    assumes=("IID", "DSI", "NORM"),
    limits=(FEW, INFINITE, NO_SPREAD, CORRELATED, NOT_NORMAL),
    span=(-math.inf, math.inf),
    keywords=f"{BOTH}, Hedges' g, Hedges correction, Cohen, Glass delta",
)
def cohens_d(pairs: PairedScores, at: Confidence, *, corrected: bool = True) -> Sized:
    """Mean difference over the standard deviation of the differences, with Hedges' correction for few of them.

    It says how large a difference is beside how much it varies from data set to data set, or from row to row, and not
    whether that is much: no number of it is small or large for every purpose. It is that of differences (d_z), not of
    the scores themselves, and does not compare with a d of two separate groups. Its interval is exact for normal
    differences, by the noncentral t, and that of the uncorrected d of the population. Scores of splits are correlated:
    of these it has no interval, and more splits do not make it surer.
    """
    d, df = pairs.difference, len(pairs) - 1
    plain = float(d.mean()) / _spread(d)
    t = plain * math.sqrt(len(d))
    low, high = (shift / math.sqrt(len(d)) for shift in noncentral_limits(t, df, at.tail))
    return Sized(plain * hedges_factor(df) if corrected else plain, Limits(low, high))


@effect_size(
    "Cliff's delta",
    cite=("cliff1993", "cliff1996", "feng2004"),
    assumes=("IID", "DSI"),
    limits=(FEW, CORRELATED),
    keywords=f"{BOTH}, nonparametric, rank-biserial correlation, stochastic superiority, Cliff",
)
def cliffs_delta(pairs: PairedScores, at: Confidence, *, paired: bool = False) -> Sized:
    """How much more often a score of the first is higher than one of the second than lower, of all pairs of scores.

    -1 and 1 where the scores do not overlap. It is about how often and not by how much, and asks no normal law. All
    scores of one are held against all of the other, as is usual, so data sets that differ from each other drown what
    learners do; `paired=True` compares on the same data set or row alone: wins less losses, over all. The interval
    knows that scores are paired either way (Cliff's formula with the variance over units; of wins and losses the score
    interval). Higher need not be better: `better` of the score says which.
    """
    if paired:
        d = pairs.difference
        counts = np.array([(d < 0).sum(), (d == 0).sum(), (d > 0).sum()], float)
        limits: Limits = mean_score.function(FewValues(np.array([-1.0, 0.0, 1.0]), counts), at)
        return Sized(float((counts[2] - counts[0]) / len(d)), limits)
    n = len(pairs.first)
    of_first, of_second = _dominance(pairs.first, pairs.second), -_dominance(pairs.second, pairs.first)
    delta = float(of_first.mean())
    influence = of_first + of_second - 2 * delta  # of a unit, by both of its scores
    variance = max(float(influence @ influence) / (n * (n - 1)), (1 - delta**2) / (n * n - 1))
    t = at.t(n - 1)
    if abs(delta) == 1:  # no overlap has no variance: what as many wins of one in a row leave open
        least = (n - t * t) / (n + t * t)
        low, high = (least, 1.0) if delta > 0 else (-1.0, -least)
    else:
        error, rest = t * math.sqrt(variance), 1 - delta**2
        half, under = error * math.sqrt(rest**2 + error**2), rest + error**2
        low, high = (delta * rest - half) / under, (delta * rest + half) / under
    return Sized(delta, Limits(low, high, (ACROSS,) if pairs.units == "data sets" else ()))


@effect_size(
    "Vargha and Delaney's A",
    cite=("vargha2000", "cliff1996"),
    assumes=("IID", "DSI"),
    limits=(FEW, CORRELATED),
    span=(0.0, 1.0),
    none=0.5,
    keywords=f"{BOTH}, nonparametric, stochastic superiority, AUC of scores",
)
def a12(pairs: PairedScores, at: Confidence, *, paired: bool = False) -> Sized:
    """Chance that a score of the first is higher than one of the second, ties counted half: (1 + cliffs_delta) / 2.

    0.5 where neither tends to be higher. All that is said of cliffs_delta holds of it.
    """
    value, limits = cliffs_delta.function(pairs, at, paired=paired)
    return Sized((1 + value) / 2, limits._replace(low=(1 + limits.low) / 2, high=(1 + limits.high) / 2))


def hedges_factor(df: int) -> float:
    """What takes away the bias of d, which is too large where differences are few."""
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)


def noncentral_limits(t: float, df: int, tail: float) -> tuple[float, float]:
    """The shifts of a noncentral t under which so large, and so small, a value has this chance."""

    def limit(wanted: float, step: float) -> float:
        def excess(shift: float) -> float:
            return below_noncentral(t, df, shift) - wanted

        end = t + step
        while excess(end) * math.copysign(1, step) > 0:  # the chance to lie below falls as the shift grows
            step *= 2
            end = t + step
        low, high = sorted((end, t - step))
        return root(excess, low, high, xtol=1e-10)

    reach = 4 + abs(t)
    return limit(1 - tail, -reach), limit(tail, reach)


def _spread(d: Array) -> float:
    """Sample standard deviation, exactly 0 where rounding alone tells the differences apart."""
    return 0.0 if np.ptp(d) <= TIE * np.abs(d).max() else float(d.std(ddof=1))


def _dominance(one: Array, other: Array) -> Array:
    """Return for each score of one the share of the other's that are lower less that of those that are higher."""
    ordered = np.sort(other)
    lower, not_higher = np.searchsorted(ordered, one, "left"), np.searchsorted(ordered, one, "right")
    return (lower + not_higher - len(other)) / len(other)
