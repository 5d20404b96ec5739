"""The median error, which no single wild row can move."""

from __future__ import annotations

import numpy as np

from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.numeric import UNBOUNDED, average, errors
from veracity.scores.on_rows import row_score

ROUNDING = 1e-12


def quantiles(values: Array, weight: Array | None, levels: tuple[float, ...]) -> Array:
    """Weighted quantiles, levels on the last axis; half way between two values where the weight splits evenly."""
    order = np.argsort(values)
    ordered = values[order]
    counted = np.ones((1, len(values))) if weight is None else weight.reshape(-1, len(values))[:, order]
    reached = np.cumsum(counted, -1, dtype=float)
    found = [[_at(ordered, row, level) for level in levels] for row in reached]
    lead = () if weight is None else weight.shape[:-1]
    return np.array(found).reshape((*lead, len(levels)))


def _at(ordered: Array, reached: Array, level: float) -> float:
    target, slack = level * reached[-1], ROUNDING * reached[-1]
    low = np.searchsorted(reached, target - slack)  # the first row that reaches the target
    high = np.searchsorted(reached, target + slack, side="right")  # the first that passes it
    return float(ordered[min(low, len(ordered) - 1)] + ordered[min(high, len(ordered) - 1)]) / 2


def _median(evidence: Losses) -> Array:
    values = evidence.columns[:, 0]
    return np.median(values) if evidence.weight is None else quantiles(values, evidence.weight, (0.5,))[..., 0]


@row_score(
    "Median absolute error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    reduce=_median,
    cite=("hampel1974",),
    aliases="medae, median_ae",
)
def median_absolute_error(p: Predictions) -> Array:
    """The size that half of the differences between prediction and truth do not exceed."""
    return np.abs(errors(p))


@median_absolute_error.with_influence
def _influence(evidence: Losses) -> Array:
    """Half over the density at the median, on either side of it; the density from a window that shrinks as n^(-1/5)."""
    values = evidence.columns[:, 0]
    half = min(0.25, len(values) ** -0.2 / 2)
    low, middle, high = np.moveaxis(quantiles(values, evidence.weight, (0.5 - half, 0.5, 0.5 + half)), -1, 0)
    per_density = (high - low) / (2 * half)
    side = np.sign(values - middle[..., None]) / 2
    return per_density[..., None] * (side - average(side, evidence.weight)[..., None])
