"""What the code of scikit-learn's own learners promises of their answers, so that a model is asked once and no more."""

from __future__ import annotations

from typing import Any

TREE = ("sklearn.tree._classes", "BaseDecisionTree.predict", "DecisionTreeClassifier.predict_proba")
FOREST = ("sklearn.ensemble._forest", "ForestClassifier.predict", "ForestClassifier.predict_proba")
NEIGHBOURS = ("sklearn.neighbors._classification", "KNeighborsClassifier.predict", "KNeighborsClassifier.predict_proba")
# predict is by definition the class of largest predict_proba, first among equals
LARGEST = {TREE, FOREST, NEIGHBOURS}
# Each row goes down the trees by itself, and what it finds there is added in the order of the trees. A matrix product
# or a vectorised exponential may round a row differently in other company.
ROW_BY_ROW = {
    TREE,
    FOREST,
    ("sklearn.tree._classes", "BaseDecisionTree.predict", ""),
    ("sklearn.ensemble._forest", "ForestRegressor.predict", ""),
}


def last_step(model: Any) -> Any:
    """The learner at the end of a pipeline."""
    while type(model).__name__ == "Pipeline" and type(model).__module__ == "sklearn.pipeline":
        model = model.steps[-1][1]
    return model


def largest_is_label(model: Any) -> bool:
    """Whether the class of largest probability is exactly what predict gives, so that predict need not be called."""
    model = last_step(model)
    return _code(model) in LARGEST and getattr(model, "weights", "uniform") == "uniform"


def is_row_by_row(model: Any) -> bool:
    """Whether what the model says of a row is the same to the last bit whichever other rows it is asked about."""
    own = type(model).__module__.startswith("sklearn.")  # whoever builds on one may look at all rows first
    return own and _code(model) in ROW_BY_ROW and getattr(model, "n_jobs", None) in (None, 1)


def _code(model: Any) -> tuple[str, str, str] | None:
    """Where predict and predict_proba were written; a class that inherits one and changes the other has no entry."""
    predict, proba = type(model).predict, getattr(type(model), "predict_proba", None)
    if proba is not None and proba.__module__ != predict.__module__:
        return None
    return predict.__module__, predict.__qualname__, getattr(proba, "__qualname__", "")
