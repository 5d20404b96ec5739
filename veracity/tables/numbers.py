"""Numbers as a reader wants them: four significant digits, the limits of an interval to the same place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from veracity.tables.names import Name

DIGITS = 4
TINY, HUGE = 1e-4, 1e7  # outside, powers of ten are easier to read


@dataclass(frozen=True)
class Number:
    """A number and the decimals it is written with; files for machines get it in full."""

    value: float
    decimals: int | None = None  # None: a power of ten

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "undefined"
        if math.isinf(self.value):
            return "inf" if self.value > 0 else "-inf"
        text = f"{self.value:.{DIGITS - 1}e}" if self.decimals is None else f"{self.value:.{self.decimals}f}"
        return text.removeprefix("-") if float(text) == 0 else text


def together(*numbers: float | None) -> tuple[Number | None, ...]:
    """Numbers of one row, all with the decimals that the first needs (the others where it is zero or undefined)."""
    known = [number for number in numbers if number is not None and math.isfinite(number) and number != 0]
    places = decimals(known[0]) if known else 0
    return tuple(None if number is None else Number(number, places) for number in numbers)


def decimals(number: float) -> int | None:
    """How many decimals show four significant digits; None where only a power of ten would."""
    size = abs(number)
    if not math.isfinite(size) or size == 0:
        return 0
    if not TINY <= size < HUGE:
        return None
    return max(0, DIGITS - 1 - math.floor(math.log10(size)))


def written(cell: Any) -> str:
    """The text of any cell."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return str(Number(cell)) if not math.isfinite(cell) else f"{cell:.{DIGITS}g}" if abs(cell) < 1 else _plain(cell)
    return str(cell)


def _plain(number: float) -> str:
    return f"{number:.{decimals(number) or 0}f}" if not number.is_integer() else f"{number:.0f}"


def in_full(cell: Any) -> Any:
    """A cell for machines: an undefined or infinite number is None, a name is whole."""
    if isinstance(cell, Name):
        return cell.whole
    number = cell.value if isinstance(cell, Number) else cell
    return None if isinstance(number, float) and not math.isfinite(number) else number
