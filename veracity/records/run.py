"""One learner on one data set by one design, as the store tells it."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.records.arrays import Array
from veracity.records.design import Design
from veracity.records.predictions import Predictions


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Its predictions and how many splits are missing."""

    data: str
    learner: str
    design: Design
    predictions: Predictions | None  # None when no split succeeded
    truth: Array  # of all rows of the data set, by row number
    failed: int = 0
    absent: int = 0
    reason: str = ""  # why the first failed split failed

    @property
    def complete(self) -> bool:
        return not self.failed and not self.absent

    def __repr__(self) -> str:
        missing = "" if self.complete else f", {self.failed} failed, {self.absent} not run"
        return f"Run({self.learner} on {self.data} by {self.design.name}: {len(self.design)} splits{missing})"
