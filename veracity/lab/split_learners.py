"""Learners with an algebra: all splits of a design, of many samples at once, from sums and orders that they share.

Each says of every row what the ordinary learner of the same name says; where its algebra does not hold, as for rows
that lie equally near, it says nothing, and ordinary fits are made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from veracity.lab.fast_learners import NearestMean, NearestRow, Polynomial, Stump
from veracity.lab.moment_learners import Discriminant, LeastSquares, NaiveBayes, NearestCentre, Quadratic
from veracity.lab.order_learners import Cuts, NearRows
from veracity.lab.split_rows import SplitRows
from veracity.records.arrays import Array

FREE = {"n_neighbors", "alpha", "n_jobs", "copy_X", "store_covariance"}  # parameters that are read, or do not matter


class SplitLearner(Protocol):
    """Fits all splits of a design on all samples at once."""

    def predict_splits(self, rows: SplitRows) -> Array | None:
        """What the model of each split says of each row that is tried, (samples, splits, tried); None where unknown."""


class Rule(NamedTuple):
    """Which ordinary learner an algebra stands for."""

    name: str
    make: Callable[[Any], SplitLearner]


RULES = (
    Rule("LinearDiscriminantAnalysis", lambda model: Discriminant(_divides_by_freedom())),
    Rule("QuadraticDiscriminantAnalysis", lambda model: Quadratic(_divides_by_freedom())),
    Rule("GaussianNB", lambda model: NaiveBayes()),
    Rule("NearestCentroid", lambda model: NearestCentre()),
    Rule("KNeighborsClassifier", lambda model: NearRows(model.n_neighbors)),
    Rule("KNeighborsRegressor", lambda model: NearRows(model.n_neighbors, "numbers")),
    Rule("LinearRegression", lambda model: LeastSquares()),
    Rule("Ridge", lambda model: LeastSquares(model.alpha)),
)
OWN: dict[type, Callable[[Any], SplitLearner]] = {
    NearestMean: lambda model: NearestCentre(),
    NearestRow: lambda model: NearRows(1, columns=1),
    Polynomial: lambda model: LeastSquares(powers=model.degree),
    Stump: lambda model: Cuts(),
}


def _divides_by_freedom() -> bool:
    """Whether the discriminants of this scikit-learn divide by degrees of freedom; from 1.9 on they divide by rows."""
    from sklearn import __version__

    return tuple(map(int, __version__.split(".")[:2])) < (1, 9)


def algebra_of(model: Any) -> SplitLearner | None:
    """The algebra of an unfitted learner, where it is known: one of the lab's, or one of scikit-learn's as it comes."""
    kind = type(model)
    if kind in OWN:
        return OWN[kind](model)
    known = {rule.name: rule.make for rule in RULES} if kind.__module__.startswith("sklearn.") else {}
    return known[kind.__name__](model) if kind.__name__ in known and _as_it_comes(model) else None


def _as_it_comes(model: Any) -> bool:
    """Whether no parameter that matters differs from its default."""
    defaults = inspect.signature(type(model).__init__).parameters
    plain = isinstance(getattr(model, "alpha", 1.0), (int, float))
    return plain and all(
        name in FREE or value is defaults[name].default or value == defaults[name].default
        for name, value in model.get_params(deep=False).items()
    )


def predict_tests(algebra: SplitLearner, rows: SplitRows, test: tuple[Array, Array]) -> Array | None:
    """The predictions of the rows that each split tests, (samples, tests), in parts that fit into memory."""
    found = []
    for part in rows.parts():
        predicted = algebra.predict_splits(part)
        if predicted is None:
            return None
        found.append(predicted[:, test[0], test[1]])
    return np.concatenate(found)
