"""Classes whose chance is a function of the features: sparse logistic laws, patterns without a plane, wrong labels."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

import numpy as np
from scipy.special import expit

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.lab.entry import make_world, world
from veracity.lab.worlds import (
    ChanceWorld,
    FeaturesFirst,
    Sample,
    Truth,
    World,
    check_not_negative,
    check_share_below,
    check_some_of,
)
from veracity.records.arrays import Array


@dataclass(frozen=True, kw_only=True)
class SparseLogistic(FeaturesFirst):
    """The log odds are `strength` times the sum of `active` of the normal features; the others tell nothing."""

    features: int = 20
    active: int = 4
    strength: float = 1.0

    def __post_init__(self) -> None:
        check_some_of("active", self.active, self.features)
        check_not_negative("strength", self.strength)

    def chance(self, features: Array) -> Array:
        found: Array = expit(self.strength * features[..., : self.active].sum(-1))
        return found

    def _draw_features(self, rows: int, random: np.random.Generator) -> Array:
        return random.normal(size=(rows, self.features))


@dataclass(frozen=True, kw_only=True)
class Pattern(FeaturesFirst):
    """A pattern of two features, the class of which is wrong on a share `noise` of the rows."""

    noise: float = 0.1
    features: int = 2

    def __post_init__(self) -> None:
        check_share_below("noise", self.noise, 0.5)
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
        found: Array = features[..., 0] * features[..., 1] > 0
        return found

    def _draw_features(self, rows: int, random: np.random.Generator) -> Array:
        return random.uniform(-1, 1, (rows, self.features))


@dataclass(frozen=True, kw_only=True)
class Rings(Pattern):
    """Two normal features: a disc that holds half of the rows is of one class, the ring around it of the other."""

    def inside(self, features: Array) -> Array:
        found: Array = (features[..., :2] ** 2).sum(-1) > 2 * log(2)
        return found

    def _draw_features(self, rows: int, random: np.random.Generator) -> Array:
        return random.normal(size=(rows, self.features))


@dataclass(frozen=True, kw_only=True)
class LabelNoise(World):
    """Another world of classes, `of`, whose label is wrong on a `share` of the rows, whatever their features."""

    of: Any = "two_gaussians"  # a world, or its text
    share: float = 0.1

    def __post_init__(self) -> None:
        check_share_below("share", self.share, 0.5)
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

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        clean = self.clean._draw_rows(rows, random)
        return Sample(clean.features, np.where(random.random(rows) < self.share, 1 - clean.target, clean.target))


sparse_logistic = world("Sparse logistic", name="sparse_logistic", cite=("bates2024",))(SparseLogistic)
xor = world("Exclusive or", name="xor", aliases="quadrants")(Xor)
rings = world("A disc in a ring", name="rings")(Rings)
label_noise = world("Label noise on another world", name="label_noise")(LabelNoise)
