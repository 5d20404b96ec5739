"""How much one row of each cell moves a score of the whole confusion matrix, in closed form: cells can be many."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.evidence.counts import Counts
from veracity.records.arrays import Array, ratio
from veracity.scores import agreement, rates
from veracity.scores.on_counts import by_cell


def _right(c: Counts) -> Array:
    return np.eye(len(c.classes))


def _wide(number: Array) -> Array:
    return number[..., None, None]


@rates.accuracy.with_influence
def of_accuracy(c: Counts) -> Array:
    return by_cell(_right(c) - _wide(ratio(c.correct, c.total)))


@rates.error.with_influence
def of_error(c: Counts) -> Array:
    return -of_accuracy(c)


@agreement.balanced_accuracy.with_influence
def of_balanced_accuracy(c: Counts) -> Array:
    recall = ratio(np.diagonal(c.matrix, axis1=-2, axis2=-1), c.of_truth)
    scale = ratio(c.total[..., None], c.of_truth * len(c.classes))
    return by_cell((_right(c) - recall[..., :, None]) * scale[..., :, None])


@agreement.balanced_error.with_influence
def of_balanced_error(c: Counts) -> Array:
    return -of_balanced_accuracy(c)


@agreement.cost.with_influence
def of_cost(c: Counts, *, matrix: Any) -> Array:
    return by_cell(np.asarray(matrix, float) - _wide(agreement.cost.function(c, matrix=matrix)))


def _chance(c: Counts) -> tuple[Array, Array, Array, Array, Array]:
    """Class shares of truth and prediction, agreement, agreement by chance, and what a row moves the latter by."""
    truth, predicted = ratio(c.of_truth, c.total[..., None]), ratio(c.of_prediction, c.total[..., None])
    by_chance = (truth * predicted).sum(-1)
    moved = predicted[..., :, None] + truth[..., None, :] - 2 * _wide(by_chance)
    return truth, predicted, ratio(c.correct, c.total), by_chance, moved


@agreement.kappa.with_influence
def of_kappa(c: Counts) -> Array:
    _, _, agreed, by_chance, moved = _chance(c)
    left = _wide(1 - by_chance)
    return by_cell(ratio(_right(c) - _wide(agreed), left) - ratio(moved * _wide(1 - agreed), left**2))


@agreement.mcc.with_influence
def of_mcc(c: Counts) -> Array:
    """Numerator and the spread of each margin move; the spreads enter through their roots."""
    truth, predicted, agreed, by_chance, moved = _chance(c)
    of_truth, of_said = 1 - (truth**2).sum(-1), 1 - (predicted**2).sum(-1)
    scale = np.sqrt(_wide(of_truth * of_said))
    by_truth = ratio(1 - of_truth[..., None] - truth, of_truth[..., None])
    by_said = ratio(1 - of_said[..., None] - predicted, of_said[..., None])
    value = ratio(_wide(agreed - by_chance), scale)
    across = ratio(_right(c) - _wide(agreed) - moved, scale)
    return by_cell(across - value * (by_truth[..., :, None] + by_said[..., None, :]))
