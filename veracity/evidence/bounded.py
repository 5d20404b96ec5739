"""Per-row losses in a known range, for the bounds that hold at every sample size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.notes import Note
from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Bounded:
    """Losses scaled to 0..1 and the range they came from."""

    losses: Array
    low: float = 0.0
    high: float = 1.0
    notes: tuple[Note, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.losses)

    @property
    def mean(self) -> float:
        return float(self.losses.mean())

    @property
    def variance(self) -> float:
        return float(np.var(self.losses, ddof=1))

    def back(self, scaled: float) -> float:
        """A limit on the 0..1 scale in the score's own units."""
        return self.low + (self.high - self.low) * scaled


@dataclass(frozen=True, eq=False)
class Apparent(Bounded):
    """Losses of rows that may have trained the model, for bounds that hold for all models it was chosen from."""

    answers: str = ""
