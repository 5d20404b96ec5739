"""How sure an interval should be: its level and which side it bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal

from veracity.core.errors import BadInput
from veracity.core.quantiles import student_quantile

Side = Literal["two", "lower", "upper"]


def rejects(p_value: Any, level: float) -> Any:
    """Whether a p-value, or each of several, is at most 1 - level, as a test of that size rejects.

    1 - 0.95 is a little more than 0.05 in floating point and 1 - 0.9 a little less than 0.1, which must not decide.
    """
    return p_value <= round(1 - level, 15)


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
