"""Several orderings of the same rows: one per class, or one per pair of classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.records.arrays import Array
from veracity.records.evidence import Evidence, Sampling
from veracity.records.ordering import Ordering


@dataclass(frozen=True, eq=False)
class Orderings(Evidence):
    """Orderings whose blocks remember their rows; a row outside an ordering has cell -1 there."""

    members: tuple[Ordering, ...]
    truth: Array
    weight: Array | None = None  # (..., rows)
    sampling: Sampling | None = None

    @property
    def cells(self) -> Array:
        return np.ones(len(self.truth)) if self.weight is None else self.weight

    def reweighted(self, cells: Array) -> Orderings:
        members = tuple(_reweighted(member, cells) for member in self.members)
        return Orderings(members, self.truth, cells)

    def prior(self) -> Array:
        """Share of rows of each true class, classes on the last axis."""
        flat = self.cells.reshape(-1, len(self.truth))
        classes = int(self.truth.max()) + 1
        share = np.array([np.bincount(self.truth, w, max(classes, len(self.members))) / w.sum() for w in flat])
        return share.reshape((*self.cells.shape[:-1], -1))


def _reweighted(member: Ordering, cells: Array) -> Ordering:
    assert member.sampling is not None  # members are made with their rows tracked
    inside = member.sampling.cell >= 0
    cell = member.sampling.cell[inside]
    size = 2 * member.positives.shape[-1]
    flat = cells.reshape(-1, cells.shape[-1])[:, inside]
    totals = np.array([np.bincount(cell, weight, size) for weight in flat])
    return member.reweighted(totals.reshape((*cells.shape[:-1], size)))
