"""Rows by value, many of them faster than a comparison of one with another could tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from veracity.kernels import packed
from veracity.kernels.beside import run_beside, threads
from veracity.records.arrays import Array, freeze

MANY_ROWS = 20_000
WORTH_A_THREAD = 500_000  # rows whose sort takes much longer than starting a thread
PIECE = 2**17  # rows
NO_ROWS = np.empty(0, np.int32)


def sort_signed(chance: Array, is_positive: Array, rows: Array = NO_ROWS) -> Array:
    """Probabilities by size, those of negative rows with a negative sign; `rows` gets the number of each."""
    signed, many = np.empty(len(chance)), len(chance) >= WORTH_A_THREAD
    start = _scatter(chance, is_positive, signed, rows, many)
    crowded = np.zeros(len(start) - 1, bool)
    middle = int(np.searchsorted(start, len(chance) // 2))
    with run_beside(partial(packed.sort_buckets, signed, start, 0, middle, crowded, rows), many):
        packed.sort_buckets(signed, start, middle, len(start) - 1, crowded, rows)
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


def _scatter(chance: Array, is_positive: Array, out: Array, rows: Array, many: bool) -> Array:
    """Rows into buckets, in their order there; gives where each bucket starts and the last ends.

    Where there are threads for them, many are counted and moved in two halves, which end where all together would.
    """
    middle = len(chance) // 2 if many and threads() > 1 else 0
    halves = (0, middle), (middle, len(chance))
    number = np.zeros((2, packed.BUCKETS + 1), np.int64)

    def count(half: int) -> None:
        for _, piece in _pieces(chance, *halves[half]):
            number[half] += packed.count_buckets(piece)

    with run_beside(partial(count, 0), many):
        count(1)
    start = np.append(0, np.cumsum(number[0] + number[1]))
    places = start[:-1].copy(), start[:-1] + number[0]

    def move(half: int) -> None:
        for first, piece in _pieces(chance, *halves[half]):
            packed.scatter(piece, is_positive[first : first + len(piece)], first, places[half], out, rows)

    with run_beside(partial(move, 0), many):
        move(1)
    return start


def _pieces(chance: Array, start: int, stop: int) -> Iterator[tuple[int, Array]]:
    """Some rows after the other, each with the number of its first one: those of single precision, or of a column of a
    table, as arrays of the one kind that loops are compiled for, without a copy of all of them.
    """
    for first in range(start, stop, PIECE):
        yield first, freeze(np.ascontiguousarray(chance[first : min(first + PIECE, stop)], np.float64))


def distinct_values(value: Array) -> tuple[Array, Array]:
    """The values that occur, highest first, and the place of each row's among them."""
    if not MANY_ROWS <= len(value) < 2**31 or not (value.min() >= 0 and value.max() <= 1):
        values, place = np.unique(-value, return_inverse=True)
        return -values, place
    rows = np.empty(len(value), np.int32)
    size = sort_signed(value, np.ones(len(value), bool), rows)[::-1]
    first = np.append(True, size[1:] != size[:-1])
    place = np.empty(len(value), np.int64)
    place[rows[::-1]] = np.cumsum(first) - 1
    return size[first].astype(value.dtype), place
