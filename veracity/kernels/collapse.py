"""Counting drawn rows in the blocks of an ordering."""

from __future__ import annotations

from typing import Any

from veracity.kernels.compile import kernel

Array = Any


@kernel
def into_blocks(drawn: Array, positives: Array, negatives: Array, of_positive: Array, of_negative: Array) -> None:
    """Sum counts of rows, which stand block by block with positive ones first, over each block and class."""
    for r in range(drawn.shape[0]):
        row = 0
        for b in range(positives.shape[0]):
            total = 0
            for _ in range(int(positives[b])):
                total += drawn[r, row]
                row += 1
            of_positive[r, b] = total
            total = 0
            for _ in range(int(negatives[b])):
                total += drawn[r, row]
                row += 1
            of_negative[r, b] = total
