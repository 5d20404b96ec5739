"""Parts of the result of a test: one test of all together, effect sizes, posteriors, a statistic as papers print it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from veracity.core.confidence import rejects
from veracity.core.notes import Note, refuses
from veracity.records.arrays import Array, freeze
from veracity.tables.cells import Number
from veracity.tables.result import JsonFields

MAX_DRAWS_SHOWN = 2_000  # draws of a posterior that a picture shows
SUMS = ("W+", "W-")  # how readers call the sums of ranks by sign


@dataclass(frozen=True)
class Omnibus(JsonFields):
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

    def json_fields(self) -> dict[str, Any]:
        shape = {"method": self.method, "statistic": self.statistic, "df": self.df, "p_value": self.p_value}
        if self.probabilities is not None:
            shape["probabilities"] = self.probabilities
        return {**shape, **dict(self.facts)}


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


@dataclass(frozen=True)
class EffectSize(JsonFields):
    """How large a difference is without a unit, with its interval where it has one."""

    method: str
    value: float
    low: float | None
    high: float | None
    level: float
    _json_names = ("value", "low", "high", "level")

    @property
    def numbers(self) -> str:
        """The value and its limits, as a cell of a table holds them."""
        between = "" if self.low is None or self.high is None else f" [{self.low:.3g}, {self.high:.3g}]"
        return f"{self.value:.3g}{between}"

    def __str__(self) -> str:
        return f"{self.method} {self.numbers}"


def effect_columns(pairs: Sequence[Any]) -> dict[str, list[str | None]]:
    """Return the effect sizes of several pairs by method, a cell for each pair."""
    cells = [{one.method: one.numbers for one in pair.effects} for pair in pairs]
    return {
        method: [of_pair.get(method) for of_pair in cells] for method in dict.fromkeys(m for one in cells for m in one)
    }


class Student(NamedTuple):
    """Student's law of the mean difference; a single number where the scale is 0."""

    mean: float
    scale: float
    df: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """A law of the difference, or draws of the chances that it is left of the rope, inside it, right of it."""

    rope: float
    law: Student | None = None
    draws: Array | None = None  # (draws, 3), each row of sum 1


def posterior_of_draws(rope: float, weights: Array) -> Posterior:
    """From weights of left, inside and right, a column for each draw, every so many of them."""
    kept = weights[:, :: -(-weights.shape[1] // MAX_DRAWS_SHOWN)]
    return Posterior(rope, draws=freeze((kept / kept.sum(axis=0)).T))
