"""What each row lost under the model that left out its fold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class FoldLosses:
    """Losses and folds of all rows, once for each repeat of k-fold cross-validation."""

    losses: Array  # (repeats, rows)
    folds: Array  # (repeats, rows): a number of its own for every fold of every repeat
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
        return int(np.unique(self.folds, return_counts=True)[1].min())

    def variance(self) -> float:
        """Of one loss around the mean of its repeat, divided by the number of rows."""
        return float(self.losses.var(1).mean())

    def variance_within(self) -> float:
        """The mean over folds of the sample variance of the losses inside."""
        _, fold, size = np.unique(self.folds.ravel(), return_inverse=True, return_counts=True)
        losses = self.losses.ravel()
        mean = np.bincount(fold, losses) / size
        return float(np.mean(np.bincount(fold, (losses - mean[fold]) ** 2) / (size - 1)))
