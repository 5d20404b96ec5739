"""Scores of numeric predictions."""

from __future__ import annotations

import numpy as np

from veracity.records.arrays import Array
from veracity.records.predictions import Predictions
from veracity.scores.on_rows import row_score

UNBOUNDED = (0.0, np.inf)


@row_score("Mean squared error", better="lower", range=UNBOUNDED, needs="number", cite=("witten2011",))
def mse(p: Predictions) -> Array:
    """Mean of the squared differences between prediction and truth."""
    return (p.number - p.truth) ** 2


@row_score(
    "Root mean squared error", better="lower", range=UNBOUNDED, needs="number", link=np.sqrt, cite=("witten2011",)
)
def rmse(p: Predictions) -> Array:
    """Root of the mean squared error, in the units of the target."""
    return (p.number - p.truth) ** 2
