"""What learners with an algebra read: rows of many samples, how often each trains in each split, and what is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from veracity.records.arrays import Array

ROOM = 3_000_000  # numbers of one array at a time


@dataclass(frozen=True, eq=False)
class SplitRows:
    """Samples that share a design. `tried` are rows of their own, or None where the rows themselves are tried."""

    features: Array  # (samples, rows, features)
    target: Array  # (samples, rows): classes 0 and 1, or numbers
    times: Array  # (splits, rows): how often each row trains
    asked: Array  # (splits, tried): whether the model of a split is asked about a row
    tried: Array | None = None  # (samples, tried, features)

    @property
    def queries(self) -> Array:
        return self.features if self.tried is None else self.tried

    @cached_property
    def weights(self) -> Array:
        """How often each row trains, as numbers that matrices are multiplied with."""
        return self.times.astype(float)

    @cached_property
    def trained(self) -> Array:
        """How many rows train each split, (splits,)."""
        return self.weights.sum(1)

    @cached_property
    def positives(self) -> Array:
        """How many of them are of class 1, (samples, splits)."""
        return self.target @ self.weights.T

    @property
    def both_classes(self) -> bool:
        """Whether every split trains on both."""
        return bool((self.positives > 0).all() and (self.positives < self.trained).all())

    def parts(self) -> Iterator[SplitRows]:
        """A few samples at a time."""
        _, rows, features = self.features.shape
        splits, tried = self.asked.shape
        each = max(splits * tried, rows * tried, (rows + splits) * features**2)
        step = max(1, ROOM // each)
        for first in range(0, len(self.features), step):
            here = slice(first, first + step)
            queries = None if self.tried is None else self.tried[here]
            yield replace(self, features=self.features[here], target=self.target[here], tried=queries)
