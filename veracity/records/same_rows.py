"""Two models' predictions of the same rows, for comparisons of any score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veracity.core.entry import Choice
from veracity.records.evidence import Evidence
from veracity.records.pairs import same_rows
from veracity.records.predictions import Predictions


@dataclass(frozen=True, eq=False)
class SameRows:
    """A score and the two models it compares; make one with `SameRows.of`."""

    score: Choice
    first: Predictions
    second: Predictions

    @classmethod
    def of(cls, score: Choice, first: Predictions, second: Predictions) -> SameRows:
        """Refuses rows that differ, and predictions that the score cannot be had from."""
        same_rows(first, second)
        score.entry.check(first)
        score.entry.check(second)
        return cls(score, first, second)

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def evidence(self) -> tuple[Evidence, Evidence]:
        """Of the first and of the second model."""
        gather = self.score.entry.gather
        return gather(self.first, **self.score.given), gather(self.second, **self.score.given)

    def value(self, evidence: Evidence) -> Any:
        """The score on evidence of one model, or of many replicates of it."""
        return self.score.entry.evaluate(evidence, **self.score.given)

    @cached_property
    def difference(self) -> float:
        first, second = self.evidence
        return float(self.value(first)) - float(self.value(second))
