"""What learners that choose for themselves have in common: the rows they are given, and the model inside predicts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.evidence.labels import as_labels, codes, distinct_labels
from veracity.learners.inspection import target_kind
from veracity.records.arrays import Array, freeze, python_value
from veracity.records.data import Data
from veracity.records.design import Rows
from veracity.scores.entry import METHODS, missing_output

ANSWERS = ("predict_proba", "predict_log_proba", "decision_function", "transform")
LEARNED = ("classes_", "n_features_in_", "feature_names_in_")


@dataclass(frozen=True)
class TrainingRows:
    """Training rows and, below them in the same table, the validation rows of a design that has some."""

    data: Data
    train: Array
    validation: Array | None

    @property
    def rows(self) -> Rows:
        """What a design may know of the training rows."""
        data, number = self.data, len(self.train)
        classes = data.truth[:number] if data.kind == "classes" else None
        groups, time = (None if part is None else part[:number] for part in (data.groups, data.time))
        return Rows(number, classes, groups, time)


def _target(whole: Array, score: Choice, number: int) -> tuple[Array, tuple[Any, ...]]:
    """Numbers, or codes and the classes they stand for."""
    if score.suits("numbers"):
        if whole.dtype.kind not in "iufb":
            raise BadInput(
                f"{score} is for numbers, but the target holds {python_value(whole[0])!r}: tune by score='error'"
            )
        truth, classes = whole.astype(np.float64), ()
    else:
        if whole.dtype.kind == "f" and (whole != np.round(whole)).any():
            raise BadInput(f"{score} is for classes, but the target is of numbers: tune by score='mse'")
        labels = as_labels(whole, "the target")
        classes = distinct_labels(labels)
        truth = codes(labels, classes, "the target")
    if len(np.unique(truth[:number])) < 2:
        held = python_value(whole[0])
        raise BadInput(f"the target is {held!r} in all {number} training rows: there is nothing to choose a setting by")
    return truth, classes


def _table(features: Any) -> Any:
    if hasattr(features, "tocsr"):
        return features.tocsr()
    return features if hasattr(features, "shape") else np.asarray(features)


def _stack(above: Any, below: Any) -> Any:
    if hasattr(above, "tocsr"):
        from scipy.sparse import vstack

        return vstack([above, below]).tocsr()
    if isinstance(above, np.ndarray):
        return np.concatenate([above, below])
    import narwhals as nw

    return nw.concat([nw.from_native(above), nw.from_native(below)]).to_native()


def _extend(column: Any, more: int) -> Array | None:
    """What is known of the training rows only; validation rows are no part of what it is used for."""
    if column is None:
        return None
    known = np.asarray(column)
    return freeze(np.concatenate([known, np.ones(more, known.dtype)]))


class Wrapper(BaseEstimator):  # type: ignore[misc]
    """Fitted, it is the model `model_`; before, it answers to the same names as its learner."""

    chooses = True
    learner: Any
    by: Any = None  # its own inner design, in whose place validation rows would stand

    @abstractmethod
    def check(self) -> Choice:
        """Refuse what cannot work, before any row is seen; gives the score."""

    @abstractmethod
    def choose(self, given: TrainingRows, score: Choice) -> None:
        """Choose inside these rows, and train the model."""

    def fit(
        self,
        X: Any,  # noqa: N803
        y: Any,
        sample_weight: Any = None,
        groups: Any = None,
        time: Any = None,
        rows: Any = None,
        positive: Any = None,
        validation: Any = None,
        validation_weight: Any = None,
    ) -> Self:
        """Choose inside these rows and train with what was chosen; `rows` says which are copies of each other."""
        score, table, target = self.check(), _table(X), np.asarray(y)
        number, whole = len(target), target
        if table.shape[0] != number:
            raise BadInput(f"there are {table.shape[0]} rows of features but {number} of the target")
        if validation is not None and self.by is None:
            table = _stack(table, _table(validation[0]))
            whole = np.concatenate([target, np.asarray(validation[1])])
        if sample_weight is not None and np.shape(sample_weight) != (number,):
            shape = np.shape(sample_weight)
            raise BadInput(f"sample_weight is one number for each of {number} rows, not of shape {shape}")
        apart = len(whole) - number
        truth, classes = _target(whole, score, number)
        # copies of one row, as the bootstrap draws them, stay together: they are groups where no others are given
        together = rows if groups is None else groups
        weights = None
        if sample_weight is not None or (validation_weight is not None and apart):  # rows without one count once
            weights = np.ones(len(whole))
            weights[:number] = 1.0 if sample_weight is None else sample_weight
            weights[number:] = 1.0 if validation_weight is None else validation_weight[:apart]
        data = Data(
            "the training rows",
            table,
            "classes" if classes else "numbers",
            freeze(truth),
            classes,
            None if len(classes) != 2 else classes.index(positive) if positive in classes else 1,
            None if weights is None else freeze(weights),
            _extend(None if together is None else np.unique(np.asarray(together), return_inverse=True)[1], apart),
            _extend(time, apart),
            prepare=None,
        )
        self.choose(TrainingRows(data, np.arange(number), np.arange(number, len(whole)) if apart else None), score)
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        """What the chosen model says; without one, scikit-learn's own complaint."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "model_")
        return self.model_.predict(X)

    def __getattr__(self, name: str) -> Any:
        """Only what the learner has is there, so that whoever asks for probabilities learns whether there are any."""
        held = self.__dict__.get("model_") if name in ANSWERS + LEARNED else None
        held = self.__dict__.get("learner") if held is None and name in ANSWERS else held
        if held is None or not hasattr(held, name):
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return getattr(held, name)

    def __sklearn_tags__(self) -> Any:
        """A learner of the same kind as the one inside."""
        from sklearn.utils import get_tags

        return get_tags(self.learner)


def check_outputs(score: Choice, learner: Any, settings: Iterable[Any] = ()) -> None:
    """Refuse a learner of another kind of target, and one that tells too little, whichever of its settings it has."""
    name, meant = type(learner).__name__, target_kind([learner])
    if score.reads == "time":
        raise BadInput(f"settings are chosen by how good predictions are, and {score} is of fits: use another score=")
    if meant is not None and not score.suits(meant):
        instead = "mse" if meant == "numbers" else "error"
        raise BadInput(f"{score} is for {score.target_kind}, but {name} predicts {meant}: use score={instead!r}")
    needed = METHODS.get(score.needs, ())
    if needed and not any(may_have(one, method) for one in chain((learner,), settings) for method in needed):
        raise BadInput(missing_output(score, [name]))


def may_have(learner: Any, method: str) -> bool:
    """Whether it has the method, or may have it once fitted, as a learner of learners makes some of them in the fit."""
    steps = getattr(learner, "steps", None)
    if steps:
        return may_have(steps[-1][1], method)
    if hasattr(learner, method) or not hasattr(type(learner), method):
        return hasattr(learner, method)
    return any("__" in name for name in learner.get_params())  # learners among its parameters show by theirs
