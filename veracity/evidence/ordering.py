"""Rows sorted by decision value, tied rows as one block."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from veracity.evidence.evidence import Evidence, Sampling
from veracity.kernels import collapse, sweep
from veracity.records.arrays import Array, frozen


@dataclass(frozen=True, eq=False, repr=False)
class Ordering(Evidence):
    """Weight of positive and of negative rows in each block of equal values, highest value first."""

    positives: Array
    negatives: Array
    values: Array | None = None  # None where memory did not allow to keep them
    sampling: Sampling | None = None

    @classmethod
    def of(cls, value: Any, is_positive: Any, weight: Array | None = None) -> Ordering:
        """From one value and one truth per row; rows of equal value move together."""
        value, is_positive = np.asarray(value), np.asarray(is_positive, bool)
        if weight is None:
            return cls.of_classes(value[is_positive], value[~is_positive])
        return cls.tracked(value, is_positive, weight=weight)

    @classmethod
    def of_classes(cls, positives: Array, negatives: Array, keep_values: bool = True) -> Ordering:
        """From the values of each class, which are sorted in place: two sorts, one merge, no index."""
        positives.sort()
        negatives.sort()
        of_positives, of_negatives, values = collapse.tied_blocks(positives, negatives, keep_values)
        return cls(of_positives, of_negatives, values)

    @classmethod
    def tracked(
        cls, value: Array, is_positive: Array, weight: Array | None = None, group: Array | None = None
    ) -> Ordering:
        """The same, remembering the block of each row, as weights, clusters and several classes need it."""
        values, block = np.unique(-value, return_inverse=True)
        number = len(values)
        cell = np.where(is_positive, block, block + number)
        total = np.bincount(cell, weight, 2 * number)
        return cls(total[:number], total[number:], frozen(-values), Sampling(cell, weight, group))

    @property
    def cells(self) -> Array:
        return np.concatenate([self.positives, self.negatives], -1)

    def reweighted(self, cells: Array) -> Ordering:
        blocks = self.positives.shape[-1]
        return Ordering(cells[..., :blocks], cells[..., blocks:], self.values)

    @cached_property
    def all_positives(self) -> Array:
        return np.asarray(self.positives.sum(-1, dtype=float))

    @cached_property
    def all_negatives(self) -> Array:
        return np.asarray(self.negatives.sum(-1, dtype=float))

    @property
    def rows(self) -> float:
        if self.sampling is not None:
            return super().rows
        return float((self.all_positives + self.all_negatives).sum())

    @cached_property
    def tp(self) -> Array:
        """True positives when the blocks down to each one are selected, starting from none."""
        return _cumulative(self.positives)

    @cached_property
    def fp(self) -> Array:
        """False positives likewise."""
        return _cumulative(self.negatives)

    @cached_property
    def hull(self) -> tuple[Array, Ordering]:
        """The last block of each edge of the upper hull of the ROC curve, and the ordering with edges as blocks."""
        last, tall, wide = self.swept(sweep.hull)
        return last, Ordering(np.diff(tall, prepend=0.0), np.diff(wide, prepend=0.0))

    def swept(self, sweep: Any, *arguments: Any) -> Any:
        """A kernel's answer for every leading axis; numpy arguments have those axes too."""
        *lead, blocks = self.positives.shape
        each_lead = (math.prod(lead), blocks)  # also without blocks, where two classes have no rows
        flat = [np.ravel(a) if isinstance(a, (np.ndarray, np.generic)) else a for a in arguments]
        out = sweep(self.positives.reshape(each_lead), self.negatives.reshape(each_lead), *flat)
        if isinstance(out, tuple):
            return tuple(each.reshape((*lead, *each.shape[1:])) for each in out)
        return out.reshape((*lead, *out.shape[1:]))

    def __repr__(self) -> str:
        return (
            f"Ordering({self.positives.shape[-1]} blocks, {self.all_positives} positive, {self.all_negatives} negative)"
        )


def _cumulative(part: Array) -> Array:
    total = np.cumsum(part, -1, dtype=float)
    return np.concatenate([np.zeros((*total.shape[:-1], 1)), total], -1)
