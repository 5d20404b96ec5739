"""How many: parameters that count, and shares of the rows in whole rows."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

from veracity.core.errors import BadInput, Refused


def whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number, at least `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise BadInput(f"{name} must be a whole number, not {value!r}") from None
    if isinstance(value, bool):
        raise BadInput(f"{name} must be a whole number, not {value!r}")
    if number < least:
        raise Refused(f"{name} must be at least {least}, not {number}", "too-few-parts")
    return number


def part_of(rows: int, share: Any, name: str) -> int:
    """ceil(share * rows), with the share as written: 0.07 of 100 rows is 7, though 0.07 * 100 is above 7 in floats."""
    try:
        exact = Fraction(str(share))
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{name} is a share of the rows such as 0.2, not {share!r}") from None
    number = math.ceil(exact * rows)
    if number < 1:
        raise Refused(f"{name}={share} of {rows} rows is no row: ask for a share between 0 and 1", "empty-part")
    return number


def held_out(rows: int, **shares: Any) -> tuple[int, ...]:
    """The size of each part asked for as a share, and last that of the training part; none may be empty."""
    parts = [part_of(rows, share, name) for name, share in shares.items()]
    left = rows - sum(parts)
    if left < 1:
        asked = " and ".join(f"{name}={share}" for name, share in shares.items())
        raise Refused(f"{asked} of {rows} rows leaves no row to train on: ask for smaller shares", "empty-part")
    return (*parts, left)


def even(rows: int, parts: int) -> tuple[int, ...]:
    """Sizes that differ by at most one, larger ones first."""
    small, larger = divmod(rows, parts)
    return (small + 1,) * larger + (small,) * (parts - larger)
