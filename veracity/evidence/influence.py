"""Influence values of an ordering score, summed up at once and written out only when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from veracity.records.arrays import Array

Pair = tuple[Array, Array]  # for a positive and for a negative row of each block


@dataclass(frozen=True, eq=False)
class Influence:
    """`sums[..., class, power]` adds up powers 0 to 3 of the values over rows; `values()` gives them by block."""

    sums: Array
    values: Callable[[], Pair]

    @classmethod
    def listed(cls, pair: Pair, positives: Array, negatives: Array) -> Influence:
        """From values that are at hand."""
        powers = [
            np.stack([(weight * value**k).sum(-1) for k in range(4)], -1)
            for weight, value in zip((positives, negatives), pair, strict=True)
        ]
        return cls(np.stack(powers, -2), lambda: pair)

    def moved(self, for_positive: Array, for_negative: Array, scale: Array) -> Influence:
        """Each value times `scale` plus a shift for its class."""
        shift = np.stack(np.broadcast_arrays(for_positive, for_negative), -1)
        s0, s1, s2, s3 = np.moveaxis(self.sums, -1, 0)
        b = np.asarray(scale)[..., None]
        powers = (
            s0,
            shift * s0 + b * s1,
            shift**2 * s0 + 2 * shift * b * s1 + b**2 * s2,
            shift**3 * s0 + 3 * shift**2 * b * s1 + 3 * shift * b**2 * s2 + b**3 * s3,
        )

        def values() -> Pair:
            of_positive, of_negative = self.values()
            return of_positive * b + shift[..., :1], of_negative * b + shift[..., 1:]

        return Influence(np.stack(powers, -1), values)

    def cells(self) -> Array:
        """The values of every cell of the ordering, positives first."""
        return np.concatenate(self.values(), -1)

    def moments(self) -> Array:
        """Powers 0 to 3 summed over all rows."""
        return self.sums.sum(-2)
