"""Rows with a missing cell left out of columns that somebody gives, counted and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.labels import Places, is_missing
from veracity.evidence.named_columns import NamedColumns
from veracity.evidence.unlabelled import without_gap_type
from veracity.records.arrays import Array, RowNames, as_array

LEAVE_OUT = "fill it in or leave such rows out, `missing='drop'`"


def check_missing(missing: str) -> None:
    """What becomes of rows with missing cells, by its word."""
    if missing not in ("refuse", "drop"):
        raise BadInput(f"`missing=` is refuse or drop, not {missing!r}")


def drop_rows(given: Mapping[str, Any], at: Places, labelled: str) -> tuple[dict[str, Any], Places, tuple[Note, ...]]:
    """The columns without the rows that miss a cell in one of them; rows keep their numbers in sentences.

    A truth that nobody knows is no gap where that was said. Columns that do not match are left to who checks them.
    Where no ids are given the rows' numbers are, so that models which lack different rows are not taken for a pair.
    """
    arrays = {role: as_array(column, at[role]) for role, column in given.items() if column is not None}
    if len({len(array) for array in arrays.values()}) != 1:
        return dict(given), at, ()
    gaps = {at[role]: _gaps(array) for role, array in arrays.items() if role != "truth" or labelled == "all"}
    dropped = np.logical_or.reduce(list(gaps.values()))
    number, numbers = int(dropped.sum()), {place: int(found.sum()) for place, found in gaps.items()}
    if not number:
        return dict(given), at, ()
    if number == len(dropped):
        raise BadInput(f"every row has a missing cell in what was given ({gaps_in_words(numbers)})")
    kept, first = np.flatnonzero(~dropped), at.first
    columns = {**given, **{role: _take(array, kept, gaps.get(at[role])) for role, array in arrays.items()}}
    if isinstance(given.get("proba"), NamedColumns):
        columns["proba"] = replace(given["proba"], array=columns["proba"])
    if all(role in given and given[role] is None for role in ("rows", "fold", "repeat")):
        columns["rows"] = kept
    note = left_out_note("", len(dropped), number, numbers)
    return columns, replace(at, first=RowNames(lambda place: int(kept[place]) + first)), (note,)


def _gaps(array: Array) -> Array:
    """Where a row lacks a cell; of several columns, any."""
    if array.dtype.kind == "f":
        gaps = np.isnan(array)
    elif array.dtype.kind in "Mm":
        gaps = np.isnat(array)
    elif array.dtype.kind == "O":
        gaps = np.fromiter(map(is_missing, array.ravel()), bool, array.size).reshape(array.shape)
    else:
        gaps = np.zeros(array.shape, bool)
    found: Array = np.asarray(gaps.any(axis=tuple(range(1, gaps.ndim))))
    return found


def _take(array: Array, kept: Array, gaps: Array | None) -> Array:
    """The rows that stay; whole numbers again where only a gap had made others of them."""
    part = array[kept]
    return without_gap_type(part) if gaps is not None and gaps.any() and part.ndim == 1 else part


def left_out_note(place: str, rows: int, number: int, gaps: Mapping[str, int]) -> Note:
    """That rows with a gap were left out, how many of them, and how many gaps each column has."""
    says = f"{number} of {plural(rows, 'row')} {'has a' if number == 1 else 'have'} missing"
    cells = (
        f"{'cell' if number == 1 else 'cells'} ({gaps_in_words(gaps)}) and {'was' if number == 1 else 'were'} left out"
    )
    return Note("rows-left-out", "caution", f"{place}: {says} {cells}" if place else f"{says} {cells}")


def gaps_in_words(gaps: Mapping[str, int]) -> str:
    """How many gaps each column has that has any."""
    return ", ".join(f"{brief(str(name), 30)} {number}" for name, number in gaps.items() if number)
