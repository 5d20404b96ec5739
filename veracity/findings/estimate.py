"""An estimate: one number, how sure it is, and which risk it answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from veracity.core.missing import Undefined
from veracity.core.notes import Note, unique
from veracity.core.words import percent
from veracity.findings.interval import Interval, limits_of
from veracity.tables.result import SentenceResult


@dataclass(frozen=True)
class Estimate(SentenceResult):
    """One number with its interval, what it is of and which risk it answers."""

    score: str  # canonical spelling
    asked: str  # the spelling that was typed, by the score's own name
    value: float
    interval: Interval | None = None
    better: str = "higher"  # empty where neither way is
    answers: str = "risk of this fixed model"
    data: str = ""
    learner: str = ""
    by: str = ""
    rows: float = math.nan
    notes: tuple[Note, ...] = ()
    splits: int = 0  # of the design, where there is one
    failed: int = 0  # of the splits
    by_asked: str = ""  # the design as it was typed
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the estimator, such as its weights
    deviation: float = math.nan  # standard deviation of the scores of its splits
    typed: str = ""  # the very word that was typed, which may be another name of the score

    @property
    def labels(self) -> tuple[str, ...]:
        """Every text by which a table can be asked for this row."""
        return tuple(
            filter(None, (self.data, self.learner, self.by, self.by_asked, self.score, self.asked, self.typed))
        )

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes + (self.interval.notes if self.interval else ()))

    def to_json(self) -> dict[str, Any]:
        """The shape of one score in the JSON of `veracity score`; one of several folds says of which."""
        return {**self._numbers(), "better": self.better or None, **(self._about() if self.by else {})}

    def of_learner(self) -> dict[str, Any]:
        """The shape of one score in the JSON of `veracity estimate`."""
        return {**self._numbers(), **self._about(), **{name: finite(number) for name, number in self.facts}}

    def _about(self) -> dict[str, Any]:
        return {"by": self.by, "answers": self.answers, "splits": self.splits, "failed": self.failed}

    def _numbers(self) -> dict[str, Any]:
        low, high = map(finite, limits_of(self.interval))
        level, method = (self.interval.level, self.interval.method) if self.interval else (None, None)
        return {"value": finite(self.value), "low": low, "high": high, "level": level, "method": method}

    def sentence(self) -> str:
        number = f"undefined ({self.value.reason})" if isinstance(self.value, Undefined) else f"{self.value:.4g}"
        if self.interval is None:
            return f"{self.asked} {number}"
        return f"{self.asked} {number} {self.interval} ({percent(self.interval.level)} {self.interval.method})"


def finite(number: float | None) -> float | None:
    """A number as JSON can hold it: undefined and infinite ones are null, and a count stays whole."""
    if number is None or isinstance(number, int):
        return number
    return float(number) if math.isfinite(number) else None
