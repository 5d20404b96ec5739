"""Cells as a reader wants them: numbers to four significant digits, long names of learners numbered and cut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.core.words import brief

DIGITS = 4
TINY, HUGE = 1e-4, 1e7  # outside, powers of ten are easier to read
EXACT = 1e15  # from here on, a floating point number has more digits than it holds
LONGEST = 32  # characters of a name that may stand in several columns


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


@dataclass(frozen=True)
class NumberWithin:
    """A number and its limits in one cell, as in 0.82 [0.71, 0.90]; files for machines get the number alone."""

    number: Number | None
    low: Number | None = None
    high: Number | None = None

    @classmethod
    def of(cls, number: float, low: float | None, high: float | None, places: int) -> NumberWithin:
        """All with so many decimals."""
        return cls(Number(number, places), number_or_none(low, places), number_or_none(high, places))

    @property
    def value(self) -> float:
        return math.nan if self.number is None else self.number.value

    def __str__(self) -> str:
        return f"{self.number}" if self.low is None else f"{self.number} [{self.low}, {self.high}]"


def number_or_none(value: float | None, places: int | None) -> Number | None:
    """Return a number with so many decimals; None, an empty cell, stays None."""
    return None if value is None else Number(value, places)


def align_decimals(*numbers: float | None) -> tuple[Number | None, ...]:
    """Numbers of one row with the decimals that the first needs (the next where it is zero or undefined).

    None has more than four significant digits, as a limit far from a small difference would.
    """
    known = [number for number in numbers if number is not None and math.isfinite(number) and number != 0]
    places = decimals(known[0]) if known else 0

    def fewest(number: float) -> int | None:
        own = decimals(number) if number else None
        return places if own is None or places is None else min(places, own)

    return tuple(None if number is None else Number(number, fewest(number)) for number in numbers)


def decimals(number: float) -> int | None:
    """How many decimals show four significant digits; None where only a power of ten would."""
    size = abs(number)
    if not math.isfinite(size) or size == 0:
        return 0
    if not TINY <= size < HUGE:
        return None
    return max(0, DIGITS - 1 - math.floor(math.log10(size)))


def decimals_of(numbers: Sequence[float], most: int | None) -> int | None:
    """How many decimals numbers were written with, and at most so many; None where a power of ten is better."""
    for places in range(most or 0):
        if all(abs(round(n, places) - n) < 1e-9 * max(abs(n), 1) for n in numbers):
            return places
    return most


def deserved_decimals(uncertainty: float) -> int:
    """How many decimals a number deserves: those that show two digits of its standard error."""
    if not 0 < uncertainty < math.inf:
        return DIGITS
    return min(max(0, 1 - math.floor(math.log10(uncertainty))), 8)


def cell_text(cell: Any) -> str:
    """The text of any cell."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        if not abs(cell) < EXACT:
            return str(Number(cell))
        cell += 0.0  # -0 is 0
        places = 0 if cell.is_integer() else decimals(cell) or 0
        return f"{cell:.{DIGITS}g}" if abs(cell) < 1 else f"{cell:.{places}f}"
    return str(cell)


def machine_value(cell: Any) -> Any:
    """A cell for machines: an undefined number is None, an infinite one stays infinite, a name is whole."""
    if isinstance(cell, Name):
        return cell.whole
    number = cell.value if isinstance(cell, (Number, NumberWithin)) else cell
    return None if isinstance(number, float) and math.isnan(number) else number


@dataclass(frozen=True)
class Name:
    """A name as a table shows it; files for machines get it whole."""

    whole: str
    shown: str

    def __str__(self) -> str:
        return self.shown


TableNames = dict[str, str | Name]


def short_names(names: Sequence[str], always: bool = False, cut: bool = True) -> TableNames:
    """Each name with its number, cut where it is long; as they are where none is long, unless `always`."""
    if not always and all(len(name) <= LONGEST for name in names):
        return {name: name for name in names}
    return {name: Name(name, f"({n}) {brief(name, LONGEST) if cut else name}") for n, name in enumerate(names, 1)}


def full_names(names: Sequence[str], always: bool = False) -> TableNames:
    """Each name with the number that `short_names` gives it, for the table that tells which is which."""
    return short_names(names, always, cut=False)


def names_note(names: Sequence[str]) -> tuple[Note, ...]:
    """Which is which, for a table that no other one explains."""
    shown = full_names(names).values()
    return (Note("names", "remark", "; ".join(map(str, shown))),) if any(isinstance(n, Name) for n in shown) else ()
