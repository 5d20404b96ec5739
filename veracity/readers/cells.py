"""Cells of a column made an array, alike for all formats: of one kind, whole numbers exact, missing cells apart.

A mark such as NA in a column whose other cells are all numbers, or all true or false, is a missing cell. In a column of
other texts it is a text like any other (NA is Namibia's code), which is told where it counts as a class or a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark, is_missing
from veracity.readers.source import Source
from veracity.records.arrays import Array, FirstRow

MAX_CELL_CHARS = 131_072  # a longer cell is a mistake, and would be echoed or compared for minutes
MAX_INT64 = 2**63 - 1


def is_text(cell: str) -> bool:
    """Return whether a cell was UTF-8; bytes that were not stand there as signs that cannot be written again."""
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_number(cell: Any) -> float | None:
    """Return what a cell says as a number: NaN where it is missing, None where it says something else."""
    if is_missing(cell) or is_mark(cell):
        return float("nan")
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def whole_numbers(numbers: Sequence[int], place: str, way: str) -> Array:
    """Return whole numbers exactly, with or without a sign; refuse those that no 64 bits hold together."""
    if min(numbers) < 0 and max(numbers) > MAX_INT64:
        says = f"holds whole numbers below 0 and above {MAX_INT64}, which no 64 bits hold together"
        raise BadInput(f"{place} {says}: {way}")
    return np.array(numbers, np.uint64 if max(numbers) > MAX_INT64 else np.int64)


def find_gaps(column: Array) -> Array | None:
    """Return where cells are missing: NaN among numbers, None among all else; nothing where none is."""
    if column.dtype.kind == "f":
        gaps = np.isnan(column)
    elif column.dtype.kind == "O":
        absent: Any = None
        gaps = np.not_equal(column, column) | np.equal(column, absent)
    else:
        return None
    return gaps if gaps.any() else None


def with_gaps(column: Array, gaps: Array) -> Array:
    """Return the column with None or NaN where cells are missing."""
    if gaps.any():
        column = column.astype(float if column.dtype.kind == "f" else object)
        column[gaps] = np.nan if column.dtype.kind == "f" else None
    return column


def too_long(source: Source, name: str, row: object) -> BadInput:
    """Return the error for a cell nobody can have meant."""
    return BadInput(f"{source.column(name)}: row {row} holds a cell of more than {MAX_CELL_CHARS:,} characters")


def different_kinds(place: str, first: FirstRow, kinds: Iterable[str | None]) -> BadInput:
    """Return the error for a column of several kinds, in words by row, which names the first rows of two of them."""
    rows: dict[str, int] = {}
    for row, kind in enumerate(kinds):
        if kind is not None:
            rows.setdefault(kind, row)
    (kind, row), (other, later) = list(rows.items())[:2]
    return BadInput(f"{place}: row {later + first} holds {other}, but row {row + first} holds {kind}: make them alike")
