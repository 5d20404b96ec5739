"""Learners that the lab fits: how a fresh one is made and fitted, and four that fit in microseconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.words import brief
from veracity.learners.from_text import check_learner
from veracity.records.arrays import Array

Learner = Callable[[], Any]  # makes something with fit(features, target) and predict(features)


def unfitted_learner(learner: Any) -> Any:
    """Return an unfitted learner."""
    if not callable(learner):
        name = type(learner).__name__
        raise BadInput(f"the lab calls a learner for a fresh one each time: give {name} or lambda: {name}(...)")
    return check_learner(learner())


def fitted_learner(learner: Learner, features: Array, target: Array) -> Any:
    """Return a fresh learner, trained on these rows."""
    model = unfitted_learner(learner)
    try:
        model.fit(features.copy(), target.copy())  # some learners change their input in place
    except Exception as why:  # whatever a learner raises
        says = f"{type(model).__name__} cannot be trained on {len(target)} rows of a sample: {brief(str(why), 150)}"
        raise Refused(says, "failed-fit") from why
    return model


def learner_text(learner: Learner) -> str:
    """Return a learner as results and stores call it: its class, with what differs from its defaults."""
    model = unfitted_learner(learner)
    if hasattr(model, "get_params"):
        return " ".join(repr(model).split())
    inside = ", ".join(f"{name}={value!r}" for name, value in sorted(vars(model).items()))
    return f"{type(model).__name__}({inside})"


class NearestMean:
    """The class whose mean is nearer: a linear rule, and the best one between two round clouds of equal size."""

    coef_: Array
    intercept_: float

    def fit(self, features: Array, target: Array) -> Self:
        positive = target == 1
        if positive.all() or not positive.any():  # one class only: always that one
            self.coef_, self.intercept_ = np.zeros(features.shape[1]), 1.0 if positive.all() else -1.0
            return self
        above, below = features[positive].mean(0), features[~positive].mean(0)
        self.coef_ = above - below
        self.intercept_ = -float(self.coef_ @ (above + below)) / 2
        return self

    def predict(self, features: Array) -> Array:
        return (features @ self.coef_ + self.intercept_ > 0).astype(np.int64)


class NearestRow:
    """The class of the row that is nearest in the first feature: no learner changes more with its training rows."""

    cuts_: Array  # where the class changes, ascending
    steps_: Array  # the class below the first cut, between each two, and above the last

    def fit(self, features: Array, target: Array) -> Self:
        order = np.argsort(features[:, 0], kind="stable")
        place, code = features[order, 0], target[order]
        changes = np.flatnonzero(np.diff(code))
        self.cuts_ = (place[changes] + place[changes + 1]) / 2
        self.steps_ = code[np.append(changes, len(code) - 1)]
        return self

    def predict(self, features: Array) -> Array:
        return self.steps_[np.searchsorted(self.cuts_, features[:, 0])]


@dataclass
class Polynomial:
    """Least squares on the powers of the one feature."""

    degree: int = 3

    def fit(self, features: Array, target: Array) -> Self:
        self.weights = np.linalg.lstsq(self._powers(features), target)[0]
        return self

    def predict(self, features: Array) -> Array:
        return self._powers(features) @ self.weights

    def _powers(self, features: Array) -> Array:
        return np.vander(features[:, 0], self.degree + 1)


class Stump:
    """One cut of one feature, by the purest sides; of cuts that are equally good the first. A tie is class 0."""

    def fit(self, features: Array, target: Array) -> Self:
        rows, ones = len(target), int(target.sum())
        usual = float(2 * ones > rows)
        self.column, self.cut, self.low, self.high = 0, np.inf, usual, usual
        order = np.argsort(features, 0, kind="stable")
        ordered = np.take_along_axis(np.asarray(features, float), order, 0)
        left = np.arange(1, rows)[:, None]
        left_ones = np.cumsum(target[order], 0)[:-1]
        right, right_ones = rows - left, ones - left_ones
        purity = (left_ones**2 + (left - left_ones) ** 2) / left + (right_ones**2 + (right - right_ones) ** 2) / right
        purity = np.where(ordered[1:] > ordered[:-1], purity, -1.0).T  # features by cuts
        if 0 < ones < rows and purity.max() > 0:
            first = int((purity > purity.max() - 1e-9).argmax())
            self.column, place = divmod(first, purity.shape[1])
            below, above = ordered[place, self.column], ordered[place + 1, self.column]
            self.cut = float(below + (above - below) / 2)
            self.low = float(2 * left_ones[place, self.column] > left[place, 0])
            self.high = float(2 * right_ones[place, self.column] > right[place, 0])
        return self

    def predict(self, features: Array) -> Array:
        return np.where(features[:, self.column] > self.cut, self.high, self.low).astype(np.int64)
