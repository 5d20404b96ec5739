"""What the code of scikit-learn's own learners promises of their answers, so that a model is asked once and no more."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.records.arrays import Array

TREE = ("sklearn.tree._classes", "BaseDecisionTree.predict", "DecisionTreeClassifier.predict_proba")
FOREST = ("sklearn.ensemble._forest", "ForestClassifier.predict", "ForestClassifier.predict_proba")
NEIGHBOURS = ("sklearn.neighbors._classification", "KNeighborsClassifier.predict", "KNeighborsClassifier.predict_proba")
# predict is by definition the class of largest predict_proba, first among equals
LARGEST = {TREE, FOREST, NEIGHBOURS}
# predict is the class of the largest of numbers of which each probability is an increasing function: where no two round
# to the same it is the class of largest probability
BAYES = ("sklearn.naive_bayes", "_BaseNB.predict", "_BaseNB.predict_proba")
INCREASING = {BAYES}
ROUNDING = 16  # units in the last place by which an exponential may be wrong, and many more than it is


def last_step(model: Any) -> Any:
    """The learner at the end of a pipeline."""
    while type(model).__name__ == "Pipeline" and type(model).__module__ == "sklearn.pipeline":
        model = model.steps[-1][1]
    return model


def largest_is_label(model: Any, proba: Array) -> bool:
    """Whether the class of largest probability is exactly what predict gives, so that predict need not be called."""
    model = last_step(model)
    if _code(model) in INCREASING:
        return _is_sklearns(model) and _stands_out(proba)
    return _code(model) in LARGEST and getattr(model, "weights", "uniform") == "uniform"


def _stands_out(proba: Array) -> bool:
    """Whether the largest number of every row is larger than the others by more than rounding."""
    near = np.maximum.reduce(proba, 1, keepdims=True) * (1 - ROUNDING * np.finfo(proba.dtype).eps)
    return int(np.count_nonzero(proba > near)) == len(proba)


def works_alone(model: Any) -> bool:
    """Whether it asks for no other threads or processes."""
    return getattr(model, "n_jobs", None) in (None, 1)


def _is_sklearns(model: Any) -> bool:
    """Whether its class is scikit-learn's own: whoever builds on one may look at all rows first."""
    return type(model).__module__.startswith("sklearn.")


def _code(model: Any) -> tuple[str, str, str] | None:
    """Where predict and predict_proba were written; a class that inherits one and changes the other has no entry."""
    predict, proba = type(model).predict, getattr(type(model), "predict_proba", None)
    if proba is not None and proba.__module__ != predict.__module__:
        return None
    return predict.__module__, predict.__qualname__, getattr(proba, "__qualname__", "")
