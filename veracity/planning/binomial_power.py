"""Power of tests that count: one proportion, the sign test, McNemar's."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.planning.entry import power_of
from veracity.records.arrays import Array

ASSUMES = ("IID", "FIX", "PAIR")
PAIRED: Any = {"size": "rows", "span": lambda given: (0.0, given["discordant"]), "least": 1}
WIDTH = 9.0  # standard deviations of the number of discordant rows that matter
BLOCKS = 4_000  # of counts, over these standard deviations


@power_of(
    "One proportion, exact binomial",
    size="rows",
    span=lambda given: (0.0, 1 - given["value"]),
    least=1,
    jagged=True,
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    aliases="binomial_power",
    keywords="sample size, rows needed, how many rows",
)
def one_proportion(rows: Any, difference: float, at: Confidence, *, value: float) -> Any:
    """Chance that the exact test tells a share of rows (an error, an accuracy) from a stated value.

    The difference is the true share minus the stated `value`. A smallest difference is a rise; the smallest drop of an
    error of .10 is the smallest rise of an accuracy of .90. Two-sided; one_sample asks about one side, so its power at
    level .95 is that at level .90 here.
    """
    if not 0 < value < 1:
        raise BadInput(f"{option('value')} is a share of rows between 0 and 1, not {value:g}")
    if not 0 <= value + difference <= 1:
        raise BadInput(f"a share of {value:g} cannot differ by {difference:g}: shares lie between 0 and 1")
    return rejection_rate(np.asarray(rows), value, value + difference, at.tail)


@power_of(
    "Sign test over data sets, exact binomial",
    effect="win",
    span=lambda given: (0.5, 1.0),
    least=1,
    jagged=True,
    cite=("demsar2006",),
    assumes=("DSI",),
)
def sign(datasets: Any, win: float, at: Confidence) -> Any:
    """Chance that the sign test concludes when one learner wins each data set with probability `win`, without ties."""
    if not 0 <= win <= 1:
        raise BadInput(f"{option('win')} is a probability between 0 and 1, not {win:g}")
    return rejection_rate(np.asarray(datasets), 0.5, win, at.tail)


def rejection_rate(number: Array, stated: float, true: float, tail: float) -> Any:
    """Chance that a count of `number` trials falls into either tail of the stated share."""
    below, above = (critical_count(number, share, tail) for share in (stated, 1 - stated))
    return chance_at_most(below, number, true) + chance_at_most(above, number, 1 - true)


def critical_count(number: Array, share: float, tail: float, middle: bool = False) -> Array:
    """The largest count whose lower tail is at most `tail`, -1 if none is; `middle` counts the count itself half."""
    from scipy.special import bdtrik

    with np.errstate(invalid="ignore"):
        guess = np.nan_to_num(np.floor(bdtrik(tail, number, share)), nan=-1.0)
    count = np.maximum(guess - 1, -1)
    for _ in range(4):  # the inverse is off by rounding, and half a count reaches one step further
        upper = chance_at_most(count + 1, number, share)
        chance = (upper + chance_at_most(count, number, share)) / 2 if middle else upper
        count = np.where((chance <= tail) & (count < number), count + 1, count)
    return count


def chance_at_most(count: Array, number: Array, share: float) -> Any:
    """Chance of at most so many; none for a count below 0."""
    from scipy.special import bdtr

    return np.where(count < 0, 0.0, bdtr(np.maximum(count, 0), number, share))


@power_of(
    "McNemar, normal approximation",
    **PAIRED,
    cite=("connor1987",),
    assumes=(*ASSUMES, "BIG"),
    aliases="mcnemar_power",
    keywords="sample size, rows needed, how many rows, how many test cases",
)
def mcnemar(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that McNemar's test concludes, by Connor's formula: quick, and close where rows are many.

    `discordant` is the expected share of rows on which exactly one of the two models is right; the difference of their
    errors cannot exceed it.
    """
    _check_possible(difference, discordant)
    spread = math.sqrt(max(discordant - difference**2, 0.0))
    excess = abs(difference) * math.sqrt(rows) - at.z * math.sqrt(discordant)
    return NormalDist().cdf(excess / spread) if spread else float(excess > 0)


@power_of("McNemar, exact test", **PAIRED, cite=("mcnemar1947",), assumes=ASSUMES)
def mcnemar_exact(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the exact test concludes, over all numbers of discordant rows that may turn up."""
    return _exact_power(rows, difference, at, discordant, middle=False)


@power_of("McNemar, mid-p", **PAIRED, cite=("fagerland2013",), assumes=ASSUMES)
def mcnemar_midp(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the mid-p test concludes, over all numbers of discordant rows that may turn up."""
    return _exact_power(rows, difference, at, discordant, middle=True)


def _exact_power(rows: int, difference: float, at: Confidence, discordant: float, middle: bool) -> float:
    """Of very many counts one stands for its block, in which power hardly changes."""
    _check_possible(difference, discordant)
    centre, reach = rows * discordant, WIDTH * math.sqrt(rows * discordant * (1 - discordant)) + 10
    first, last = max(0, math.floor(centre - reach)), min(rows, math.ceil(centre + reach))
    step = 1 + (last - first) // BLOCKS
    starts = np.arange(first, last + 1, step)
    ends = np.minimum(starts + step - 1, last)
    counts = (starts + ends) // 2
    chance = chance_at_most(ends, np.asarray(rows), discordant) - chance_at_most(
        starts - 1, np.asarray(rows), discordant
    )
    share = (discordant + difference) / (2 * discordant)  # of the discordant rows, those that the first gets right
    cut = critical_count(counts, 0.5, at.tail, middle)
    concluded = chance_at_most(cut, counts, share) + chance_at_most(cut, counts, 1 - share)
    return float((chance * np.where(counts > 0, concluded, 0.0)).sum())


def _check_possible(difference: float, discordant: float) -> None:
    if not 0 < discordant <= 1:
        raise BadInput(f"{option('discordant')} is a share of rows between 0 and 1, not {discordant:g}")
    if abs(difference) > discordant:
        raise BadInput(f"models that disagree on {discordant:g} of the rows cannot differ by {abs(difference):g}")
