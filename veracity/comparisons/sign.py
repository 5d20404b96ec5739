"""The sign test of two learners on many data sets."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.datasets import ALL_EQUAL, ONE_DATASET, tally
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.wilcoxon import FIRST, SECOND, UNREACHABLE, middle
from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.interval import Limits
from veracity.records.arrays import Array

TIE_RULES = {"drop": "left out", "split": "half to each side, one left out if their number is odd"}


@comparison(
    "Sign test",
    reads=ScoreMatrix,
    cite=("dixon1946", "demsar2006"),
    assumes=("DSI",),
    limits=(ONE_DATASET, UNREACHABLE),
    known=(Known({"first": FIRST, "second": SECOND}, (3, 0.7266)),),
)
def sign(m: ScoreMatrix, *, ties: str = "drop") -> Verdict:
    """On how many data sets is the first learner better, and is that more or less than coins would give?

    It asks only who is better on each data set, not by how much: right where scores of different data sets cannot be
    compared, and weak for it. The statistic is the number of wins. Ties are dropped, or split between the sides. The
    difference is the median, with the interval of the same binomial law.
    """
    from scipy.special import bdtr

    wins, tied, losses = m.wins
    if ties not in TIE_RULES:
        raise BadInput(f"ties must be 'drop' or 'split', not {ties!r}")
    notes: tuple[Note, ...] = () if wins + losses else (ALL_EQUAL,)
    if tied:
        says = f"{tied} data sets tie" if tied > 1 else "one data set ties"
        notes += (Note("ties", "remark", f"{says}: {TIE_RULES[ties]} (ties={ties!r})"),)
    each = tied // 2 if ties == "split" else 0
    wins, losses = wins + each, losses + each
    p = min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5))) if wins + losses else 1.0
    ordered = np.sort(m.difference)
    return Verdict(wins, p, None, notes, middle(ordered), limits=lambda at: median_limits(ordered, at), facts=tally(m))


def median_limits(ordered: Array, at: Confidence) -> Limits:
    """The difference that leaves as many below it as coins allow by chance, and its mirror image."""
    from scipy.special import bdtr

    number = len(ordered)
    below = bdtr(np.arange(number), number, 0.5)
    cut = int(np.searchsorted(below, at.tail * (1 + 1e-12), side="right")) - 1
    if cut < 0:
        raise Refused(f"{number} data sets are too few for a level of {at.level:g}", "few-datasets")
    return Limits(float(ordered[cut]), float(ordered[number - 1 - cut]))
