"""Learners that fit in microseconds, so that thousands of studies can be simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

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
        return (features @ self.coef_ + self.intercept_ >= 0).astype(np.int64)


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
