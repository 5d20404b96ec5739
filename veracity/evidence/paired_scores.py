"""Scores of two models or learners on the same rows, data sets or splits, one pair of numbers for each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class PairedScores:
    """What two scored on the same units, in the same order."""

    label: ClassVar[str] = "scores of two on the same rows or data sets"

    first: Array
    second: Array
    units: str = "data sets"  # what each pair of numbers is of
    independent: bool = True  # splits of one data set are not: they share its rows

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def difference(self) -> Array:
        """First minus second; infinite minus infinite is 0, for neither is better."""
        same = self.first == self.second
        return np.where(same, 0.0, self.first - np.where(same, 0.0, self.second))

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.difference).all())
