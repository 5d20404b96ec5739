"""The score that a tuned learner won by inside its training rows, beside the one that rows it never saw give."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.core.undefined import Undefined
from veracity.findings.estimate import Estimate
from veracity.records.chosen import Chosen


@dataclass(frozen=True)
class Optimism:
    """One tuned learner on one data set by one design."""

    nested: Estimate  # from test rows that took no part in the choice
    chosen: Chosen
    disagreement: float  # share of rows on which models of two splits differ; undefined where no row has two

    @property
    def flat(self) -> float:
        """The winner's inner score, averaged over splits: what is reported by those who do not nest."""
        if self.chosen.score and self.chosen.score != self.nested.score:
            return Undefined(f"it was tuned by {self.chosen.score}, not by {self.nested.score}")
        return self.chosen.flat

    @property
    def difference(self) -> float:
        """Nested minus flat, in the score's own units: above 0 the flat one is too good where lower is better."""
        return self.nested.value - self.flat
