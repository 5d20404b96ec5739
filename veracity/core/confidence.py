"""How sure an interval should be: its level and which side it bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal

from veracity.core.errors import BadInput
from veracity.core.quantiles import student_quantile

Side = Literal["two", "lower", "upper"]
LEAST_SURE = 0.5  # of a level that is typed: less is an alpha


def rejects(p_value: Any, level: float) -> Any:
    """Whether a p-value, or each of several, is at most 1 - level, as a test of that size rejects.

    1 - 0.95 is a little more than 0.05 in floating point and 1 - 0.9 a little less than 0.1, which must not decide.
    """
    return p_value <= round(1 - level, 15)


def typed_level(level: float) -> float:
    """Return a level that was typed; refuse one that is surely meant as the chance to err."""
    if 0 < level < LEAST_SURE:
        alpha = "`level=` is 1 - alpha, as in `level=0.95` for an alpha of 0.05"
        raise BadInput(f"`level=` is how sure to be, and {level:g} of it is a guess: {alpha}")
    return level


@dataclass(frozen=True)
class Confidence:
    """A level and a side. A one-sided bound is the two-sided formula with the whole tail on one side."""

    level: float = 0.95
    side: Side = "two"

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise BadInput(f"level must lie strictly between 0 and 1, not {self.level!r}; try 0.95")
        if self.side not in ("two", "lower", "upper"):
            raise BadInput(f"side must be 'two', 'lower' or 'upper', not {self.side!r}")

    @property
    def mirrored(self) -> Confidence:
        """Return the same about the number with the other sign."""
        sides: dict[str, Side] = {"two": "two", "lower": "upper", "upper": "lower"}
        return Confidence(self.level, sides[self.side])

    @property
    def miss(self) -> float:
        """The probability of missing, over all bounded sides."""
        return 1 - self.level

    @property
    def tail(self) -> float:
        """The probability of missing on each bounded side."""
        return self.miss / 2 if self.side == "two" else self.miss

    @cached_property
    def z(self) -> float:
        """Normal quantile that leaves one tail."""
        return NormalDist().inv_cdf(1 - self.tail)

    def t(self, degrees: float) -> float:
        """Student quantile that leaves one tail."""
        return student_quantile(degrees, self.tail)
