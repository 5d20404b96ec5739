"""Bootstrap counts from a counter, so that each draw has the same numbers in any order, and counts of rows by cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import Array, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64: Steele, Lea and Flood, OOPSLA 2014
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
MAX_ROWS_OF_PAIRS = 2**24  # rows: below this, half a word chooses a row, whose chance is off by less than 0.4 %
MIN_ROWS_OF_BYTES = 100_000  # rows: above this, no row is drawn 256 times


def bootstrap_counts(seed: int, first: int, draws: int, size: int) -> Array:
    """Return how often each of `size` rows comes in samples of as many with replacement: first, first + 1, ..."""
    out = np.zeros((draws, size), np.uint8 if size > MIN_ROWS_OF_BYTES else np.int32)
    draw_counts.compiled(np.uint64(seed), np.uint64(first), out, size < MAX_ROWS_OF_PAIRS)
    return out


@kernel
def draw_counts(seed: Any, first: Any, out: Array, pairs: bool) -> None:
    """Count the rows that each word of a counter chooses: two with each half of it, else one with all of it."""
    draws, size = out.shape
    wide = np.uint64(size)
    words = (size + 1) // 2 if pairs else size
    for d in range(draws):
        line = out[d]
        counter = (first + np.uint64(d)) * np.uint64(words)
        for word in range(words):
            counter += np.uint64(1)
            z = seed + counter * STEP
            z = (z ^ (z >> S30)) * FIRST
            z = (z ^ (z >> S27)) * SECOND
            z = z ^ (z >> S31)
            high, low = (z >> S32) * wide, (z & LOW) * wide
            if not pairs:
                high += low >> S32  # the top of a 64 x 32 bit product: uniform up to size / 2**64
            line[high >> S32] += 1
            if pairs and 2 * word + 1 < size:
                line[low >> S32] += 1


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
