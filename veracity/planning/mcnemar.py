"""Power of McNemar's test of two fixed models on the same rows."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.planning.counted import at_most, critical
from veracity.planning.entry import power_of

ASSUMES = ("IID", "FIX", "PAIR")
WIDTH = 9.0  # standard deviations of the number of discordant rows that matter


@power_of(
    "McNemar, normal approximation",
    size="rows",
    span=lambda given: (0.0, given["discordant"]),
    least=1,
    cite=("connor1987",),
    assumes=(*ASSUMES, "BIG"),
)
def mcnemar(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that McNemar's test concludes, by Connor's formula: quick, and close where rows are many.

    `discordant` is the expected share of rows on which exactly one of the two models is right; the difference of their
    errors cannot exceed it.
    """
    _possible(difference, discordant)
    spread = math.sqrt(max(discordant - difference**2, 0.0))
    excess = abs(difference) * math.sqrt(rows) - at.z * math.sqrt(discordant)
    return NormalDist().cdf(excess / spread) if spread else float(excess > 0)


@power_of(
    "McNemar, exact test",
    size="rows",
    span=lambda given: (0.0, given["discordant"]),
    least=1,
    cite=("mcnemar1947",),
    assumes=ASSUMES,
)
def mcnemar_exact(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the exact test concludes, over all numbers of discordant rows that may turn up."""
    return _enumerated(rows, difference, at, discordant, middle=False)


@power_of(
    "McNemar, mid-p",
    size="rows",
    span=lambda given: (0.0, given["discordant"]),
    least=1,
    cite=("fagerland2013",),
    assumes=ASSUMES,
)
def mcnemar_midp(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the mid-p test concludes, over all numbers of discordant rows that may turn up."""
    return _enumerated(rows, difference, at, discordant, middle=True)


def _enumerated(rows: int, difference: float, at: Confidence, discordant: float, middle: bool) -> float:
    from scipy.special import bdtr

    _possible(difference, discordant)
    centre, reach = rows * discordant, WIDTH * math.sqrt(rows * discordant * (1 - discordant)) + 10
    counts = np.arange(max(0, math.floor(centre - reach)), min(rows, math.ceil(centre + reach)) + 1)
    below = np.where(counts > 0, bdtr(np.maximum(counts - 1, 0), rows, discordant), 0.0)
    chance = bdtr(counts, rows, discordant) - below
    share = (discordant + difference) / (2 * discordant)  # of the discordant rows, those that the first gets right
    cut = critical(counts, 0.5, at.tail, middle)
    concluded = at_most(cut, counts, share) + at_most(cut, counts, 1 - share)
    return float((chance * np.where(counts > 0, concluded, 0.0)).sum())


def _possible(difference: float, discordant: float) -> None:
    if not 0 < discordant <= 1:
        raise BadInput(f"discordant= is a share of rows between 0 and 1, not {discordant:g}")
    if abs(difference) > discordant:
        raise BadInput(f"models that disagree on {discordant:g} of the rows cannot differ by {abs(difference):g}")
