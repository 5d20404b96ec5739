"""Several orderings of the same rows: one per class, or one per pair of classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.ordering import Ordering
from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Orderings(Evidence):
    """Orderings whose blocks remember their rows; `rows_of` says which rows each ordering holds."""

    members: tuple[Ordering, ...]
    rows_of: tuple[Array, ...]
    truth: Array
    weight: Array | None = None  # (..., rows)
    sampling: Sampling | None = None

    @property
    def cells(self) -> Array:
        return np.ones(len(self.truth)) if self.weight is None else self.weight

    def reweighted(self, cells: Array) -> Orderings:
        members = tuple(_reweighted(*each, cells) for each in zip(self.members, self.rows_of, strict=True))
        return Orderings(members, self.rows_of, self.truth, cells)

    def prior(self) -> Array:
        """Share of rows of each true class, classes on the last axis."""
        flat = self.cells.reshape(-1, len(self.truth))
        classes = int(self.truth.max()) + 1
        share = np.array([np.bincount(self.truth, w, max(classes, len(self.members))) / w.sum() for w in flat])
        return share.reshape((*self.cells.shape[:-1], -1))


def _reweighted(member: Ordering, rows: Array, cells: Array) -> Ordering:
    assert member.sampling is not None  # members are made with their rows tracked
    cell = member.sampling.cell
    size = 2 * member.positives.shape[-1]
    flat = cells.reshape(-1, cells.shape[-1])
    totals = np.array([np.bincount(cell, weight[rows], size) for weight in flat])
    return member.reweighted(totals.reshape((*cells.shape[:-1], size)))
