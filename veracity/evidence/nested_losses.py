"""What each row lost under models that left out its fold, and under models that left out another fold too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class NestedLosses:
    """Losses by repeat: `outer` under the model without the row's fold, `inner` under those without one more fold."""

    folds: Array  # (repeats, rows), from 0
    outer: Array  # (repeats, rows)
    inner: Array  # (repeats, rows, folds): by the other fold left out, NaN at the row's own
    answers: str = "mean risk of the procedure trained on all rows"

    @property
    def repeats(self) -> int:
        return len(self.outer)

    @property
    def rows(self) -> int:
        return self.outer.shape[1]

    @property
    def k(self) -> int:
        return self.inner.shape[2]

    @cached_property
    def smallest_fold(self) -> int:
        return int(min(np.bincount(folds, minlength=self.k).min() for folds in self.folds))

    @cached_property
    def mean(self) -> float:
        """Over all losses of models that left out two folds."""
        return float(np.nanmean(self.inner))

    @cached_property
    def spread(self) -> float:
        """Sample standard deviation of these losses, exactly 0 where all are equal."""
        losses = self.inner[~np.isnan(self.inner)]
        return float(losses.std(ddof=1)) if np.ptp(losses) != 0 else 0.0

    @cached_property
    def squared_error(self) -> float:
        """How far the cross-validation of the other folds lies from a fold's own risk, squared, on average.

        A fold's mean loss is its risk plus noise, whose variance is taken off.
        """
        inside = np.nanmean(self.inner, 1)  # the rows of a fold have no loss of leaving out that fold too
        found = [
            (inside[repeat, fold] - losses.mean()) ** 2 - losses.var(ddof=1) / len(losses)
            for repeat in range(self.repeats)
            for fold in range(self.k)
            for losses in [self.outer[repeat, self.folds[repeat] == fold]]
        ]
        return float(np.mean(found))
