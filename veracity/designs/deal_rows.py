"""Rows dealt into parts: at random, with classes spread evenly or groups kept whole; or one after the other in time."""

from __future__ import annotations

from functools import lru_cache
from heapq import heapreplace
from typing import Any

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.designs.entry import SplitsAndNotes
from veracity.designs.parameters import Variant
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows, Split


def deal_rows(rows: Rows, sizes: tuple[int, ...], how: Variant, random: np.random.Generator) -> Array:
    """For each row the part it falls into; groups make sizes approximate, everything else keeps them."""
    if how.grouped and rows.groups is not None:
        check_groups(rows, len(sizes))
        number = np.bincount(rows.groups)
        filled = [(0.0, part) for part in range(len(sizes))]
        part_of = np.empty(len(number), np.int32)
        for group in random.permutation(len(number)).tolist():  # each to the part that is filled least so far
            share, part_of[group] = filled[0]
            heapreplace(filled, (share + int(number[group]) / sizes[filled[0][1]], filled[0][1]))
        return part_of[rows.groups]
    order = random.permutation(len(rows))
    parts = np.arange(len(sizes), dtype=np.int32)
    if how.stratified and rows.classes is not None:
        check_every_class(rows, len(sizes))
        table = proportional_table(tuple(np.bincount(rows.classes).tolist()), sizes)
        codes = rows.classes.astype(np.int16 if rows.classes.max() < 2**15 else int)  # numpy sorts 16 bits faster
        order = order[np.argsort(codes[order], kind="stable")]
        pattern = np.repeat(np.tile(parts, len(table)), table.ravel())
    else:
        pattern = np.repeat(parts, sizes)
    part = np.empty(len(rows), np.int32)
    part[order] = pattern
    return part


def rows_where(these: Array) -> Array:
    """The rows where a mask holds: ascending, read-only."""
    return freeze(these.nonzero()[0].astype(np.int32))


def most_parts(rows: Rows, how: Variant) -> int:
    """Into how many parts the rows can be dealt: none may be empty or, where classes are spread, lack one."""
    if how.grouped and rows.groups is not None:
        return int(rows.groups.max()) + 1
    return _rarest(rows)[1] if how.stratified and rows.classes is not None else len(rows)


def check_every_class(rows: Rows, parts: int, way: str = "") -> None:
    """Refuse rows of which some class cannot be in each of so many parts; `way` is a way out that comes first."""
    code, number = _rarest(rows)
    if number < parts:
        label = f" {rows.labels[code]!r}" if rows.labels else ""
        who = f"the rarest class{label}{' of ' * bool(rows.name)}{rows.name}"
        has = f"{plural(number, 'row')}, too few for {parts} parts"
        other = "leave its rows out" if len(np.unique(np.asarray(rows.classes))) > 2 else "collect more rows of it"
        raise Refused(f"{who} has {has}: {way}{other}", "rare-class")


def _rarest(rows: Rows) -> tuple[int, int]:
    """The code of the rarest class that there is, and how many rows it has."""
    sizes = np.bincount(np.asarray(rows.classes))
    code = int(np.where(sizes > 0, sizes, len(rows) + 1).argmin())
    return code, int(sizes[code])


def check_groups(rows: Rows, parts: int) -> None:
    """Refuse fewer groups than parts."""
    number = int(np.asarray(rows.groups).max()) + 1
    if number < parts:
        way = f"use at most {number}" if number > 1 else "more groups are needed"
        raise Refused(f"{plural(number, 'group')} cannot fill {parts} parts: {way}", "few-groups")


@lru_cache(maxsize=256)
def proportional_table(classes: tuple[int, ...], sizes: tuple[int, ...]) -> Array:
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
    return freeze(low + _place_ones(high > low, rows[:, 0] - low.sum(axis=1), columns - low.sum(axis=0)))


def _place_ones(free: Array, wanted: Array, room: Array) -> Array:
    """Zeros and ones in free cells with these row sums and column sums."""
    placed, room = np.zeros_like(free), room.copy()
    for row in np.argsort(-wanted, kind="stable"):
        columns = np.argsort(-np.where(free[row], room, -1), kind="stable")[: wanted[row]]
        columns = columns[free[row, columns] & (room[columns] > 0)]
        placed[row, columns] = True
        room[columns] -= 1
    for row in np.repeat(np.arange(len(wanted)), wanted - placed.sum(axis=1)).tolist():
        _move_ones(placed, free, room, row)
    return placed


def _move_ones(placed: Array, free: Array, room: Array, first: int) -> None:
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
                placed[row, column] = True
                while row != first:
                    column = leaves[row]
                    placed[row, column] = False
                    row = taker[column]
                    placed[row, column] = True
                return
            for other in np.flatnonzero(placed[:, column]).tolist():
                if other != first and other not in leaves:
                    leaves[other] = column
                    queue.append(other)
    raise AssertionError("a table of fractions with whole sums can always be rounded")


def stream(random: np.random.Generator, *place: int) -> np.random.Generator:
    """The generator of one place. It depends on the seed and the place alone, never on what was drawn before."""
    root: Any = random.bit_generator.seed_seq
    return np.random.default_rng(np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, *place)))


def check_no_repeats(repeats: int, instead: str) -> None:
    """Time order leaves nothing to chance, so a second repeat would be the first again."""
    if repeats > 1:
        says = "rows in time order have one such split only, so there is nothing to repeat"
        raise Refused(f"{says}: use {instead}, or ordered=False if time does not matter", "repeats-in-time")


def windows(rows: Rows, stretches: list[tuple[int, int]], how: Variant) -> SplitsAndNotes:
    """One split for each stretch of the time order, trained on all that lies before, `gap` rows apart."""
    order, left_out = time_order(rows), 0
    for fold, (start, stop) in enumerate(stretches):
        test, candidates = order[start:stop], order[: max(0, start - how.gap)]
        train = earlier_rows(rows, candidates, test, how)
        left_out += len(candidates) - len(train)
        yield Split(ascending_rows(train), ascending_rows(test), fold=fold)
    yield from left_out_note(left_out)


def time_order(rows: Rows) -> Array:
    """Rows from first to last; rows of one time in the order of the data."""
    return np.argsort(np.asarray(rows.time), kind="stable")


def earlier_rows(rows: Rows, candidates: Array, later: Array, how: Variant) -> Array:
    """The candidates strictly before all later rows and, where groups are kept, of no group of theirs."""
    time = np.asarray(rows.time)
    keep = time[candidates] < time[later].min()
    if how.grouped and rows.groups is not None:
        keep &= ~np.isin(rows.groups[candidates], rows.groups[later])
    if not keep.any():
        raise Refused("no row is left before the first test rows: use fewer or smaller parts, or a shorter gap", "gap")
    return candidates[keep]


def ascending_rows(rows: Array) -> Array:
    """Rows in ascending order, read-only."""
    return freeze(np.sort(rows).astype(np.int32))


def left_out_note(number: int) -> SplitsAndNotes:
    """What to say where rows could be on neither side."""
    if number:
        says = "rows left out because their time is that of later rows or their group is tested later"
        yield Note("left-out-in-time", "remark", f"{says}: {number}")
