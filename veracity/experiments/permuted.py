"""The whole estimate of a learner on shuffled data, again and again; nothing is stored."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.experiments.shuffles import shuffled
from veracity.learners.preparation import with_preparation
from veracity.learners.seeding import Seeding, copier
from veracity.learners.tuning_design import with_inner_design
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.risk.design_for import estimator_of
from veracity.risk.estimate_run import with_positive
from veracity.risk.resampling import Resampling
from veracity.running.fit_learner import train
from veracity.running.make_plan import inner_of
from veracity.running.predict import predict, predict_labels
from veracity.scores.on_counts import CountScore
from veracity.scores.values import values_on

ONE_MATRIX = ("holdout", "kfold", "leave_one_out")  # estimators that test no row twice and pool the counts


class Value(NamedTuple):
    """The estimate of one draw; NaN where a fit failed, with the reason."""

    value: float
    reason: str = ""
    skipped: int = 0  # splits in which the score is undefined


@dataclass(frozen=True, eq=False)
class Question:
    """What is estimated in every draw."""

    learner: Any
    data: Data
    design: Design
    score: Choice
    kind: str
    seed: int

    def ask(self, draws: Sequence[int]) -> list[Value]:
        """The estimates of these draws, each the same whoever makes it and whichever others are asked for."""
        make = copier(with_preparation(with_inner_design(self.learner, inner_of(self.design)), self.data))
        with ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            if 0 not in draws:  # the data and the parameters have passed scikit-learn's checks in draw 0
                stack.enter_context(_unchecked())
            return [self._estimated(make, draw) for draw in draws]

    def _estimated(self, make: Any, draw: int) -> Value:
        data = shuffled(self.data, self.kind, self.seed, draw)
        try:
            parts = [self._fitted(make(), data, draw, number) for number in range(len(self.design))]
        except KeyboardInterrupt:
            raise
        except BaseException as why:  # SystemExit and the like must not end a worker
            return Value(np.nan, f"{type(why).__name__}: {why}")
        return self._value(data, _pooled(data, self.design, parts))

    def _fitted(self, model: Any, data: Data, draw: int, number: int) -> dict[str, Array]:
        split = self.design.splits[number]
        with Seeding(model, self.seed, f"permutation {draw} {number}") as seeding:
            train(model, data, np.sort(split.train), split.validation)
            seeding.restart()
            if self.score.entry.needs == "label":
                return {"label": predict_labels(model, data, split.test)}
            return predict(model, data, split.train, split.test)

    def _value(self, data: Data, p: Predictions) -> Value:
        run, _ = with_positive(Run(data.name, "", self.design, p, data.truth), self.score)
        assert run.predictions is not None
        self.score.entry.check(run.predictions)
        if self._counts:
            return Value(float(values_on(self.score, run.predictions.confusion())))
        r = Resampling(self.score, run)
        return Value(float(self._estimator(r).value), skipped=r.skipped)

    @cached_property
    def _estimator(self) -> Choice:
        return estimator_of(self.design)

    @cached_property
    def _counts(self) -> bool:
        """Whether the estimate is the score of one confusion matrix, which needs no look at single splits."""
        return isinstance(self.score.entry, CountScore) and self._estimator.entry.name in ONE_MATRIX


def _unchecked() -> Any:
    from sklearn import config_context

    return config_context(assume_finite=True, skip_parameter_validation=True)


def _pooled(data: Data, design: Design, parts: list[dict[str, Array]]) -> Predictions:
    """The test rows of all splits, one after the other."""
    rows = np.concatenate([split.test for split in design.splits])
    numbers = np.repeat(np.arange(len(parts)), [len(split.test) for split in design.splits])
    told: Any = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Predictions(data.kind, data.truth[rows], data.classes, data.positive, **told, rows=rows, splits=numbers)
