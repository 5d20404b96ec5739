"""One test of all learners or models together, and a statistic as papers print it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from veracity.core.confidence import rejects
from veracity.core.notes import Note, refuses
from veracity.findings.estimate import finite
from veracity.tables.cells import Number

SUMS = ("W+", "W-")  # how readers call the sums of ranks by sign


@dataclass(frozen=True)
class Omnibus:
    """One test of all learners together; beside it a posterior, where one was asked for."""

    method: str
    statistic: float | None
    df: tuple[float, ...]
    p_value: float
    notes: tuple[Note, ...] = ()
    probabilities: tuple[float, ...] | None = None  # of each learner, in their order, to be the best
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the test
    letter: str = ""  # what the field calls the statistic, such as t or F

    @property
    def result(self) -> str:
        """The statistic with its degrees of freedom and the p-value: "F(4, 52) = 3.28, p = 0.0176"."""
        numbers = (statistic_text(self.letter, self.statistic, self.df), f"p = {self.p_value:.3g}")
        return ", ".join(filter(None, numbers))

    def rejects(self, level: float) -> bool:
        """Whether it concludes that learners differ; a refused test that was run anyway never does."""
        return bool(rejects(self.p_value, level)) and not self.refused

    @property
    def refused(self) -> bool:
        return refuses(self.notes)

    def to_json(self) -> dict[str, Any]:
        shape = {
            "method": self.method,
            "statistic": finite(self.statistic),
            "df": list(self.df),
            "p_value": self.p_value,
        }
        if self.probabilities is not None:
            shape["probabilities"] = list(self.probabilities)
        return {**shape, **{name: finite(fact) for name, fact in self.facts}}


def statistic_text(letter: str, statistic: float | None, df: tuple[float, ...]) -> str:
    """A statistic as papers print it: "chi2(1) = 4.645"."""
    if statistic is None:
        return ""
    degrees = f"({degrees_text(df)})" if df else ""
    return f"{letter or 'statistic'}{degrees} = {statistic:.4g}"


def degrees_text(df: tuple[float, ...]) -> str:
    """Degrees of freedom as text."""
    return ", ".join(str(degrees_number(one)) for one in df)


def degrees_number(df: float) -> Number:
    """Degrees of freedom, whole ones in full, others to four digits."""
    whole = not math.isfinite(df) or float(df).is_integer()
    return Number(df, 0 if whole else max(0, 4 - len(str(int(df)))))
