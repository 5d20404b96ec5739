"""How many rows of each class go to each part: whole numbers next to the proportional ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from veracity.records.arrays import Array, freeze


@lru_cache(maxsize=256)
def proportional(classes: tuple[int, ...], sizes: tuple[int, ...]) -> Array:
    """Classes x parts, with these sums; every cell is less than 1 away from class rows * part size / all rows.

    Where parts are of one size, up to a row, no two parts differ by more than one row of a class either.
    Such a table always exists: a table of fractions with whole sums can be rounded cell by cell to one of its
    two neighbours while keeping all sums.
    """
    rows, columns = np.array(classes)[:, None], np.array(sizes)
    exact = rows * columns
    low, high = exact // sum(sizes), -(-exact // sum(sizes))
    if max(sizes) - min(sizes) <= 1:
        low, high = np.maximum(low, rows // len(sizes)), np.minimum(high, -(-rows // len(sizes)))
    return freeze(low + _placed(high > low, rows[:, 0] - low.sum(axis=1), columns - low.sum(axis=0)))


def _placed(free: Array, wanted: Array, room: Array) -> Array:
    """Zeros and ones in free cells with these row sums and column sums."""
    placed, room = np.zeros_like(free), room.copy()
    for row in np.argsort(-wanted, kind="stable"):
        columns = np.argsort(-np.where(free[row], room, -1), kind="stable")[: wanted[row]]
        columns = columns[free[row, columns] & (room[columns] > 0)]
        placed[row, columns] = True
        room[columns] -= 1
    for row in np.repeat(np.arange(len(wanted)), wanted - placed.sum(axis=1)).tolist():
        _moved(placed, free, room, row)
    return placed


def _moved(placed: Array, free: Array, room: Array, first: int) -> None:
    """Place one more in a row whose free columns are full, by moving others to where there is room."""
    taker: dict[int, int] = {}  # the row that would take a place in a column
    leaves: dict[int, int] = {}  # the column where a row would give up its place
    queue = [first]
    for row in queue:
        for column in np.flatnonzero(free[row] & ~placed[row]).tolist():
            if column in taker:
                continue
            taker[column] = row
            if room[column] > 0:
                room[column] -= 1
                return _walk_back(placed, taker, leaves, first, column)
            for other in np.flatnonzero(placed[:, column]).tolist():
                if other != first and other not in leaves:
                    leaves[other] = column
                    queue.append(other)
    raise AssertionError("a table of fractions with whole sums can always be rounded")


def _walk_back(placed: Array, taker: dict[int, int], leaves: dict[int, int], first: int, column: int) -> None:
    row = taker[column]
    placed[row, column] = True
    while row != first:
        column = leaves[row]
        placed[row, column] = False
        row = taker[column]
        placed[row, column] = True
