"""Two models' probabilities of the same many plain rows: each sorted once, and what rows do to the difference of areas.

As the general way tells it, which writes the block of every row and what each block does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracity.evidence.packed_ordering import PackedOrdering
from veracity.evidence.predictions import Predictions
from veracity.evidence.sort_rows import sort_signed
from veracity.kernels import packed
from veracity.kernels.beside import run_beside
from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class RankedRows:
    """An ordering by probability that knows which row stands where."""

    ordering: PackedOrdering
    rows: Array

    @classmethod
    def from_predictions(cls, p: Predictions) -> RankedRows:
        rows, is_positive = np.empty(len(p), np.int32), p.truth == p.named_positive
        signed = sort_signed(p.probability(p.named_positive), is_positive, rows)
        return cls(PackedOrdering(signed, int(np.count_nonzero(is_positive))), rows)

    @property
    def swept(self) -> tuple[Array, Array, float, float, float]:
        """What a sweep over placements starts from: values, rows, the number of rows of each class, the area."""
        positives, negatives = float(self.ordering.all_positives), float(self.ordering.all_negatives)
        area = float(self.ordering.swept.sums[0]) / (positives * negatives)
        return self.ordering.signed, self.rows, positives, negatives, area


@dataclass(frozen=True, eq=False)
class TwoOrderings:
    """Of the same rows, by the first and by the second model."""

    first: RankedRows
    second: RankedRows

    @classmethod
    def from_predictions(cls, first: Predictions, second: Predictions) -> TwoOrderings | None:
        """None where rows are few, count in their own way, or have no probabilities: the general way is for those."""
        if not all(p.many_plain and p.proba is not None and len(p) < 2**31 for p in (first, second)):
            return None
        found: list[RankedRows] = []
        with run_beside(lambda: found.append(RankedRows.from_predictions(second))):
            one = RankedRows.from_predictions(first)
        return cls(one, found[0])

    @property
    def class_sizes(self) -> Array:
        """Negative and positive rows."""
        ordering = self.first.ordering
        return np.array([ordering.all_negatives, ordering.all_positives])

    @property
    def influence(self) -> Array:
        """What each row does to the difference of the areas, of mean 0 in each class."""
        placed, others = np.empty(len(self.first.rows)), np.empty(len(self.first.rows))
        packed.placements(*self.first.swept, placed)
        packed.placements(*self.second.swept, others)
        placed -= others
        return placed

    @cached_property
    def squares(self) -> Array:
        """Sums over negative and over positive rows of squares of what each does to the difference of the areas."""
        placed, squares = np.empty(len(self.first.rows)), np.zeros(2)
        packed.placements(*self.first.swept, placed)
        packed.squares_apart(*self.second.swept, placed, squares)
        return squares
