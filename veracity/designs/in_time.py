"""Splits in time order: training rows lie strictly before the rows that test."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.designs.entry import SplitsAndNotes
from veracity.designs.parameters import Variant
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows, Split


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
    return np.argsort(_time(rows), kind="stable")


def earlier_rows(rows: Rows, candidates: Array, later: Array, how: Variant) -> Array:
    """The candidates strictly before all later rows and, where groups are kept, of no group of theirs."""
    time = _time(rows)
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


def _time(rows: Rows) -> Array:
    if rows.time is None:
        raise Refused("time order needs a time for each row, which these rows do not have", "variants")
    return rows.time
