"""A design whose test parts are larger, for scores that small ones leave undefined."""

from __future__ import annotations

import numpy as np

from veracity.risk.resampling import Resampling

MOST = 10  # folds


def larger_parts(r: Resampling) -> str:
    """A way out that can be followed: folds that hold every class, or half as many where that is so already."""
    rows, folds = r.run.design.rows, _rarest(r)
    if folds is None:
        folds = int(rows / r.split_scores().test.mean()) // 2
    if folds < 2:
        return "more rows are needed"
    return f"use corrected_t by='repeated_kfold(k={min(folds, MOST)}, repeats=10)'"


def _rarest(r: Resampling) -> int | None:
    """The rows of the rarest class, which folds can share out; None where no test part lacks a class."""
    p, truth = r.run.fresh.predictions, r.run.truth
    if p is None or p.rows is None or p.kind != "classes":
        return None
    there, counts = np.unique(truth, return_counts=True)
    parts = (truth[p.rows[here]] for number, here in r.run.fresh.places.items() if number in r.tested)
    return int(counts.min()) if any(len(np.unique(part)) < len(there) for part in parts) else None
