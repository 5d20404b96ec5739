"""Intervals for a quantile of the losses, from their order alone."""

from __future__ import annotations

from math import inf

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.notes import Note, refuse
from veracity.evidence.losses import Losses
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.records.arrays import Array

TOO_FEW = Note(
    "few-rows", "refuse", "there are too few rows for the order of losses to bound their median at this level"
)
PLAIN = refuse(
    "not-iid",
    "order statistics count plain rows, but these are weighted or grouped: use percentile",
    lambda x: x.sampling is not None,
)


@interval(
    "Order statistics",
    reads=Losses,
    only=("median_absolute_error",),
    cite=("conover1999",),
    assumes=("IID", "FIX"),
    limits=(PLAIN,),
)
def order_statistics(x: Losses, at: Confidence) -> Limits:
    """The losses at the ranks between which a fair coin's number of heads falls often enough; exact for any law."""
    losses = _ascending(x)
    rank = outer_rank(len(losses), at.tail)
    if rank < 1:
        return Limits(0.0, inf, (TOO_FEW,))
    return Limits(float(losses[rank - 1]), float(losses[-rank]))


def _ascending(x: Losses) -> Array:
    losses = x.columns[:, 0] if x.weight is None else np.repeat(x.columns[:, 0], x.weight.astype(int))
    return np.sort(losses)


def outer_rank(rows: int, tail: float) -> int:
    """The largest rank k for which fewer than k of `rows` fair coins show heads with probability at most `tail`."""
    from scipy.special import bdtr

    low, high = 0, rows // 2 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bdtr(middle - 1, rows, 0.5) <= tail else (low, middle)
    return low
