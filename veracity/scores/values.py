"""A score with its parameters, on predictions: its evidence, its value, and what each row gives to a mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Evidence
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore


def evidence_for(score: Choice, p: Predictions) -> Any:
    """What the score reads, from predictions."""
    return score.entry.gather(p, **score.given)


def values_on(score: Choice, evidence: Evidence) -> Array:
    """The score of evidence, one value per leading axis, NaN where it has none."""
    values: Array = score.entry.evaluate(evidence, **score.given)
    return values


def value_of(score: Choice, p: Predictions) -> float:
    """The score of some predictions, NaN where it has none."""
    return float(values_on(score, evidence_for(score, p)))


def is_mean(score: Choice) -> bool:
    """Whether the score of some rows is the mean of what each row gives by itself."""
    entry = score.entry
    if isinstance(entry, RowScore):
        return entry.is_mean and not score.accepts("baseline")
    return isinstance(entry, CountScore) and entry.mean


def row_values(score: Choice, p: Predictions) -> Array:
    """What each row gives, for a score that is their mean."""
    entry = score.entry
    if isinstance(entry, RowScore):
        losses: Array = evidence_for(score, p).columns[:, 0]
        return losses
    classes = len(p.classes)
    one_row = Counts(np.eye(classes * classes).reshape(-1, classes, classes), p.classes, p.positive)
    return values_on(score, one_row)[p.truth * classes + p.labels()]
