"""How sure an answer is: the level and side of an interval, and the p-values of a statistic that has a direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, get_args

from veracity.core.distributions import above, student_quantile
from veracity.core.errors import BadInput

Side = Literal["two", "lower", "upper"]
Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
BOUNDED_SIDE: dict[str, Side] = {"two-sided": "two", "less": "upper", "greater": "lower"}  # of the interval
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


class PValues(NamedTuple):
    """The p-values of both one-sided alternatives about a difference, as scipy names them."""

    less: float  # small where the difference lies below 0
    greater: float  # small where it lies above 0

    @property
    def two_sided(self) -> float:
        """Return twice the smaller one, at most 1; NaN stays NaN."""
        doubled = 2 * min(self)
        return 1.0 if doubled > 1 else doubled

    def of(self, alternative: str) -> float:
        """Return the p-value of "two-sided", "less" or "greater"."""
        return self.two_sided if alternative == "two-sided" else self.less if alternative == "less" else self.greater

    @property
    def swapped(self) -> PValues:
        """Return those of the difference with the other sign."""
        return PValues(self.greater, self.less)


NO_EVIDENCE = PValues(1.0, 1.0)


def normal_p_values(z: float) -> PValues:
    """Return the p-values of a standard normal statistic."""
    return PValues(above(-z), above(z))


def student_p_values(t: float, df: float) -> PValues:
    """Return the p-values of Student's t."""
    from scipy.special import stdtr

    return PValues(float(stdtr(df, t)), float(stdtr(df, -t)))


def check_alternative(alternative: str | None) -> None:
    """Raise BadInput for a word that names no alternative."""
    if alternative is not None and alternative not in ALTERNATIVES:
        raise BadInput(
            f"`alternative=` is 'two-sided', 'less' or 'greater', about the score of the first less that of"
            f" the second, not {alternative!r}"
        )
