"""Some rows of predictions, each as often as it counts, and how often models differ on the same row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import Refused
from veracity.evidence.labels import id_codes
from veracity.evidence.predictions import ARRAYS, Predictions
from veracity.records.arrays import Array, freeze, unroll


def subset(p: Predictions, chosen: Array) -> Predictions:
    """The rows that a mask or positions choose; classes and all else stay as they are."""
    at = chosen
    if chosen.dtype == bool:  # places take a tenth of the time of masks
        assert len(chosen) == len(p)
        at = np.flatnonzero(chosen)
    parts: dict[str, Any] = {name: getattr(p, name) for name in ARRAYS}
    taken: dict[str, Any] = {name: freeze(part.take(at, 0)) for name, part in parts.items() if part is not None}
    if p.groups is not None:  # groups are numbered without gaps, or absent ones would be drawn
        taken["groups"] = freeze(np.unique(p.groups[at], return_inverse=True)[1])
    if isinstance(p.train_mean, np.ndarray):
        taken["train_mean"] = freeze(p.train_mean[at])
    return replace(p, **taken)


def repeat_rows(p: Predictions) -> Predictions:
    """Every row as often as it counts, so that none counts more than once."""
    if p.repeats is None:
        return p
    return replace(subset(p, unroll(np.arange(len(p)), p.repeats)), repeats=None)


def disagreement(rows: Array, label: Array, classes: int) -> float:
    """Mean over rows predicted more than once of the share of pairs of models that differ."""
    row = id_codes(rows)
    votes = np.zeros((row.max() + 1, classes))
    np.add.at(votes, (row, label), 1)
    total = votes.sum(1)
    several = total > 1
    if not several.any():
        raise Refused("every row was predicted by one model only: use a design with repeats", "one-prediction")
    votes, total = votes[several], total[several]
    return float((1 - (votes * (votes - 1)).sum(1) / (total * (total - 1))).mean())
