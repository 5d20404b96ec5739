"""Rows by value, many of them faster than a comparison of one with another could tell."""

from __future__ import annotations

import numpy as np

from veracity.kernels import packed
from veracity.records.arrays import Array

MANY_ROWS = 20_000
NO_ROWS = np.empty(0, np.int32)


def sort_signed(chance: Array, is_positive: Array, rows: Array = NO_ROWS) -> Array:
    """Probabilities by size, those of negative rows with a negative sign; `rows` gets the number of each."""
    signed = np.empty(len(chance))
    start = packed.scatter(chance, is_positive, signed, rows)
    crowded = np.zeros(len(start) - 1, bool)
    packed.sort_buckets(signed, start, 0, len(start) - 1, crowded, rows)
    for k in np.flatnonzero(crowded):
        part = slice(start[k], start[k + 1])
        bits = signed[part].view(np.uint64)
        keys = (bits << np.uint64(1)) | (bits >> np.uint64(63))
        if len(rows):
            order = np.argsort(keys)
            keys, rows[part] = keys[order], rows[part][order]
        else:
            keys.sort()
        bits[:] = (keys >> np.uint64(1)) | (keys << np.uint64(63))
    return signed


def distinct_values(value: Array) -> tuple[Array, Array]:
    """The values that occur, highest first, and the place of each row's among them."""
    if not MANY_ROWS <= len(value) < 2**31 or not (value.min() >= 0 and value.max() <= 1):
        values, place = np.unique(-value, return_inverse=True)
        return -values, place
    rows = np.empty(len(value), np.int32)
    size = sort_signed(np.asarray(value, np.float64), np.ones(len(value), bool), rows)[::-1]
    first = np.append(True, size[1:] != size[:-1])
    place = np.empty(len(value), np.int64)
    place[rows[::-1]] = np.cumsum(first) - 1
    return size[first].astype(value.dtype), place
