"""Random rows from a counter: the same numbers in any order, in numpy for little and compiled for much."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import Kernel

Array = Any
STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64: Steele, Lea and Flood, OOPSLA 2014
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def counts(seed: int, first: int, draws: int, size: int) -> Array:
    """How often each of `size` rows is drawn in `size` draws with replacement, for draws first, first + 1, ..."""
    if draws * size < 200_000:
        return _in_numpy(seed, first, draws, size)
    out = np.zeros((draws, size), np.uint8 if size > 100_000 else np.int32)
    _fill.compiled(np.uint64(seed), np.uint64(first), out)
    return out


def _in_numpy(seed: int, first: int, draws: int, size: int) -> Array:
    with np.errstate(over="ignore"):
        counter = np.arange(first * size, (first + draws) * size, dtype=np.uint64)
        z = np.uint64(seed) + (counter + np.uint64(1)) * STEP
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        z = z ^ (z >> S31)
        # the top of a 64 x 32 bit product: uniform up to size / 2**64
        row = ((z >> S32) * np.uint64(size) + (((z & LOW) * np.uint64(size)) >> S32)) >> S32
    offset = np.repeat(np.arange(draws, dtype=np.int64) * size, size)
    return np.bincount(row.astype(np.int64) + offset, minlength=draws * size).reshape(draws, size)


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
            row = ((z >> S32) * wide + (((z & LOW) * wide) >> S32)) >> S32
            out[d, row] += 1


_fill = Kernel(_fill_rows)
