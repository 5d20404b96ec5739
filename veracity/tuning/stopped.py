"""A learner that goes on until rows that do not train it say stop."""

from __future__ import annotations

import copy
import inspect
import math
import warnings
from typing import Any

import numpy as np

from veracity.core.arguments import Learner, verb
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.designs.make_design import make_design
from veracity.designs.parameters import whole_number
from veracity.learners.from_text import check_learner
from veracity.learners.seeding import seeded
from veracity.records.arrays import Array
from veracity.running.fit_learner import predict
from veracity.scores import scores
from veracity.tuning.tuned import predictions_of, score_value
from veracity.tuning.wrapper import TrainingRows, Wrapper, check_outputs

ENSEMBLES = "sklearn.ensemble"  # whose max_iter counts all members so far, where others count the passes of one call


@verb
def stopped(
    learner: Learner,
    *,
    rounds: int = 1000,
    patience: int = 10,
    minimum: float = 0.0,
    validation: float = 0.2,
    score: MethodLike = "log_loss",
    seed: int = 0,
) -> Stopped:
    """A learner that is trained round by round until the score of validation rows stops improving.

    A round is one more pass by `partial_fit`, or one more member or iteration by `warm_start`. It stops when `patience`
    rounds in a row were not better than the best so far by more than `minimum`, at the latest after `rounds`, and goes
    back to the best. Validation rows are cut from its own training rows (`validation` is their share; classes are
    spread, groups and time kept), or are those of a three-way split; test rows never enter. The validation score at
    the round chosen by it is too good and is never its risk: evaluate it.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    rounds
        The most rounds.
    patience
        How many rounds in a row may bring nothing.
    minimum
        By how much a round must be better to count.
    validation
        The share of the training rows that decides.
    score
        The score that decides.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> from sklearn.linear_model import SGDClassifier
    >>> learner = vc.stopped(SGDClassifier(loss="log_loss"), rounds=20)
    """
    how: dict[str, Any] = {"rounds": rounds, "patience": patience, "minimum": minimum, "validation": validation}
    wrapper = Stopped(check_learner(learner), **how, score=score, seed=seed)
    wrapper.check()
    return wrapper


class Stopped(Wrapper):
    """Made by `stopped(...)`. Fitted, it has `rounds_` (the best one), `history_` (a score per round) and `model_`."""

    def __init__(
        self,
        learner: Any,
        *,
        rounds: int = 1000,
        patience: int = 10,
        minimum: float = 0.0,
        validation: float = 0.2,
        score: Any = "log_loss",
        seed: int = 0,
    ) -> None:
        self.learner, self.rounds, self.patience, self.minimum = learner, rounds, patience, minimum
        self.validation, self.score, self.seed = validation, score, seed

    def check(self) -> Choice:
        if not _takes_passes(self.learner) and _counter_of(self.learner) is None:
            says = "it has neither partial_fit nor warm_start with n_estimators or max_iter"
            if hasattr(self.learner, "steps"):
                says += "; put the transformers before it: Pipeline([('scale', ...), ('learner', stopped(...))])"
            raise BadInput(f"{type(self.learner).__name__} cannot go on learning where it stopped: {says}")
        whole_number("rounds", self.rounds)
        whole_number("patience", self.patience)
        if not (isinstance(self.minimum, (int, float)) and self.minimum >= 0):
            raise BadInput(f"minimum is the improvement that counts, 0 or more, not {self.minimum!r}")
        if not (isinstance(self.validation, (int, float)) and 0 < self.validation < 1):
            raise BadInput(f"validation is a share of the rows between 0 and 1, not {self.validation!r}")
        score = scores.choose(self.score)
        check_outputs(score, self.learner)
        return score

    def choose(self, given: TrainingRows, score: Choice) -> None:
        """Train round by round until it no longer pays; the best model so far is kept as a copy."""
        data, train, held = given.data, given.train, given.validation
        if held is None:
            try:
                split = make_design(f"holdout(test={self.validation!r})", given.rows, self.seed).splits[0]
            except Refused as why:
                says = f"validation rows cannot be cut from {len(given.train)} rows: {why}"
                raise Refused(says, why.code) from None
            train, held = split.train, split.test
        sign = 1 if score.better == "lower" else -1
        best, self.rounds_, history = math.inf, 0, []
        with seeded(self.learner, self.seed, "rounds") as (model, _):
            for number in range(1, self.rounds + 1):
                weights = None if data.weights is None else data.weights[train]
                train_round(model, number, data.take(train), data.target[train], weights)  # copies: it may change them
                history.append(score_value(score, predictions_of(data, held, predict(model, data, train, held))))
                if not self.rounds_ or sign * history[-1] < best - self.minimum:
                    best, self.rounds_, self.model_ = sign * history[-1], number, copy.deepcopy(model)
                elif number - self.rounds_ >= self.patience:
                    break
        self.history_ = np.array(history)
        inner = self.history_[self.rounds_ - 1]
        self.chosen_ = {"params": {"rounds": self.rounds_}, "inner": inner, "score": str(score), "by": "validation"}


def train_round(model: Any, number: int, features: Any, target: Array, weights: Array | None) -> None:
    """Train one more pass over the rows by `partial_fit`, or one more member or iteration by `warm_start`.

    The first round is number 1; weights are for a method that takes them.
    """
    method = model.partial_fit if _takes_passes(model) else model.fit
    parameters = inspect.signature(method).parameters
    extras: dict[str, Any] = {"sample_weight": weights} if weights is not None and "sample_weight" in parameters else {}
    if _takes_passes(model):
        if number == 1 and "classes" in parameters:
            extras["classes"] = sorted(set(target.tolist()))
        model.partial_fit(features, target, **extras)
        return
    counter = _counter_of(model)
    total = counter == "n_estimators" or type(model).__module__.startswith(ENSEMBLES)
    model.set_params(**{"warm_start": True, str(counter): number if total else 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that one iteration has not converged is no news
        model.fit(features, target, **extras)


def _takes_passes(learner: Any) -> bool:
    return callable(getattr(learner, "partial_fit", None))


def _counter_of(learner: Any) -> str | None:
    """The parameter that counts rounds, of a learner that starts where it stopped."""
    names = learner.get_params(deep=False) if hasattr(learner, "get_params") else {}
    return next((name for name in ("n_estimators", "max_iter") if {name, "warm_start"} <= set(names)), None)
