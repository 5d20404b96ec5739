"""Scores that are means over rows, as one number for each row."""

from __future__ import annotations

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore


def is_mean(score: Choice) -> bool:
    """Whether the score of some rows is the mean of what each row gives by itself."""
    entry = score.entry
    if isinstance(entry, RowScore):
        return entry.is_mean and not score.accepts("baseline")
    return isinstance(entry, CountScore) and entry.mean


def of_rows(score: Choice, p: Predictions) -> Array:
    """What each row gives, for a score that is their mean."""
    entry = score.entry
    if isinstance(entry, RowScore):
        found: Array = entry.gather(p, **score.given).columns[:, 0]
        return found
    classes = len(p.classes)
    one_row = Counts(np.eye(classes * classes).reshape(-1, classes, classes), p.classes, p.positive)
    by_cell: Array = entry.evaluate(one_row, **score.given)
    return by_cell[p.truth * classes + p.labels()]
