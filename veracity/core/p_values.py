"""The p-values of a statistic that has a direction: of both one-sided alternatives, and the two-sided one."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from veracity.core.confidence import Side
from veracity.core.errors import BadInput
from veracity.core.normal import above

Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
BOUNDED_SIDE: dict[str, Side] = {"two-sided": "two", "less": "upper", "greater": "lower"}  # of the interval


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
