"""Missing marks such as NA in columns of a table: a missing cell among numbers, a text among texts.

A mark in a column whose other cells are all numbers, or all true or false, is a missing cell. In a column of other
texts it is a text like any other (NA is Namibia's code), which is told where it would count as a class or as a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.missing import MISSING_MARKS, is_mark, is_missing
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.readers.relation import Codes, quote
from veracity.records.arrays import Array

OFTEN_MEANT = ("none",)  # marks that name a class more often than a missing one: none, mild, severe


def mark_as_sql(cell: str) -> str:
    """Return SQL for whether a text marks a missing value."""
    return f"lower(trim({cell})) in ({', '.join(map(quote, MISSING_MARKS))})"


def as_number(cell: Any) -> float | None:
    """Return what a cell says as a number: NaN where it is missing, None where it says something else."""
    if is_missing(cell) or is_mark(cell):
        return float("nan")
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def read_marks(
    arrays: Mapping[str, Array | Codes], missing: Mapping[str, int]
) -> tuple[dict[str, Array | Codes], dict[str, int]]:
    """Return the columns with those of numbers and marks as numbers, and the first missing row of each that has one.

    Columns of texts without a mark stay texts: a typed file or a frame could have held numbers.
    """
    found, gaps = dict(arrays), dict(missing)
    for name, column in arrays.items():
        texts = column.texts if isinstance(column, Codes) else column
        if texts.dtype.kind not in "OUT" or not _is_numbers_and_marks(texts.tolist()):
            continue
        cells = (column.column if isinstance(column, Codes) else column).tolist()
        numbers = [_read_number(cell) for cell in cells]
        gaps[name] = numbers.index(None)
        whole = all(isinstance(number, int) for number in numbers if number is not None)
        filled = numbers if whole else [np.nan if number is None else number for number in numbers]
        found[name] = np.array(filled, object if whole else float)
    return found, gaps


def _is_numbers_and_marks(cells: Sequence[Any]) -> bool:
    """Return whether cells are numbers, written as text, and a mark at least, and nothing else."""
    marks = numbers = False
    for cell in cells:
        if is_mark(cell):
            marks = True
        elif isinstance(cell, str):
            if not _is_number(cell):
                return False
            numbers = True
        elif not is_missing(cell):
            return False
    return marks and numbers


def _is_number(text: str) -> bool:
    """Return whether a text is written as a number and not as a code such as 07."""
    digits = text.strip().lstrip("+-")
    if "_" in text or (digits[:1] == "0" and digits[1:2].isdigit()):
        return False
    try:
        float(text)
    except ValueError:
        return False
    return not digits.isdecimal() or len(digits) < 19  # longer ones are codes, which a float would not keep


def _read_number(cell: Any) -> int | float | None:
    if is_missing(cell) or is_mark(cell):
        return None
    return int(cell) if cell.strip().lstrip("-").isdecimal() else float(cell)


def mark_notes(cells: Array, place: str, role: str) -> tuple[Note, ...]:
    """Return a note for each mark that counts as a class or a group in a column of texts; `role` says which."""
    if cells.dtype.kind not in "OUT":
        return ()
    marks = {text: number for text, number in Counter(cells.tolist()).items() if is_mark(text)}
    return tuple(
        Note(
            f"mark-is-a-{role}",
            "remark" if text.strip().lower() in OFTEN_MEANT else "caution",
            f"{place} holds {brief(repr(text))} in {number} of {plural(len(cells), 'row')}, which counts as a {role}:"
            " if it marks a missing value, leave these cells empty",
        )
        for text, number in marks.items()
    )
