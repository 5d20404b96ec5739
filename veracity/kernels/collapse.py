"""Counting drawn rows in the blocks of an ordering, or in the cells of any evidence."""

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


@kernel
def into_cells(drawn: Array, cell: Array, out: Array) -> None:
    """Add the counts of rows, or of units of alike rows, to `out[draw, cell]`."""
    for r in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            out[r, cell[i]] += drawn[r, i]


@kernel
def moved(number: Array, start: Array, end: Array, out: Array) -> None:
    """Move so many rows of each unit from the cell where it starts to the one where it ends."""
    for r in range(number.shape[0]):
        for i in range(number.shape[1]):
            out[r, start[i]] -= number[r, i]
            out[r, end[i]] += number[r, i]
