"""Labels that a user typed, in the type of the column they speak of."""

from __future__ import annotations

from typing import Any

from veracity.evidence.labels import plain
from veracity.records.arrays import Array


def typed(given: Any, column: Array) -> Any:
    """A label given as text turned into the column's type; left as it is where that is not possible."""
    if not isinstance(given, str):
        return plain(given)
    try:
        return READ.get(column.dtype.kind, str)(given)
    except (ValueError, OverflowError):
        return given


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
    if not number.is_integer():
        raise ValueError(text)
    return int(number)


def _truth(text: str) -> bool | str:
    return TRUTHS.get(text.strip().lower(), text)


TRUTHS: dict[str, bool | str] = {"true": True, "false": False, "1": True, "0": False}
READ: dict[str, Any] = {"i": _whole, "u": _whole, "f": float, "b": _truth}
