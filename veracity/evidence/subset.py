"""Some rows of predictions, as predictions of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, frozen

ARRAYS = ("truth", "label", "proba", "value", "number", "rows", "splits", "weights", "repeats")


def subset(p: Predictions, chosen: Array) -> Predictions:
    """The rows that a mask or positions choose; classes and all else stay as they are."""
    parts: dict[str, Any] = {name: getattr(p, name) for name in ARRAYS}
    taken: dict[str, Any] = {name: frozen(part[chosen]) for name, part in parts.items() if part is not None}
    if p.groups is not None:  # groups are numbered without gaps, or absent ones would be drawn
        taken["groups"] = frozen(np.unique(p.groups[chosen], return_inverse=True)[1])
    if isinstance(p.train_mean, np.ndarray):
        taken["train_mean"] = frozen(p.train_mean[chosen])
    return replace(p, **taken)
