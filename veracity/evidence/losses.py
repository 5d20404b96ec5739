"""Per-row quantities whose means make a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracity.evidence.evidence import Evidence, Sampling
from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Losses(Evidence):
    """One row of `columns` per row of data, and how often or how heavily each counts."""

    columns: Array  # (rows, columns)
    weight: Array | None = None  # (..., rows); None counts each row once
    sampling: Sampling | None = None

    @property
    def cells(self) -> Array:
        return np.ones(len(self.columns)) if self.weight is None else self.weight

    def reweighted(self, cells: Array) -> Losses:
        return Losses(self.columns, cells)

    @property
    def rows(self) -> float:
        if self.sampling is not None:
            return super().rows
        return float(len(self.columns) if self.weight is None else self.weight.sum())

    @cached_property
    def means(self) -> Array:
        """Weighted mean of each column, on the last axis."""
        if self.weight is None:
            return self.columns.mean(0)
        return self.weight @ self.columns / self.weight.sum(-1)[..., None]
