"""The interval of all means against which a gambler could not get rich."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.seeds import generator
from veracity.evidence.losses import Bounded
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.kernels.recursions import betting_stakes, betting_wins
from veracity.records.arrays import Array

PROBES = 50  # halvings of [0, 1]: an end is found to 1e-15
EVERY_TWELFTH = tuple(range(6, 100, 12))


@interval(
    "Betting",
    reads=Bounded,
    cite=("waudby2024",),
    assumes=("IID", "FIX", "BND"),
    known=(
        Known({"ones": EVERY_TWELFTH, "rows": 100, "level": 0.95, "side": "two", "shuffle": False}, (0.0244, 0.1745)),
    ),
    aliases="waudby_smith_ramdas",
    keywords="confidence sequence, anytime valid",
)
def betting(x: Bounded, at: Confidence, *, shuffle: bool = True, seed: int = 0) -> Limits:
    """All means against which no bettor multiplied a capital by the inverse of the miss; holds at every number of rows.

    The limits depend on the order of the rows, which is shuffled with a recorded seed unless `shuffle=False`.
    """
    losses = np.asarray(x.losses, float)
    if not shuffle and not x.ordered:
        raise Refused("counts do not know the order of their rows, which shuffle=False is about: give rows", "no-order")
    if shuffle:
        losses = generator(seed, "betting").permutation(losses)
    low = lower_end(losses, at.tail)
    high = 1 - lower_end(1 - losses, at.tail)
    return Limits(x.back(low), x.back(high))


def lower_end(losses: Array, tail: float) -> float:
    """The largest mean refuted from below: capital falls as the claimed mean rises, so halving finds it."""
    goal = log(1 / tail)
    stake = betting_stakes(losses, 2 * goal / len(losses))
    return _last_refuted(lambda claimed: bool(betting_wins(losses, stake, claimed, goal)), float(losses.mean()))


def _last_refuted(refuted: Callable[[float], bool], high: float) -> float:
    low = 0.0
    for _ in range(PROBES):
        middle = (low + high) / 2
        if middle <= low or middle >= high:
            break
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
