"""Worlds of classes: normal clouds, patterns without a plane, wrong labels, clusters, and a law that turns in time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import log
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, ndtr

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.designs.parameters import whole_number
from veracity.lab.worlds import (
    FRESH,
    ChanceWorld,
    FeaturesFirst,
    Random,
    Sample,
    Truth,
    World,
    best_by_chance,
    bounded,
    check_between,
    check_some_of,
    count,
    make_world,
    not_negative,
    proportion,
    world,
)
from veracity.records.arrays import Array


@dataclass(frozen=True, kw_only=True)
class SparseLogistic(FeaturesFirst):
    """The log odds are `strength` times the sum of `active` of the normal features; the others tell nothing."""

    features: int = 20
    active: int = 4
    strength: float = not_negative(1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_some_of("active", self.active, self.features)

    def chance(self, features: Array) -> Array:
        return expit(self.strength * features[..., : self.active].sum(-1))

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.normal(size=(rows, self.features))


@dataclass(frozen=True, kw_only=True)
class Pattern(FeaturesFirst):
    """A pattern of two features, the class of which is wrong on a share `noise` of the rows."""

    noise: float = proportion(0.1, below=0.5)
    features: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if whole_number("features", self.features) < 2:
            raise BadInput(f"a pattern of two features needs features=2 or more, not {self.features}")

    @property
    def best_truth(self) -> Truth:
        return Truth(self.noise)

    @abstractmethod
    def inside(self, features: Array) -> Array:
        """Where the pattern is of class 1."""

    def chance(self, features: Array) -> Array:
        return np.where(self.inside(features), 1 - self.noise, self.noise)


@dataclass(frozen=True, kw_only=True)
class Xor(Pattern):
    """Opposite quadrants of two uniform features are of one class: either feature alone tells nothing."""

    def inside(self, features: Array) -> Array:
        return features[..., 0] * features[..., 1] > 0

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.uniform(-1, 1, (rows, self.features))


@dataclass(frozen=True, kw_only=True)
class Rings(Pattern):
    """Two normal features: a disc that holds half of the rows is of one class, the ring around it of the other."""

    def inside(self, features: Array) -> Array:
        return (features[..., :2] ** 2).sum(-1) > 2 * log(2)

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.normal(size=(rows, self.features))


@dataclass(frozen=True, kw_only=True)
class LabelNoise(World):
    """Another world of classes, `of`, whose label is wrong on a `share` of the rows, whatever their features."""

    of: Any = "two_gaussians"  # a world, or its text
    share: float = proportion(0.1, below=0.5)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.of, Choice):  # typed without quotes
            object.__setattr__(self, "of", str(self.of))
        if not isinstance(self.clean, World) or self.clean.kind != "classes" or not self.clean.independent:
            raise BadInput("label_noise is put on a world of independent rows of classes, such as of=two_gaussians()")
        if (classes := self.clean.draw(1).classes) > 2:
            raise BadInput(f"label_noise turns one of two classes into the other, and {self.of} has {classes} of them")

    @cached_property
    def clean(self) -> Any:
        """The world whose labels are right."""
        return make_world(self.of) if isinstance(self.of, str) else self.of

    @property
    def digest(self) -> str:
        return str(self.clean.digest)

    @property
    def best_truth(self) -> Truth:
        clean, kept = self.clean.best_truth, 1 - 2 * self.share
        return Truth(self.share + kept * clean.value, kept * clean.error)

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        if not isinstance(self.clean, ChanceWorld):
            return super().losses(predicted, fresh)
        return self.share + (1 - 2 * self.share) * self.clean.losses(predicted, fresh)

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        clean = self.clean._draw_rows(rows, random)
        return Sample(clean.features, np.where(random.random(rows) < self.share, 1 - clean.target, clean.target))


PLACES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


@dataclass(frozen=True, kw_only=True)
class Clusters(ChanceWorld):
    """Clusters of equal size, such as patients: their rows have similar features and log odds of their own.

    Features correlate by `alike` within a cluster, and the log odds `strength` times the first feature are shifted by
    `spread` from cluster to cluster. Models meet rows of clusters that they never saw.
    """

    independent: ClassVar[bool] = False
    clusters: int = count(20)
    alike: float = proportion(0.5, below=1)
    spread: float = not_negative(1.0)
    strength: float = not_negative(2.0)
    features: int = count(3)

    def groups(self, rows: int) -> Array:
        """The cluster of each row."""
        if rows < self.clusters:
            raise Refused(f"{rows} rows cannot fill {self.clusters} clusters: ask for more rows", "too-few-rows")
        return np.arange(rows) * self.clusters // rows

    def chance(self, features: Array) -> Array:
        """Of a row from a new cluster: over all that its cluster may be."""
        odds = self.strength * features[..., :1] + self.spread * PLACES
        return expit(odds) @ WEIGHTS / WEIGHTS.sum()

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """Each of a cluster of its own."""
        return self._draw_from(np.arange(rows), generator(seed, "world", rows))

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        return self._draw_from(self.groups(rows), random)

    def _draw_from(self, groups: Array, random: Random) -> Sample:
        rows, clusters = len(groups), int(groups.max()) + 1
        shared, own = (random.normal(size=(number, self.features)) for number in (clusters, rows))
        features = self.alike**0.5 * shared[groups] + (1 - self.alike) ** 0.5 * own
        odds = self.strength * features[:, 0] + self.spread * random.normal(size=clusters)[groups]
        return Sample(features, (random.random(rows) < expit(odds)).astype(np.int64), groups)


@dataclass(frozen=True, kw_only=True)
class UnequalClusters(Clusters):
    """The same with clusters of very unequal size: the j-th has 1 / j of the rows of the first."""

    def groups(self, rows: int) -> Array:
        """Every cluster has a row at least."""
        super().groups(rows)
        share = np.cumsum(1 / np.arange(1, self.clusters + 1))
        ends = np.floor(share / share[-1] * (rows - self.clusters)).astype(int) + np.arange(1, self.clusters + 1)
        return np.searchsorted(ends, np.arange(rows), side="right")


@dataclass(frozen=True, kw_only=True)
class Drift(ChanceWorld):
    """Two normal classes in the order of time: the line between their means turns by `turn` degrees from row to row.

    The last row stands where models are used next, so older rows mislead the more the older they are.
    """

    independent: ClassVar[bool] = False
    distance: float = not_negative(2.0)
    turn: float = not_negative(0.5)
    features: int = count(2, least=2)

    @property
    def best_truth(self) -> Truth:
        return Truth(NormalDist().cdf(-self.distance / 2))

    def chance(self, features: Array) -> Array:
        """Now."""
        return expit(self.distance * features[..., 0])

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """All of the time that is now."""
        return self._draw_at(np.zeros(rows), generator(seed, "world", rows))

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        return self._draw_at(np.arange(rows) - rows + 1.0, random)

    def _draw_at(self, times: Array, random: Random) -> Sample:
        target = random.integers(0, 2, len(times))
        features = random.normal(size=(len(times), self.features))
        angle, apart = np.radians(self.turn * times), self.distance * (target - 0.5)
        features[:, 0] += apart * np.cos(angle)
        features[:, 1] += apart * np.sin(angle)
        return Sample(features, target, time=times)


NORMAL = NormalDist()


@dataclass(frozen=True, kw_only=True)
class TwoGaussians(ChanceWorld):
    """Two equally likely classes, normal with unit variance, whose means lie `distance` apart in the first feature."""

    distance: float = not_negative(2.0)
    features: int = count(2)

    @property
    def best_truth(self) -> Truth:
        return Truth(NORMAL.cdf(-self.distance / 2))

    def chance(self, features: Array) -> Array:
        return expit(self.distance * features[..., 0])

    def _draw_rows(self, rows: int, random: Random) -> Sample:
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

    features: int = count(2)

    @property
    def best_truth(self) -> Truth:
        return Truth(0.5)

    def chance(self, features: Array) -> Array:
        return np.full(features.shape[:-1], 0.5)

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        return Sample(random.normal(size=(rows, self.features)), random.integers(0, 2, rows))

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        return 0.5


@dataclass(frozen=True, kw_only=True)
class Gaussians(ChanceWorld):
    """Two normal classes: `share` of the rows positive, `distance` apart in units of the other class, `ratio` as wide.

    Features correlate by `correlation`, and all of them tell the class a little; with a ratio other than 1 the classes
    have unequal covariance, and the best rule is no plane.
    """

    distance: float = not_negative(1.5)
    features: int = count(5)
    share: float = bounded(0.5, 0, 1, open_ends=True)
    ratio: float = bounded(1.0, 0, 100, open_ends=True)
    correlation: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between("correlation", self.correlation, -1 / max(self.features - 1, 1), 1, open_ends=True)

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
        return expit(shares + squares / 2)

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        target = (random.random(rows) < self.share).astype(np.int64)
        positive = target[:, None]
        plain = random.normal(size=(rows, self.features)) * np.where(positive, self.ratio, 1.0)
        return Sample((plain + positive * self.distance / self.features**0.5) @ self._root.T, target)


@dataclass(frozen=True, kw_only=True)
class RarePositives(Gaussians):
    """Two normal classes of which one is rare: naming the other one always errs on `share` of the rows alone."""

    distance: float = 2.0
    share: float = 0.05


sparse_logistic = world("Sparse logistic", name="sparse_logistic", cite=("bates2024",))(SparseLogistic)
xor = world("Exclusive or", name="xor", aliases="quadrants")(Xor)
rings = world("A disc in a ring", name="rings")(Rings)
label_noise = world("Label noise on another world", name="label_noise")(LabelNoise)
clusters = world("Clusters of rows", name="clusters")(Clusters)
unequal_clusters = world("Clusters of very unequal size", name="unequal_clusters")(UnequalClusters)
drift = world("A law that turns in time", name="drift")(Drift)
two_gaussians = world("Two Gaussians", name="two_gaussians")(TwoGaussians)
pure_noise = world("Pure noise", name="pure_noise", cite=("efron1997",))(PureNoise)
gaussians = world("Gaussians of any shape and share", name="gaussians")(Gaussians)
rare_positives = world("Rare positives", name="rare_positives")(RarePositives)
