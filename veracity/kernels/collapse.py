"""Counting drawn rows in the blocks of an ordering."""

from __future__ import annotations

from typing import Any

from veracity.kernels.compile import kernel

Array = Any


@kernel
def into_blocks(drawn: Array, negative: Array, block: Array, out: Array) -> None:
    """Add the counts of rows to `out[class, draw, block]`: class 0 holds positive rows, class 1 negative ones."""
    for r in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            out[negative[i], r, block[i]] += drawn[r, i]
