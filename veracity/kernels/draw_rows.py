"""Random rows from a counter: the same numbers in any order, in numpy for little and compiled for much.

One 64-bit word gives two rows while rows are few enough for 32 bits to be fair (the chance of a row is off by less than
0.4 % of itself), and one row above that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import Array, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64: Steele, Lea and Flood, OOPSLA 2014
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
TWO_PER_WORD = 2**24  # rows: below this, half a word chooses a row


def bootstrap_counts(seed: int, first: int, draws: int, size: int) -> Array:
    """How often each of `size` rows is drawn in `size` draws with replacement, for draws first, first + 1, ..."""
    if draws * size < 200_000:
        return _numpy_counts(seed, first, draws, size)
    out = np.zeros((draws, size), np.uint8 if size > 100_000 else np.int32)
    fill = _fill_pairs if size < TWO_PER_WORD else _fill_rows
    fill.compiled(np.uint64(seed), np.uint64(first), out)
    return out


def _numpy_counts(seed: int, first: int, draws: int, size: int) -> Array:
    words = (size + 1) // 2  # little is always below TWO_PER_WORD
    with np.errstate(over="ignore"):
        counter = np.arange(first * words, (first + draws) * words, dtype=np.uint64)
        z = np.uint64(seed) + (counter + np.uint64(1)) * STEP
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        z = z ^ (z >> S31)
        pairs = np.stack([((z >> S32) * np.uint64(size)) >> S32, ((z & LOW) * np.uint64(size)) >> S32], -1)
    row = pairs.reshape(draws, 2 * words)[:, :size].astype(np.int64)
    row += np.arange(draws, dtype=np.int64)[:, None] * size
    return np.bincount(row.ravel(), minlength=draws * size).reshape(draws, size)


@kernel
def _fill_pairs(seed: Any, first: Any, out: Array) -> None:
    draws, size = out.shape
    wide = np.uint64(size)
    words = np.uint64((size + 1) // 2)
    for d in range(draws):
        line = out[d]
        counter = (first + np.uint64(d)) * words
        for _ in range(size // 2):
            counter += np.uint64(1)
            z = seed + counter * STEP
            z = (z ^ (z >> S30)) * FIRST
            z = (z ^ (z >> S27)) * SECOND
            z = z ^ (z >> S31)
            line[((z >> S32) * wide) >> S32] += 1
            line[((z & LOW) * wide) >> S32] += 1
        if size % 2 == 1:
            counter += np.uint64(1)
            z = seed + counter * STEP
            z = (z ^ (z >> S30)) * FIRST
            z = (z ^ (z >> S27)) * SECOND
            z = z ^ (z >> S31)
            line[((z >> S32) * wide) >> S32] += 1


@kernel
def _fill_rows(seed: Any, first: Any, out: Array) -> None:
    draws, size = out.shape
    wide = np.uint64(size)
    for d in range(draws):
        counter = (first + np.uint64(d)) * wide
        for _ in range(size):
            counter += np.uint64(1)
            z = seed + counter * STEP
            z = (z ^ (z >> S30)) * FIRST
            z = (z ^ (z >> S27)) * SECOND
            z = z ^ (z >> S31)
            # the top of a 64 x 32 bit product: uniform up to size / 2**64
            out[d, ((z >> S32) * wide + (((z & LOW) * wide) >> S32)) >> S32] += 1
