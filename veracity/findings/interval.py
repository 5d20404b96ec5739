"""An interval, with all that is needed to read it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from veracity.core.confidence import Side
from veracity.core.notes import Note
from veracity.tables.result import SentenceResult


class Limits(NamedTuple):
    """What a method computes before it is clipped to the score's range."""

    low: float
    high: float
    notes: tuple[Note, ...] = ()
    about: float | None = None  # the estimate that they surround, where the method has one of its own

    @classmethod
    def plus_minus(cls, value: float, half: float, about: float | None = None) -> Limits:
        """Return limits at the same distance from a value to both sides."""
        return cls(value - half, value + half, about=about)


def limits_of(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both limits of an interval, None where there is none."""
    return (None, None) if interval is None else (interval.low, interval.high)


def shown_limits(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both limits for a reader: the end that a one-sided bound leaves open has none."""
    if interval is None or interval.open_end == "":
        return limits_of(interval)
    return (None, interval.high) if interval.open_end == "low" else (interval.low, None)


@dataclass(frozen=True, repr=False)
class Interval(SentenceResult):
    """Limits that cover the risk named by the estimate in a share `level` of all samples.

    Attributes
    ----------
    low
        The lower limit.
    high
        The upper limit.
    level
        The level of intervals and tests.
    method
        How it was made.
    side
        'two', 'lower' or 'upper'.
    assumes
        Keys of the assumptions that it stands on.
    notes
        What a reader should know: cautions and remarks.
    about
        The value that it is around, where that is not the estimate.
    answers
        Which risk the number is about.
    width
        High minus low.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> interval = vc.estimate(p, "error")["error"].interval
    >>> interval is not None and interval.method
    'wilson'
    """

    low: float
    high: float
    level: float
    method: str
    side: Side = "two"
    assumes: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    about: float | None = None  # the estimate that they surround, where the method has one of its own
    answers: str = ""  # the risk that they cover, where it is not the one that the estimate is of

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def open_end(self) -> str:
        """The end, "low" or "high", that a one-sided bound leaves open; none where both have a number."""
        if self.side == "upper" and math.isinf(self.low):
            return "low"
        return "high" if self.side == "lower" and math.isinf(self.high) else ""

    def sentence(self) -> str:
        if self.open_end:
            return f"at most {self.high:.4g}" if self.open_end == "low" else f"at least {self.low:.4g}"
        return f"[{self.low:.4g}, {self.high:.4g}]"

    __str__ = sentence  # as a part of what others say
