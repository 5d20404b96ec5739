"""Wilcoxon's signed-rank test of two learners on many data sets."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from veracity.comparisons.datasets import ALL_EQUAL, ONE_DATASET, tally
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.signed_ranks import EXACT_UP_TO, NORMAL, law, signed_ranks
from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, remark
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.interval import Limits
from veracity.records.arrays import Array

FIRST = (0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000)
SECOND = (0.598, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000)

UNREACHABLE = remark(
    "few-datasets",
    "with fewer than 6 data sets that differ, this p-value cannot fall below .05: no verdict at .05",
    lambda m: bool(np.count_nonzero(m.difference) < 6),
)
TOO_FEW = Note(
    "few-datasets", "refuse", "the normal law means nothing for fewer than 6 differences: leave out exact=False"
)
ZERO_RULES = {
    "split": "half of their ranks to each side, one left out if their number is odd",
    "drop": "left out",
    "pratt": "ranked, then left out",
}


@comparison(
    "Wilcoxon signed ranks",
    reads=ScoreMatrix,
    cite=("wilcoxon1945", "demsar2006", "pratt1959", "hodges1963"),
    assumes=("DSI", "SYM"),
    limits=(ONE_DATASET, UNREACHABLE),
    known=(Known({"first": FIRST, "second": SECOND}, (20.5, 0.5234)),),
)
def wilcoxon(m: ScoreMatrix, *, zeros: str = "split", exact: bool | None = None, continuity: bool = False) -> Verdict:
    """Ranks of the absolute differences, summed by sign: are the two sums too uneven for chance?

    The smaller sum is the statistic. Exact for up to 200 differences, given the ties and zeros that there are; by the
    normal law above, or with exact=False, where continuity=True makes it more cautious by half a rank. Zeros are split
    between the sides (Demsar), dropped (Wilcoxon) or ranked and then left out (Pratt). The difference is Hodges and
    Lehmann's: the median of all means of two differences, with the interval that the same ranks give.
    """
    found = signed_ranks(m.difference, zeros)
    sums = (("w_plus", found.plus), ("w_minus", found.minus))
    facts = tally(m) + sums + (("mean_difference", m.mean_difference),)
    notes = _zero_note(m, zeros) + ((ALL_EQUAL,) if not found.nonzero else ())
    if continuity and found.is_exact(exact):
        raise BadInput("wilcoxon: continuity=True corrects the normal law, and this p-value is exact: add exact=False")
    if not found.is_exact(exact):
        facts += (("z", found.z(continuity)),)
        notes += (TOO_FEW,) if 0 < found.nonzero < 6 else ()
    means = walsh(m.difference)
    centre = middle(means)
    p = found.p_value(exact, continuity)
    return Verdict(found.smaller, p, None, notes, centre, limits=lambda at: hodges_lehmann(means, at), facts=facts)


def walsh(differences: Array) -> Array:
    """The means of all pairs of differences, each with itself too, in order; those of two infinities are left out."""
    i, j = np.triu_indices(len(differences))
    with np.errstate(invalid="ignore"):
        means = (differences[i] + differences[j]) / 2
    return np.sort(means[~np.isnan(means)])


def middle(ordered: Array) -> float:
    """The median; NaN where it lies between infinities of both signs, or of nothing."""
    if not len(ordered):
        return math.nan
    low, high = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    return low if low == high else (low + high) / 2


def hodges_lehmann(means: Array, at: Confidence) -> Limits:
    """The mean of two that leaves as many below it as the signed ranks allow by chance, and its mirror image."""
    number = (math.isqrt(8 * len(means) + 1) - 1) // 2
    if number * (number + 1) // 2 != len(means):
        raise Refused("infinite differences of both signs leave no order between the data sets", "infinite-scores")
    cut = _cut(number, at)
    if cut < 0:
        raise Refused(f"{number} data sets are too few for a level of {at.level:g}", "few-datasets")
    return Limits(float(means[cut]), float(means[len(means) - 1 - cut]))


@cache
def _cut(number: int, at: Confidence) -> int:
    """The largest sum of ranks that is at most as likely as one tail, and -1 if there is none."""
    most = number * (number + 1) // 2
    if number > EXACT_UP_TO:
        spread = math.sqrt(most * (2 * number + 1) / 12)
        return max(math.floor(most / 2 + NORMAL.inv_cdf(at.tail) * spread - 0.5), -1)
    below = np.cumsum(law(np.arange(1, number + 1), most))
    return int(np.searchsorted(below, at.tail * (1 + 1e-12), side="right")) - 1


def _zero_note(m: ScoreMatrix, zeros: str) -> tuple[Note, ...]:
    alike = int((m.difference == 0).sum())
    if not alike:
        return ()
    says = f"{alike} differences are 0" if alike > 1 else "one difference is 0"
    return (Note("zeros", "remark", f"{says}: {ZERO_RULES[zeros]} (zeros={zeros!r})"),)
