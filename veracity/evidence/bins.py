"""Rows put into bins by how confident the model was, to hold what was said against what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, ratio

STRATEGIES = ("width", "count")
FEW_BINS = 50


@dataclass(frozen=True, eq=False)
class Bins:
    """Per bin that holds rows: how much they weigh, what was said on average, how often it came true."""

    rows: Array
    confidence: Array
    frequency: Array
    low: Array  # the smallest and the largest confidence found in the bin
    high: Array

    @property
    def gaps(self) -> Array:
        """Said minus happened; positive is overconfident."""
        return self.confidence - self.frequency

    @property
    def error(self) -> float:
        """The calibration error: the mean absolute gap over rows."""
        return float((self.rows * np.abs(self.gaps)).sum() / self.rows.sum())


def confidence_and_hit(p: Predictions) -> tuple[Array, Array]:
    """Per row: the probability given, and whether it came true.

    The positive class and whether the row is of it; where none of several classes is named positive, the likeliest
    class and whether it is the truth.
    """
    if p.binary or p.positive is not None:
        return p.probability(p.named_positive), p.truth == p.named_positive
    if p.proba is None:
        raise BadInput("these predictions hold no probabilities: give `proba=`")
    return p.proba.max(1), p.proba.argmax(1) == p.truth


def bin_of(confidence: Array, bins: int, strategy: str = "width", weight: Array | None = None) -> Array:
    """The bin of each row, 0 to bins - 1: of equal width on 0..1, or of equal numbers of rows with ties together."""
    if isinstance(bins, bool) or int(bins) != bins or bins < 1:
        raise BadInput(f"bins is a whole number of at least 1, not {bins!r}")
    if strategy not in STRATEGIES:
        raise BadInput(f"strategy is 'width' or 'count', not {strategy!r}")
    return _by_width(confidence, int(bins)) if strategy == "width" else _by_count(confidence, int(bins), weight)


def _by_width(confidence: Array, bins: int) -> Array:
    # edges in the data's own precision: a single-precision 0.7 belongs to the bin that starts at 0.7
    edges = (np.arange(1, bins) / bins).astype(confidence.dtype)
    if bins > FEW_BINS:
        return np.searchsorted(edges, confidence, side="right")
    number = np.zeros(len(confidence), np.int8)
    for edge in edges:  # counting the edges passed has no branch to guess wrong: several times faster than a search
        number += confidence >= edge
    return number


def _by_count(confidence: Array, bins: int, weight: Array | None) -> Array:
    """A block of equal confidences goes where its middle row belongs."""
    _, block, size = np.unique(confidence, return_inverse=True, return_counts=True)
    total = size.astype(float) if weight is None else np.bincount(block, weight)
    middle = np.cumsum(total) - total / 2
    place = middle * bins / total.sum()  # in this order, whole rows at a border stay exact
    return np.minimum(place.astype(np.int64), bins - 1)[block]


def bin_rows(confidence: Array, hit: Array, bin: Array, weight: Array | None = None) -> Bins:
    """What each bin that holds rows says."""
    number = int(bin.max()) + 1
    rows = np.bincount(bin, weight, number).astype(float)
    stated = np.bincount(bin, confidence if weight is None else confidence * weight, number)
    came_true = np.bincount(bin, hit if weight is None else hit * weight, number)
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, bin, confidence)
    np.maximum.at(high, bin, confidence)
    full = rows > 0
    return Bins(rows[full], ratio(stated, rows)[full], ratio(came_true, rows)[full], low[full], high[full])
