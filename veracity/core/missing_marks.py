"""The texts that mark a missing cell, one list for every file format and every kind of table."""

from __future__ import annotations

from typing import Any

MISSING_MARKS = ("", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "none")  # in small letters, without blanks around


def is_mark(cell: Any) -> bool:
    """Return whether a cell is a text that marks a missing value where numbers are expected."""
    return isinstance(cell, str) and cell.strip().lower() in MISSING_MARKS


def is_missing(cell: Any) -> bool:
    """Return whether a cell holds no value of any kind: None, NaN, pandas' NA or NaT, but no text."""
    # pandas' NA compares to itself as NA, whose truth is an error: told apart by its name
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, float) and cell != cell)
