"""The kind that a learner is of, as far as its classes tell: which kinds were simulated decides what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

KINDS = {  # scikit-learn's own classes; those that tune themselves, select features or stop early are of no kind
    "constants": ("dummy:DummyClassifier",),
    "nearest neighbours": ("neighbors:KNeighborsClassifier", "neighbors:KNeighborsRegressor"),
    "nearest mean": ("neighbors:NearestCentroid",),
    "discriminants": ("discriminant_analysis:LinearDiscriminantAnalysis",),
    "naive Bayes": ("naive_bayes:GaussianNB",),
    "logistic regression": ("linear_model:LogisticRegression",),
    "least squares": ("linear_model:LinearRegression",),
    "support vectors": ("svm:SVC",),
    "trees": ("tree:DecisionTreeClassifier", "tree:DecisionTreeRegressor"),
    "forests": ("ensemble:RandomForestClassifier", "ensemble:RandomForestRegressor"),
}
PREPARING = ("preprocessing", "impute")  # modules that change columns and look at no target
LOOKS_AT_TARGET = "preprocessing:TargetEncoder"


def learner_kind(learner: Any, *before: Any) -> str:
    """The kind of a learner behind preparations and steps that select nothing; empty where it is of none."""
    *steps, last = [*before, *_steps(learner)]
    if not all(map(_is_steady, steps)) or _selects(last):
        return ""
    place = _place(last)
    return next((kind for kind, classes in KINDS.items() if place in classes), "")


def _steps(learner: Any) -> list[Any]:
    """A learner, or the steps of its pipeline in order."""
    if _place(learner) != "pipeline:Pipeline":
        return [learner]
    return [part for _, step in learner.steps for part in _steps(step)]


def _is_steady(step: Any) -> bool:
    """Whether a step changes columns without a look at the target; it may be a word such as "drop"."""
    if step is None or isinstance(step, str):
        return True
    place = _place(step)
    if place in ("compose:ColumnTransformer", "pipeline:FeatureUnion"):
        return all(map(_is_steady, _parts(step)))
    return place.partition(":")[0] in PREPARING and place != LOOKS_AT_TARGET


def _parts(step: Any) -> Iterator[Any]:
    """What a step puts side by side, each the steps of its own."""
    for _, part, *_ in getattr(step, "transformers", None) or step.transformer_list:
        yield from _steps(part)


def _selects(learner: Any) -> bool:
    """Whether parameters make a learner of some kind select features."""
    given = learner.get_params(deep=False) if hasattr(learner, "get_params") else {}
    l1 = given.get("l1_ratio") or given.get("penalty") in ("l1", "elasticnet")
    return bool(l1) or given.get("shrink_threshold") is not None


def _place(item: Any) -> str:
    """Where scikit-learn has the very class of an object, as "module:Class"; empty for anything else."""
    library, _, module = type(item).__module__.partition(".")
    return f"{module.partition('.')[0]}:{type(item).__name__}" if library == "sklearn" else ""
