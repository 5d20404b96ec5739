"""Missing marks such as NA in columns of a table: a missing cell among numbers, a text among texts.

A mark in a column whose other cells are all numbers, or all true or false, is a missing cell. In a column of other
texts it is a text like any other (NA is Namibia's code), which is told where it would count as a class or as a group.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from veracity.core.missing import MISSING_MARKS, is_mark, is_missing
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.readers.relation import Codes, quote
from veracity.records.arrays import Array

CODE = r"_|^\s*[+-]?(0[0-9]|[0-9]{19,}\s*$)"  # no number, although it can be read as one: 07, 1_000, a long id
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
        if texts.dtype.kind not in "OUT":
            continue
        cells = [cell for cell in texts.tolist() if not is_missing(cell)]
        written = [cell for cell in cells if not is_mark(cell)]
        if len(written) in (0, len(cells)) or not all(map(_is_written_number, written)):
            continue
        whole = all(cell.strip().lstrip("-").isdecimal() for cell in written)
        read = int if whole else float
        numbers = [
            None if is_missing(cell) or is_mark(cell) else read(cell)
            for cell in (column.column if isinstance(column, Codes) else column).tolist()
        ]
        gaps[name] = numbers.index(None)
        found[name] = np.array(numbers, object) if whole else np.array(numbers, float)  # where None is NaN
    return found, gaps


def _is_written_number(cell: Any) -> bool:
    """Return whether a cell is a text that is written as a number and not as a code such as 07."""
    return isinstance(cell, str) and not re.search(CODE, cell) and as_number(cell) is not None


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
