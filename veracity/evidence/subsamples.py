"""Scores on all rows and on pairs of halves of them, as paired subsampling gives."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Subsamples:
    """Scores, or differences of scores: of the splits of all rows, and the means inside the two halves of each pair."""

    full: Array  # (splits,)
    halves: Array  # (pairs, 2)

    @property
    def mean(self) -> float:
        return float(self.full.mean())

    @property
    def variance(self) -> float:
        """Of the mean: half the mean squared difference between the halves of a pair."""
        return float(((self.halves[:, 0] - self.halves[:, 1]) ** 2).mean() / 2)
