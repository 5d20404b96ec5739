"""Learners that can go on learning, one round after the other."""

from __future__ import annotations

import inspect
import warnings
from abc import ABC, abstractmethod
from typing import Any

from veracity.core.errors import BadInput
from veracity.records.arrays import Array

ENSEMBLES = "sklearn.ensemble"  # whose max_iter counts all members so far, where others count the passes of one call


class Rounds(ABC):
    """A model that is trained a little more at each call."""

    def __init__(self, model: Any, features: Any, target: Array, weights: Array | None) -> None:
        self.model, self.features, self.target, self.weights = model, features, target, weights

    @abstractmethod
    def next(self, number: int) -> None:
        """Train round `number`, the first of which is 1."""

    def weighted(self, method: Any) -> dict[str, Any]:
        """The weights, for a method that takes them."""
        named = self.weights is not None and "sample_weight" in inspect.signature(method).parameters
        return {"sample_weight": self.weights} if named else {}


class Passes(Rounds):
    """A round is one more pass over the rows, by `partial_fit`."""

    def next(self, number: int) -> None:
        extras = self.weighted(self.model.partial_fit)
        if number == 1 and "classes" in inspect.signature(self.model.partial_fit).parameters:
            extras["classes"] = sorted(set(self.target.tolist()))
        self.model.partial_fit(self.features, self.target, **extras)


class Growing(Rounds):
    """A round is one more member or iteration, by `warm_start`."""

    def next(self, number: int) -> None:
        counter = counter_of(self.model)
        total = counter == "n_estimators" or type(self.model).__module__.startswith(ENSEMBLES)
        self.model.set_params(**{"warm_start": True, str(counter): number if total else 1})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that one iteration has not converged is no news
            self.model.fit(self.features, self.target, **self.weighted(self.model.fit))


def counter_of(learner: Any) -> str | None:
    """The parameter that counts rounds, of a learner that starts where it stopped."""
    names = learner.get_params(deep=False) if hasattr(learner, "get_params") else {}
    return next((name for name in ("n_estimators", "max_iter") if {name, "warm_start"} <= set(names)), None)


def kind_of_rounds(learner: Any) -> type[Rounds]:
    """How the learner goes on; one that cannot is refused."""
    if callable(getattr(learner, "partial_fit", None)):
        return Passes
    if counter_of(learner) is not None:
        return Growing
    says = "it has neither partial_fit nor warm_start with n_estimators or max_iter"
    inside = "; put the transformers before it: Pipeline([('scale', ...), ('learner', stopped(...))])"
    hint = inside if hasattr(learner, "steps") else ""
    raise BadInput(f"{type(learner).__name__} cannot go on learning where it stopped: {says}{hint}")
