"""Learners that fit in microseconds, so that thousands of studies can be simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from veracity.kernels.split_fits import best_cuts
from veracity.records.arrays import Array


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
    """One cut of one feature, by the purest sides; of cuts that are equally good the first."""

    def fit(self, features: Array, target: Array) -> Self:
        order = np.ascontiguousarray(np.argsort(features, 0, kind="stable").T)
        times = np.ones((1, len(target)), np.int64)
        cuts = best_cuts(order[None], np.asarray(features, float)[None], np.asarray(target, float)[None], times)
        self.column = int(cuts[0, 0, 0])
        self.cut, self.low, self.high = map(float, cuts[0, 0, 1:])
        return self

    def predict(self, features: Array) -> Array:
        return np.where(features[:, self.column] > self.cut, self.high, self.low).astype(np.int64)
