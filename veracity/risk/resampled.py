"""A score on the splits of a design, as interval methods read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veracity.core.errors import Refused
from veracity.intervals.measured import Measured
from veracity.records.split_scores import SplitScores


@dataclass(frozen=True, eq=False)
class Resampled(Measured):
    """The evidence is all tested rows together; the value that an interval surrounds is the mean over splits."""

    splits: SplitScores

    @cached_property
    def value(self) -> float:
        return self.splits.mean

    def view(self, wanted: type) -> Any:
        if wanted is SplitScores:
            return self.splits
        raise Refused(
            "this interval is about one fixed model, and these rows were predicted by the models of several splits:"
            " use corrected_t",
            "several-models",
        )
