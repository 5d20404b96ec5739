"""Fit all splits of a design, of many samples at once, from sums and orders that they share: how figures are made fast.

Each algebra says of every row what the ordinary learner of the same name says; where it does not hold, as for rows
that lie equally near, it says nothing, and ordinary fits are made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.fast.moments import Discriminant, LeastSquares, NaiveBayes, NearestCentre, Quadratic
from bench.fast.orders import Cuts, NearRows
from bench.fast.split_rows import SplitRows
from veracity.lab import NearestMean, NearestRow, Polynomial, Stump
from veracity.lab.learners import Learner, fitted_learner, unfitted_learner
from veracity.lab.worlds import Sample
from veracity.records.arrays import Array
from veracity.records.design import Design

CHECKED_SPLITS = 3  # on which an algebra is held against ordinary fits before it is believed
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


@dataclass(frozen=True)
class Fast:
    """A learner of the lab, all splits of many samples of which are fitted at once where it has an algebra."""

    make: Learner

    def __call__(self) -> Any:
        return self.make()

    def predict_splits(self, samples: list[Sample], design: Design) -> list[Array] | None:
        """Return predictions of the test rows of all splits for each sample; None where ordinary fits must be made."""
        algebra = algebra_of(unfitted_learner(self.make))
        if algebra is None or samples[0].classes != 2:
            return None
        test_rows = np.concatenate([split.test for split in design.splits])
        splits = np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])
        predicted = []
        for part in rows_of_splits(samples, design).parts():
            said = algebra.predict_splits(part)
            if said is None:
                return None
            predicted.extend(said[:, splits, test_rows])
        sample = samples[0]
        plain = np.concatenate(
            [
                fitted_learner(self.make, *(side[split.train] for side in sample)).predict(sample.features[split.test])
                for split in design.splits[:CHECKED_SPLITS]
            ]
        )
        agrees = np.allclose(predicted[0][: len(plain)], plain, rtol=1e-6, atol=1e-9)
        return predicted if agrees else None  # another version may fit in another way


def rows_of_splits(samples: list[Sample], design: Design) -> SplitRows:
    """Return what all splits of all samples train on, and are asked."""
    times = np.stack([np.bincount(split.train, minlength=design.rows) for split in design.splits])
    asked = np.zeros(times.shape, bool)
    for number, split in enumerate(design.splits):
        asked[number, split.test] = True
    features, target = (np.stack([getattr(one, side) for one in samples]) for side in ("features", "target"))
    return SplitRows(features, target, times, asked)
