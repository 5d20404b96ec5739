"""Classes that are normal clouds, from two round ones to rare, oblong and unequal ones; and noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from veracity.designs.parameters import whole_number
from veracity.lab.entry import world
from veracity.lab.worlds import FRESH, ChanceWorld, Sample, Truth, best_by_chance, check_between, check_not_negative
from veracity.records.arrays import Array

NORMAL = NormalDist()


@dataclass(frozen=True, kw_only=True)
class TwoGaussians(ChanceWorld):
    """Two equally likely classes, normal with unit variance, whose means lie `distance` apart in the first feature."""

    distance: float = 2.0
    features: int = 2

    def __post_init__(self) -> None:
        check_not_negative("distance", self.distance)
        whole_number("features", self.features)

    @property
    def best_truth(self) -> Truth:
        return Truth(NORMAL.cdf(-self.distance / 2))

    def chance(self, features: Array) -> Array:
        found: Array = expit(self.distance * features[..., 0])
        return found

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        target = random.integers(0, 2, rows)
        features = random.normal(size=(rows, self.features))
        features[:, 0] += self.distance * (target - 0.5)
        return Sample(features, target)

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """In closed form for a linear rule (`coef_` and `intercept_`) or one of steps (`cuts_` and `steps_`)."""
        if hasattr(model, "cuts_"):
            return self._of_steps(model.cuts_, model.steps_)
        if not hasattr(model, "coef_"):
            return super().risk(model, rows, seed)
        slope, level = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
        length = float(np.linalg.norm(slope))
        if length == 0:
            return 0.5
        shift = slope[0] * self.distance / 2
        return (NORMAL.cdf(-(shift + level) / length) + NORMAL.cdf((level - shift) / length)) / 2

    def _of_steps(self, cuts: Array, steps: Array) -> float:
        """What each class has where the other one is named."""
        edges = np.concatenate([[-np.inf], cuts, [np.inf]])
        negative, positive = (np.diff(ndtr(edges + side * self.distance / 2)) for side in (1, -1))
        return float(np.where(steps == 1, negative, positive).sum() / 2)


@dataclass(frozen=True, kw_only=True)
class PureNoise(ChanceWorld):
    """Two equally likely classes that no feature tells of: every model errs on half of the new rows."""

    features: int = 2

    def __post_init__(self) -> None:
        whole_number("features", self.features)

    @property
    def best_truth(self) -> Truth:
        return Truth(0.5)

    def chance(self, features: Array) -> Array:
        return np.full(features.shape[:-1], 0.5)

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        return Sample(random.normal(size=(rows, self.features)), random.integers(0, 2, rows))

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        return 0.5


@dataclass(frozen=True, kw_only=True)
class Gaussians(ChanceWorld):
    """Two normal classes: `share` of the rows positive, `distance` apart in units of the other class, `ratio` as wide.

    Features correlate by `correlation`, and all of them tell the class a little; with a ratio other than 1 the classes
    have unequal covariance, and the best rule is no plane.
    """

    distance: float = 1.5
    features: int = 5
    share: float = 0.5
    ratio: float = 1.0
    correlation: float = 0.0

    def __post_init__(self) -> None:
        check_not_negative("distance", self.distance)
        whole_number("features", self.features)
        check_between("share", self.share, 0, 1)
        check_between("ratio", self.ratio, 0, 100)
        check_between("correlation", self.correlation, -1 / max(self.features - 1, 1), 1)

    @cached_property
    def _root(self) -> Array:
        """Turns independent features into correlated ones."""
        one = np.eye(self.features)
        return np.linalg.cholesky(one + self.correlation * (1 - one))

    @property
    def best_truth(self) -> Truth:
        if self.ratio != 1 or self.distance == 0:
            return best_by_chance(self)
        beyond = log((1 - self.share) / self.share) / self.distance  # where the best plane cuts, from the middle
        missed = [NORMAL.cdf(-self.distance / 2 - beyond), NORMAL.cdf(beyond - self.distance / 2)]
        return Truth((1 - self.share) * missed[0] + self.share * missed[1])

    def chance(self, features: Array) -> Array:
        plain = np.linalg.solve(self._root, np.moveaxis(features, -1, -2))
        away = plain - self.distance / self.features**0.5
        squares = (plain**2).sum(-2) - (away**2).sum(-2) / self.ratio**2
        shares = log(self.share / (1 - self.share)) - self.features * log(self.ratio)
        found: Array = expit(shares + squares / 2)
        return found

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        target = (random.random(rows) < self.share).astype(np.int64)
        positive = target[:, None]
        plain = random.normal(size=(rows, self.features)) * np.where(positive, self.ratio, 1.0)
        return Sample((plain + positive * self.distance / self.features**0.5) @ self._root.T, target)


@dataclass(frozen=True, kw_only=True)
class RarePositives(Gaussians):
    """Two normal classes of which one is rare: naming the other one always errs on `share` of the rows alone."""

    distance: float = 2.0
    share: float = 0.05


two_gaussians = world("Two Gaussians", name="two_gaussians")(TwoGaussians)
pure_noise = world("Pure noise", name="pure_noise", cite=("efron1997",))(PureNoise)
gaussians = world("Gaussians of any shape and share", name="gaussians")(Gaussians)
rare_positives = world("Rare positives", name="rare_positives")(RarePositives)
