"""Scores of a confusion matrix that are no simple share of rows; influence values of scores of the whole matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts
from veracity.records.arrays import Array, ratio
from veracity.scores import rates
from veracity.scores.on_counts import by_cell, class_score, count_score, rate
from veracity.scores.rates import NO_ROWS

EMPTY_CLASS = "a class has no rows"
INFINITE = (0.0, np.inf)


@class_score(
    "F-beta", undefined="no row is positive or predicted positive", micro_is_accuracy=True, cite=("rijsbergen1979",)
)
def fbeta(c: Counts, *, beta: float = 1.0) -> Array:
    """Harmonic mean of precision and recall that weighs recall beta times as much."""
    if not beta > 0:
        raise BadInput(f"fbeta: beta must be greater than 0, not {beta!r}")
    hits = (1 + beta**2) * c.tp
    return ratio(hits, hits + beta**2 * c.fn + c.fp)


@rate("Jaccard index", undefined="no row is positive or predicted positive", cite=("jaccard1912",))
def jaccard(c: Counts) -> tuple[Array, Array]:
    """Share of the rows that are positive or predicted positive that are both."""
    return c.tp, c.tp + c.fp + c.fn


@count_score("Balanced accuracy", undefined=EMPTY_CLASS, cite=("fawcett2006",))
def balanced_accuracy(c: Counts) -> Array:
    """Mean over classes of the share of their rows predicted right."""
    return ratio(np.diagonal(c.matrix, axis1=-2, axis2=-1), c.of_truth).mean(-1)


@count_score("Balanced error", better="lower", undefined=EMPTY_CLASS, cite=("fawcett2006",))
def balanced_error(c: Counts) -> Array:
    """Mean over classes of the share of their rows predicted wrong."""
    return np.asarray(1 - balanced_accuracy.function(c))


@class_score("Youden's J", range=(-1.0, 1.0), undefined=EMPTY_CLASS, cite=("youden1950",))
def youden(c: Counts) -> Array:
    """Recall plus specificity minus one."""
    return ratio(c.tp, c.tp + c.fn) + ratio(c.tn, c.tn + c.fp) - 1


@class_score(
    "Lift", range=INFINITE, undefined="no row is positive, or none is predicted positive", cite=("witten2011",)
)
def lift(c: Counts) -> Array:
    """How many times more frequent positive rows are among those predicted positive than among all."""
    return ratio(c.tp * c.total, (c.tp + c.fp) * (c.tp + c.fn))


@count_score(
    "Kappa", range=(-1.0, 1.0), undefined="truth and prediction are one and the same class", cite=("cohen1960",)
)
def kappa(c: Counts) -> Array:
    """Agreement beyond what the class shares alone would give."""
    agreement = ratio(c.correct, c.total)
    by_chance = ratio((c.of_truth * c.of_prediction).sum(-1), c.total**2)
    return ratio(agreement - by_chance, 1 - by_chance)


@count_score(
    "Matthews correlation",
    range=(-1.0, 1.0),
    undefined="truth or prediction is a single class",
    cite=("matthews1975", "gorodkin2004"),
)
def mcc(c: Counts) -> Array:
    """Correlation between truth and prediction over all classes."""
    square = c.total**2
    spread = (square - (c.of_prediction**2).sum(-1)) * (square - (c.of_truth**2).sum(-1))
    return ratio(c.total * c.correct - (c.of_truth * c.of_prediction).sum(-1), np.sqrt(np.maximum(spread, 0)))


@class_score(
    "Positive likelihood ratio",
    infinite="no negative row is predicted positive",
    range=INFINITE,
    undefined="both rates are 0, or a class has no rows",
    cite=("simel1991",),
)
def positive_likelihood_ratio(c: Counts) -> Array:
    """How many times likelier a positive row is to be predicted positive than a negative one."""
    return ratio(ratio(c.tp, c.tp + c.fn), ratio(c.fp, c.fp + c.tn))


@class_score(
    "Negative likelihood ratio",
    infinite="no negative row is predicted negative",
    better="lower",
    range=INFINITE,
    undefined="both rates are 0, or a class has no rows",
    cite=("simel1991",),
)
def negative_likelihood_ratio(c: Counts) -> Array:
    """How many times likelier a positive row is to be predicted negative than a negative one."""
    return ratio(ratio(c.fn, c.tp + c.fn), ratio(c.tn, c.tn + c.fp))


@count_score("Mean cost", better="lower", mean=True, range=(-np.inf, np.inf), undefined=NO_ROWS, cite=("witten2011",))
def cost(c: Counts, *, matrix: tuple[tuple[float, ...], ...]) -> Array:
    """Mean cost per row; `matrix[i][j]` is the cost of predicting class j when the truth is class i."""
    costs = _costs(matrix, c)
    return ratio((c.matrix * costs).sum((-2, -1)), c.total)


@count_score(
    "Net benefit",
    mean=True,
    cut="threshold",
    range=(-np.inf, 1.0),
    undefined=NO_ROWS,
    cite=("vickers2006", "vickers2016"),
)
def net_benefit(c: Counts, *, threshold: float) -> Array:
    """True positives per row, less false positives per row at the odds of the threshold probability.

    `threshold` is the probability at which acting and not acting are equally good, so a false positive costs
    threshold / (1 - threshold) of what a true positive brings. Rows whose probability reaches it are acted on, wherever
    labels are cut elsewhere; labels without probabilities count as they are. Acting on nobody has 0, and acting on
    everybody prevalence - (1 - prevalence) * threshold / (1 - threshold): a model helps where it beats both, which
    the decision curve shows. It is in true positives per row, so values of data with other prevalences do not compare.
    """
    return ratio(c.tp - odds(threshold) * c.fp, c.total)


def odds(threshold: float) -> float:
    """What a false positive costs, in true positives, of who acts from this probability on."""
    if not 0 < threshold < 1:
        raise BadInput(f"net_benefit: threshold is a probability strictly between 0 and 1, not {threshold!r}")
    return threshold / (1 - threshold)


def _costs(matrix: Any, c: Counts) -> Array:
    try:
        costs = np.asarray(matrix, float)
    except (TypeError, ValueError):
        costs = np.empty(0)
    if costs.shape != c.matrix.shape[-2:] or not np.isfinite(costs).all():
        size = len(c.classes)
        raise BadInput(
            f"cost: the matrix must be {size} x {size} finite numbers in the order {list(c.classes)}, not {matrix!r}"
        )
    return costs


def _wide(number: Array) -> Array:
    return number[..., None, None]


@rates.accuracy.with_influence
def of_accuracy(c: Counts) -> Array:
    return by_cell(np.eye(len(c.classes)) - _wide(ratio(c.correct, c.total)))


@balanced_accuracy.with_influence
def of_balanced_accuracy(c: Counts) -> Array:
    recall = ratio(np.diagonal(c.matrix, axis1=-2, axis2=-1), c.of_truth)
    scale = ratio(c.total[..., None], c.of_truth * len(c.classes))
    return by_cell((np.eye(len(c.classes)) - recall[..., :, None]) * scale[..., :, None])


rates.error.with_influence(lambda c: -of_accuracy(c))
balanced_error.with_influence(lambda c: -of_balanced_accuracy(c))


@cost.with_influence
def of_cost(c: Counts, *, matrix: Any) -> Array:
    return by_cell(np.asarray(matrix, float) - _wide(cost.function(c, matrix=matrix)))


def _by_chance(c: Counts) -> tuple[Array, Array, Array, Array]:
    """Return the class shares of truth and of prediction, the agreement by chance, and what a row moves that by."""
    truth, predicted = ratio(c.of_truth, c.total[..., None]), ratio(c.of_prediction, c.total[..., None])
    by_chance = (truth * predicted).sum(-1)
    moved = predicted[..., :, None] + truth[..., None, :] - 2 * _wide(by_chance)
    return truth, predicted, by_chance, moved


@kappa.with_influence
def of_kappa(c: Counts) -> Array:
    *_, by_chance, moved = _by_chance(c)
    agreed, left = _wide(ratio(c.correct, c.total)), _wide(1 - by_chance)
    return by_cell(ratio(np.eye(len(c.classes)) - agreed, left) - ratio(moved * (1 - agreed), left**2))


@mcc.with_influence
def of_mcc(c: Counts) -> Array:
    """Numerator and the spread of each margin move; the spreads enter through their roots."""
    truth, predicted, by_chance, moved = _by_chance(c)
    agreed = _wide(ratio(c.correct, c.total))
    of_truth, of_prediction = 1 - (truth**2).sum(-1)[..., None], 1 - (predicted**2).sum(-1)[..., None]
    scale = np.sqrt(of_truth * of_prediction)[..., None]
    by_margins = ratio(1 - of_truth - truth, of_truth)[..., :, None]
    by_margins = by_margins + ratio(1 - of_prediction - predicted, of_prediction)[..., None, :]
    value = ratio(agreed - _wide(by_chance), scale)
    return by_cell(ratio(np.eye(len(c.classes)) - agreed - moved, scale) - value * by_margins)
