"""Rows into tied blocks of an ordering or into cells of any evidence, by their values or as they are drawn."""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel

NOTHING = np.empty(0, np.int64)
COMPACT_ABOVE = 20_000_000  # blocks: above this, counts are kept in the smallest integers that hold them


def tied_blocks(positives: Array, negatives: Array, keep_values: bool = True) -> tuple[Array, Array, Array | None]:
    """Rows of each class per distinct value, highest first, from two ascending arrays."""
    number, kind = len(positives) + len(negatives), np.dtype(np.int64)
    if number >= COMPACT_ABOVE:  # counted first, so that no more room is taken than is needed
        number, largest = merge_sorted(positives, negatives, NOTHING, NOTHING, positives[:0])
        kind = kind if number < COMPACT_ABOVE else np.min_scalar_type(int(largest))
    of_positives, of_negatives = np.empty(number, kind), np.empty(number, kind)
    values = np.empty(number if keep_values else 0, np.result_type(positives, negatives))
    number, _ = merge_sorted(positives, negatives, of_positives, of_negatives, values)
    of_positives, of_negatives, values = (_first(part, number) for part in (of_positives, of_negatives, values))
    return of_positives, of_negatives, values if keep_values else None


def _first(part: Array, number: int) -> Array:
    """The first blocks, without keeping much room behind them."""
    return part[:number] if len(part) <= 2 * number else part[:number].copy()


@kernel
def merge_sorted(
    positives: Array, negatives: Array, of_positives: Array, of_negatives: Array, values: Array
) -> tuple[int, int]:
    """How many distinct values there are and the most rows of one class at one; writes what it is given room for."""
    i, j = len(positives) - 1, len(negatives) - 1
    number, largest = 0, 0
    while i >= 0 or j >= 0:
        value = positives[i] if j < 0 or (i >= 0 and positives[i] > negatives[j]) else negatives[j]
        hits, alarms = 0, 0
        while i >= 0 and positives[i] == value:
            i -= 1
            hits += 1
        while j >= 0 and negatives[j] == value:
            j -= 1
            alarms += 1
        if len(of_positives) > 0:
            of_positives[number] = hits
            of_negatives[number] = alarms
        if len(values) > 0:
            values[number] = value
        number += 1
        largest = max(largest, hits, alarms)
    return number, largest


@kernel
def add_to_blocks(drawn: Array, negative: Array, block: Array, out: Array) -> None:
    """Add the counts of rows to `out[class, draw, block]`: class 0 holds positive rows, class 1 negative ones."""
    for r in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            out[negative[i], r, block[i]] += drawn[r, i]


@kernel
def add_to_cells(drawn: Array, cell: Array, out: Array) -> None:
    """Add the counts of rows, or of units of alike rows, to `out[draw, cell]`."""
    for r in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            out[r, cell[i]] += drawn[r, i]


@kernel
def move_rows(number: Array, start: Array, end: Array, out: Array) -> None:
    """Move so many rows of each unit from the cell where it starts to the one where it ends."""
    for r in range(number.shape[0]):
        for i in range(number.shape[1]):
            out[r, start[i]] -= number[r, i]
            out[r, end[i]] += number[r, i]
