"""Values that are not there: marks of missing cells, one list for all formats; a NaN that remembers its reason."""

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


class Undefined(float):
    """A float that is NaN and carries the reason; it is never zero and never dropped in silence.

    Attributes
    ----------
    reason
        Why there is no number.

    Examples
    --------
    >>> value = vc.score(vc.predictions([0, 1], label=[0, 0], positive=1), "precision")
    >>> isinstance(value, vc.Undefined) and value.reason
    'nothing is predicted positive'
    """

    reason: str

    def __new__(cls, reason: str) -> Undefined:
        self = super().__new__(cls, "nan")
        self.reason = reason
        return self

    def __repr__(self) -> str:
        return f"Undefined({self.reason!r})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return Undefined, (self.reason,)
