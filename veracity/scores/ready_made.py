"""The score of losses that somebody has computed already."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.on_rows import row_score


@row_score(
    "Mean loss",
    better="lower",
    range=(-np.inf, np.inf),
    needs="loss",
    cite=("witten2011",),
    aliases="mean_loss, average_loss",
    keywords="ready-made losses, loss column, losses computed elsewhere, loss function",
)
def mean(p: Predictions) -> Array:
    """Mean of the losses given for each row, whatever loss they are of: lower is better."""
    if p.loss is None:
        raise BadInput(f"these predictions hold no losses: give {option('loss')}")
    return p.loss
