"""What learners that choose for themselves have in common: the model inside answers."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

ANSWERS = ("predict_proba", "predict_log_proba", "decision_function", "transform")
LEARNED = ("classes_", "n_features_in_", "feature_names_in_")


class Choosing(BaseEstimator):  # type: ignore[misc]
    """Fitted, it is the model `model_`; before, it answers to the same names as its learner."""

    chooses = True
    learner: Any

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
