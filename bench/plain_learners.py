"""Learners as small and as fast as they can be, from the most stable to the least."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from veracity.records.arrays import Array


class NearestNumber:
    """The target of the nearest row."""

    def fit(self, features: Array, target: Array) -> Self:
        self.features, self.target, self.lengths = features, target, (features**2).sum(1)
        return self

    def predict(self, features: Array) -> Array:
        distance = self.lengths - 2 * features @ self.features.T  # less what is the same for all
        return self.target[distance.argmin(1)]


class NearestRow(NearestNumber):
    """The class of the nearest row."""

    _estimator_type = "classifier"

    def log_odds(self, features: Array) -> Array:
        return np.where(self.predict(features) == 1, np.inf, -np.inf)


class LeastSquares:
    """A plane."""

    def fit(self, features: Array, target: Array) -> Self:
        columns = _with_ones(features)
        self.weights = np.linalg.solve(columns.T @ columns, columns.T @ target)
        return self

    def predict(self, features: Array) -> Array:
        return _with_ones(features) @ self.weights


class Discriminant:
    """Fisher's, with the shares of the classes."""

    def fit(self, features: Array, target: Array) -> Self:
        above, below = (features[target == code] for code in (1, 0))
        middles = [part.mean(0) for part in (above, below)]
        within = np.concatenate([above - middles[0], below - middles[1]])
        self.weights = np.linalg.solve(within.T @ within / len(within), middles[0] - middles[1])
        self.offset = np.log(len(above) / len(below)) - self.weights @ (middles[0] + middles[1]) / 2
        return self

    def log_odds(self, features: Array) -> Array:
        return features @ self.weights + self.offset

    def predict(self, features: Array) -> Array:
        return (self.log_odds(features) >= 0).astype(np.int64)


@dataclass
class Cut(Discriminant):
    """Fisher's without the shares of the classes, cut where the log odds are so much."""

    at: float = 0.0

    def fit(self, features: Array, target: Array) -> Self:
        super().fit(features, target)
        self.offset -= np.log(target.mean() / (1 - target.mean())) + self.at
        return self


class Bayes:
    """Normal features that are independent inside each class."""

    def fit(self, features: Array, target: Array) -> Self:
        of_class = [features[target == code] for code in (0, 1)]
        least = 1e-9 * features.var(0).max()
        self.laws = [(rows.mean(0), rows.var(0) + least, np.log(len(rows))) for rows in of_class]
        return self

    def log_odds(self, features: Array) -> Array:
        below, above = (
            level - 0.5 * (np.log(variance) + (features - mean) ** 2 / variance).sum(1)
            for mean, variance, level in self.laws
        )
        return above - below

    def predict(self, features: Array) -> Array:
        return (self.log_odds(features) > 0).astype(np.int64)


class MostFrequent:
    """The share of the positive class, of every row."""

    def fit(self, features: Array, target: Array) -> Self:
        self.odds = np.log(target.mean() / (1 - target.mean()))
        return self

    def log_odds(self, features: Array) -> Array:
        return np.full(len(features), self.odds)


class Vectors:
    """scikit-learn's support vectors, whose decision values are no log odds."""

    def fit(self, features: Array, target: Array) -> Self:
        from sklearn.svm import SVC

        self.model = SVC().fit(features, target)
        return self

    def decisions(self, features: Array) -> Array:
        found: Array = self.model.decision_function(features)
        return found


@dataclass
class Tree:
    """Grown until its leaves are pure, or to a depth."""

    of: str = "classes"
    depth: int | None = None

    def fit(self, features: Array, target: Array) -> Self:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        make: Any = DecisionTreeClassifier if self.of == "classes" else DecisionTreeRegressor
        self.tree = (
            make(max_depth=self.depth, random_state=0).fit(features.astype(np.float32), target, check_input=False).tree_
        )
        return self

    def predict(self, features: Array) -> Array:
        found = self.tree.predict(features.astype(np.float32))
        return found.argmax(1) if self.of == "classes" else found.ravel()


@dataclass
class Forest:
    """The vote of a few trees, each on rows drawn with replacement."""

    trees: int = 5

    def fit(self, features: Array, target: Array) -> Self:
        random = np.random.default_rng(0)
        draws = [random.integers(len(target), size=len(target)) for _ in range(self.trees)]
        self.grown = [Tree().fit(features[rows], target[rows]) for rows in draws]
        return self

    def predict(self, features: Array) -> Array:
        return (np.mean([tree.predict(features) for tree in self.grown], axis=0) > 0.5).astype(np.int64)


@dataclass
class Chosen:
    """A learner on the one column by which it errs least on its own training rows."""

    learner: Callable[[], Any]

    def fit(self, features: Array, target: Array) -> Self:
        models = [self.learner().fit(column[:, None], target) for column in features.T]
        wrong = [(model.predict(x[:, None]) != target).mean() for model, x in zip(models, features.T, strict=True)]
        self.column = int(np.argmin(wrong))
        self.model = models[self.column]
        return self

    def predict(self, features: Array) -> Array:
        found: Array = self.model.predict(features[:, [self.column]])
        return found


@dataclass
class Checked:
    """A learner if it errs less than the most frequent class on the last third of its rows, else that class."""

    learner: Callable[[], Any]

    def fit(self, features: Array, target: Array) -> Self:
        first = 2 * len(target) // 3
        self.usual = int(target[:first].mean() > 0.5)
        model = self.learner().fit(features[:first], target[:first])
        better = (model.predict(features[first:]) != target[first:]).sum() < (self.usual != target[first:]).sum()
        self.model = model if better else None
        return self

    def predict(self, features: Array) -> Array:
        if self.model is None:
            return np.full(len(features), self.usual)
        found: Array = self.model.predict(features)
        return found


@dataclass
class Block:
    """A learner that sees some of the columns."""

    learner: Any
    first: int
    last: int

    def fit(self, features: Array, target: Array) -> Self:
        self.learner.fit(features[:, self.first : self.last], target)
        return self

    def predict(self, features: Array) -> Array:
        found: Array = self.learner.predict(features[:, self.first : self.last])
        return found


def _with_ones(features: Array) -> Array:
    return np.column_stack([np.ones(len(features)), features])
