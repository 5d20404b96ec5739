"""The way between two points of a curve: counts change evenly, ratios and deviates of them do not."""

from __future__ import annotations

import numpy as np

from veracity.curves.classes import Series
from veracity.records.arrays import Array

STEPS = 200  # pieces from a rate of 0 to a rate of 1: finer than the eye


def between(one: Series, first: int = 0) -> tuple[Array, Array] | None:
    """True and false positives on the way, from the point of this number on.

    None where blocks are so small that straight lines show the same.
    """
    true, false = one.ordering.tp[first:], one.ordering.fp[first:]
    rise = np.maximum(*(np.diff(side) / (side[-1] or 1.0) for side in (true, false)))
    pieces = np.maximum(np.ceil(rise * STEPS), 1).astype(np.int64)
    if not (pieces > 1).any():
        return None
    start = np.cumsum(pieces) - pieces
    block = np.repeat(np.arange(len(pieces)), pieces)
    share = (np.arange(len(block)) - start[block]) / pieces[block]
    return _on_the_way(true, block, share), _on_the_way(false, block, share)


def _on_the_way(counts: Array, block: Array, share: Array) -> Array:
    rise = counts[block + 1] - counts[block]
    return np.append(counts[block] + share * rise, counts[-1])
