"""The losses of every row under models that left out one fold, and two."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.nested_cv_bates import ONE, folds_left_out
from veracity.evidence.nested_losses import NestedLosses
from veracity.records.arrays import frozen
from veracity.risk.resampling import Resampling
from veracity.risk.suited import losses_of_rows, plain_means

NEEDS = "nested_cv_bates(k=10, repeats=50)"


def nested_losses(r: Resampling) -> NestedLosses:
    """Refuses the splits of another design, and splits that are not all there."""
    plain_means(r, "nested_cv")
    splits = r.run.design.splits
    if splits[0].part != ONE:
        raise Refused(
            f"nested_cv reads models that leave out two folds, which {r.run.design.name} has not: use by={NEEDS!r}",
            "wrong-design",
        )
    split, row, loss = losses_of_rows(r, "nested_cv", list(range(len(splits))))
    repeat = np.array([one.repeat for one in splits])[split]
    left_out = np.array([(folds_left_out(one) * 2)[:2] for one in splits])[split]  # of one fold: the same twice
    outer, inner = left_out[:, 0] == left_out[:, 1], left_out[:, 0] != left_out[:, 1]
    folds = np.zeros((repeat.max() + 1, r.run.design.rows), int)
    folds[repeat[outer], row[outer]] = left_out[outer, 0]
    of_one = np.zeros(folds.shape)
    of_one[repeat[outer], row[outer]] = loss[outer]
    of_two = np.full((*folds.shape, folds.max() + 1), np.nan)
    other = left_out.sum(1) - folds[repeat, row]  # of the two folds, the one that the row is not in
    of_two[repeat[inner], row[inner], other[inner]] = loss[inner]
    return NestedLosses(frozen(folds), frozen(of_one), frozen(of_two))
