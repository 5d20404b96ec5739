"""Two models' predictions of the same rows, for comparisons of any score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.evidence.evidence import Evidence
from veracity.evidence.pairs import same_rows
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array


class Tracked(NamedTuple):
    """Evidence that remembers in which of its cells each row is."""

    evidence: Evidence
    cell: Array

    @classmethod
    def of(cls, score: Choice, p: Predictions) -> Tracked:
        """Each row is made a group of its own, as the evidence of groups remembers their rows."""
        evidence = score.entry.gather(replace(p, groups=np.arange(len(p))), **score.given)
        return cls(evidence, evidence.sampling.cell)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return int(self.evidence.cells.shape[-1])


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
        if first.positive != second.positive:
            raise BadInput("the models name different positive classes: name the same one for both")
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

    @cached_property
    def tracked(self) -> tuple[Tracked, Tracked]:
        """The same evidence, remembering its rows."""
        return Tracked.of(self.score, self.first), Tracked.of(self.score, self.second)

    def value(self, evidence: Evidence) -> Any:
        """The score on evidence of one model, or of many replicates of it."""
        return self.score.entry.evaluate(evidence, **self.score.given)

    @cached_property
    def values(self) -> tuple[float, float]:
        """The score of each model."""
        first, second = self.evidence
        return float(self.value(first)), float(self.value(second))

    @property
    def difference(self) -> float:
        first, second = self.values
        return first - second
