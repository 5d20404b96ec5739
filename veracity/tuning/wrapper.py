"""What learners that choose for themselves have in common: the model inside answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from itertools import chain
from typing import Any, Self

from sklearn.base import BaseEstimator

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.learners.inspection import target_kind
from veracity.scores.entry import METHODS, missing_output
from veracity.tuning.training_rows import TrainingRows, training_rows

ANSWERS = ("predict_proba", "predict_log_proba", "decision_function", "transform")
LEARNED = ("classes_", "n_features_in_", "feature_names_in_")


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
        score, held = self.check(), validation if self.by is None else None
        given = training_rows(X, y, score, sample_weight, groups, time, rows, positive, held, validation_weight)
        self.choose(given, score)
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
