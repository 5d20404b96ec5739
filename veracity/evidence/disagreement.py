"""How often models that predicted the same rows disagree."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.records.arrays import Array


def disagreement(rows: Array, label: Array, classes: int) -> float:
    """Mean over rows predicted more than once of the share of pairs of models that differ."""
    _, row = np.unique(rows, return_inverse=True)
    votes = np.zeros((row.max() + 1, classes))
    np.add.at(votes, (row, label), 1)
    total = votes.sum(1)
    several = total > 1
    if not several.any():
        raise Refused("every row was predicted by one model only: use a design with repeats", "one-prediction")
    votes, total = votes[several], total[several]
    return float((1 - (votes * (votes - 1)).sum(1) / (total * (total - 1))).mean())
