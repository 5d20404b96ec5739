"""Which of many models was right on each of the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from veracity.evidence.pairs import same_rows
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, frozen


@dataclass(frozen=True, eq=False)
class Correctness:
    """One row per tested row, one column per model: whether it was right."""

    hits: Array  # (rows, models), of truth values
    models: tuple[str, ...]

    @classmethod
    def of(cls, models: Mapping[str, Predictions]) -> Correctness:
        """From predictions of the same rows, which is checked."""
        first, *others = models.values()
        for other in others:
            same_rows(first, other)
        hits = np.stack([p.labels() == p.truth for p in models.values()], axis=1)
        return cls(frozen(hits), tuple(models))
