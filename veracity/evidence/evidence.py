"""What scores read: cells with weights, and how the rows in them were sampled.

Every kind of evidence names itself in class attributes: `label` says what a method reads, `between` what a comparison
reads where that differs, `lacks` what is to be said of a score that has none, `design` what gives it of a learner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Sampling:
    """How rows fell into cells when they are weighted or clustered; plain rows need none of it."""

    cell: Array  # of each row
    weight: Array | None = None
    group: Array | None = None  # codes 0..groups-1

    @property
    def units(self) -> int:
        """How many independent units were sampled: groups where there are any, else rows."""
        return int(self.group.max()) + 1 if self.group is not None else len(self.cell)

    @cached_property
    def row_weight(self) -> Array:
        return np.ones(len(self.cell)) if self.weight is None else self.weight

    def per_unit(self, of_cell: Array) -> Array:
        """Sum of weight times the cell's value over the rows of each unit."""
        chosen = of_cell[self.cell]
        of_row = chosen.astype(float) if self.weight is None else self.weight * chosen
        return of_row if self.group is None else np.bincount(self.group, of_row, self.units)

    def shares(self, cells: Array) -> Array:
        """Each unit's share of the weight of the rows in the cells chosen."""
        weight = self.per_unit(cells)
        return weight / weight.sum()

    def equal_units(self, cells: Array) -> float:
        """Groups in the cells chosen as many of equal size that tell as much, weights in units of the heaviest.

        A row that was not seen may weigh as much as the heaviest that was.
        """
        shares = self.shares(cells)
        return effective_number(shares) if self.weight is None else float(1 / shares.max())


def effective_number(weight: Array) -> float:
    """As many units of equal weight tell as much (Kish)."""
    return round(float(weight.sum() ** 2 / (weight @ weight)), 9)  # whole for equal weights


class Evidence(ABC):
    """Cells with weights. A score maps the weights to a number, whatever leading axes they have."""

    sampling: Sampling | None

    @property
    @abstractmethod
    def cells(self) -> Array:
        """The weight of each cell, on the last axis."""

    @abstractmethod
    def reweigh(self, cells: Array) -> Self:
        """The same cells with other weights, perhaps with leading axes: replicates, splits, perturbations."""

    @property
    def parts(self) -> Array | None:
        """The part of the rows that each cell belongs to, where scores average them one by one."""
        return None

    @property
    def rows(self) -> float:
        """How many rows there are (sampling weights count a row once)."""
        return float(self.cells.sum()) if self.sampling is None else float(len(self.sampling.cell))
