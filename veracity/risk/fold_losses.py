"""The losses of every row of a k-fold cross-validation."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.evidence.disagreement import disagreement
from veracity.evidence.fold_losses import FoldLosses
from veracity.records.arrays import frozen
from veracity.risk.resampling import Resampling
from veracity.risk.suited import losses_of_rows, of_models

IN_TIME = "corrected_t, or by='kfold(k=10, ordered=False)' if time does not matter"  # folds never test the first rows


def fold_losses(r: Resampling) -> FoldLosses:
    """Refuses a design in which not every row is tested once in each repeat."""
    split, row, loss = losses_of_rows(r, "cv_wald", r.numbers(r.first))
    repeat = np.array([one.repeat for one in r.run.design.splits])
    repeats, place = np.unique(repeat[split], return_inverse=True)
    folds = np.full((max(len(repeats), 1), r.run.design.rows), -1)
    folds[place, row] = split
    if len(loss) != folds.size or (folds < 0).any():
        way = IN_TIME if r.run.design.forward else "by='kfold(k=10)'"
        raise Refused(
            f"cv_wald reads folds that test every row once, which {r.run.design.name} has not here: use {way}",
            "wrong-design",
        )
    losses = np.empty(folds.shape)
    losses[place, row] = loss
    return FoldLosses(frozen(losses), frozen(folds), of_models(r), _disagreement(r) if len(repeats) > 1 else None)


def _disagreement(r: Resampling) -> float | None:
    p = r.together(r.numbers(r.first), "fresh")
    if p.kind != "classes" or p.rows is None:
        return None
    return disagreement(p.rows, p.labels(), len(p.classes))
