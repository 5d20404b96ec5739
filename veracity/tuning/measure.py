"""How good a model is on rows that did not train it."""

from __future__ import annotations

import math

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, frozen
from veracity.records.data import Data
from veracity.records.fit import OUTPUTS, Outcome
from veracity.scores.values import evidence_for, values_on


def predicted(data: Data, rows: Array, told: Outcome | dict[str, Array]) -> Predictions:
    """What a model said of some rows, with their truth."""
    found = told if isinstance(told, dict) else {name: getattr(told, name) for name in OUTPUTS}
    weights = None if data.weights is None else frozen(data.weights[rows])
    return Predictions(data.kind, data.truth[rows], data.classes, data.positive, **found, rows=rows, weights=weights)


def value_of(score: Choice, p: Predictions) -> float:
    """The score of predictions; one that they cannot have is an error that says why."""
    score.entry.check(p)
    evidence = evidence_for(score, p)
    value = float(values_on(score, evidence))
    if math.isnan(value):
        why = score.entry.why_undefined(evidence, **score.given)
        raise BadInput(f"{score} is undefined there: {why}")
    return value
