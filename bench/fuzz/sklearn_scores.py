"""Scores as scikit-learn has them, for those that it knows by the same definition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn import metrics

AVERAGED = {"precision": "precision_score", "recall": "recall_score", "jaccard": "jaccard_score"}
OF_LABELS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}
OF_NUMBERS = {
    "mse": metrics.mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "rmse": metrics.root_mean_squared_error,
    "r2": metrics.r2_score,
    "median_absolute_error": metrics.median_absolute_error,
}


def value(name: str, chosen: Mapping[str, Any], p: Any) -> float | None:
    """The score of predictions with named parameters; None where scikit-learn has none of this definition."""
    if p.kind == "numbers":
        return _of_numbers(name, chosen, np.asarray(p.truth), np.asarray(p.number))
    truth, said, chances = np.asarray(p.truth), np.asarray(p.labels()), np.asarray(p.proba)
    two = len(p.classes) == 2
    column = chances if chances.ndim == 1 else chances[:, 1]
    if name in OF_LABELS:
        return float(OF_LABELS[name](truth, said))
    if name in (*AVERAGED, "fbeta"):
        return _averaged(name, chosen, truth, said, two)
    if name == "log_loss" and not chosen.get("clip"):
        return float(metrics.log_loss(truth, chances))
    if name == "brier_half" and two:
        return float(metrics.brier_score_loss(truth, column))
    if two and chosen.get("average", "auto") == "auto":
        return _of_ordering(name, chosen, truth, column)
    return None


def _averaged(name: str, chosen: Mapping[str, Any], truth: Any, said: Any, two: bool) -> float | None:
    average = chosen.get("average", "auto")
    if average == "none" or (average == "auto" and not two):
        return None
    how: dict[str, Any] = {"average": "binary" if average == "auto" else average, "zero_division": np.nan}
    if name == "jaccard":
        how["zero_division"] = 0
    if name == "fbeta":
        return float(metrics.fbeta_score(truth, said, beta=chosen.get("beta", 1.0), **how))
    return float(getattr(metrics, AVERAGED[name])(truth, said, **how))


def _of_ordering(name: str, chosen: Mapping[str, Any], truth: Any, column: Any) -> float | None:
    if name == "auc":
        return float(metrics.roc_auc_score(truth, column))
    if name == "average_precision":
        return float(metrics.average_precision_score(truth, column))
    if name == "partial_auc" and chosen.get("standardised"):
        return float(metrics.roc_auc_score(truth, column, max_fpr=chosen.get("max_fpr", 0.1)))
    return None


def _of_numbers(name: str, chosen: Mapping[str, Any], truth: Any, said: Any) -> float | None:
    if name in OF_NUMBERS:
        return float(OF_NUMBERS[name](truth, said))
    if name == "pinball":
        return float(metrics.mean_pinball_loss(truth, said, alpha=chosen["q"]))
    return float(np.corrcoef(truth, said)[0, 1]) if name == "correlation" else None
