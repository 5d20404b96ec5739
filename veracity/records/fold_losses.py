"""What each row lost under the model that left out its fold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class FoldLosses:
    """Losses and folds of all rows, once for each repeat of k-fold cross-validation."""

    losses: Array  # (repeats, rows)
    folds: Array  # (repeats, rows), from 0
    answers: str = ""  # the risk that their mean estimates
    disagreement: float | None = None  # of the models of different repeats, where they predict classes

    @property
    def repeats(self) -> int:
        return len(self.losses)

    @property
    def rows(self) -> int:
        return self.losses.shape[1]

    @property
    def mean(self) -> float:
        return float(self.losses.mean())

    @property
    def smallest_fold(self) -> int:
        return int(min(np.bincount(folds).min() for folds in self.folds))

    def variance(self) -> float:
        """Of one loss around the mean of its repeat, divided by the number of rows."""
        return float(self.losses.var(1).mean())

    def variance_within(self) -> float:
        """The mean over folds of the sample variance of the losses inside."""
        return float(
            np.mean(
                [
                    losses[folds == fold].var(ddof=1)
                    for losses, folds in zip(self.losses, self.folds, strict=True)
                    for fold in range(folds.max() + 1)
                ]
            )
        )
