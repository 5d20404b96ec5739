"""Worlds of numbers to be predicted: smooth curves, sparse planes, and noise with heavy or skewed tails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.lab.worlds import FRESH, NumberWorld, Random, bounded, check_some_of, world
from veracity.records.arrays import Array


@dataclass(frozen=True, kw_only=True)
class Sine(NumberWorld):
    """A number: the sine of 2 pi x, for x uniform between 0 and 1, plus normal noise."""

    noise: float = 0.3

    def expected(self, features: Array) -> Array:
        return np.sin(2 * np.pi * features[..., 0])

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.random(rows)[:, None]

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """The squared distance from the sine, integrated by midpoints, plus the noise."""
        x = (np.arange(10_000) + 0.5) / 10_000
        return self.best + float(np.mean((model.predict(x[:, None]) - np.sin(2 * np.pi * x)) ** 2))


@dataclass(frozen=True, kw_only=True)
class SparseLinear(NumberWorld):
    """The sum of `active` of the normal features, and normal noise of standard deviation `noise`."""

    features: int = 20
    active: int = 4
    noise: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_some_of("active", self.active, self.features)

    def expected(self, features: Array) -> Array:
        return features[..., : self.active].sum(-1)

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.normal(size=(rows, self.features))


@dataclass(frozen=True, kw_only=True)
class HeavyTails(SparseLinear):
    """The sum of `active` of the normal features, and noise by Student's t: the fewer degrees of freedom, the heavier.

    With 4 or fewer, squared errors have no variance, and no interval for their mean can hold.
    """

    features: int = 5
    active: int = 2
    df: float = bounded(5.0, 2, 1000, open_ends=True)

    @property
    def noise_variance(self) -> float:
        return self.noise**2 * self.df / (self.df - 2)

    def _draw_noise(self, rows: int, random: Random) -> Array:
        return self.noise * random.standard_t(self.df, rows)


@dataclass(frozen=True, kw_only=True)
class SkewedErrors(SparseLinear):
    """The sum of `active` of the normal features, and gamma noise: the smaller its `shape`, the more skewed."""

    features: int = 5
    active: int = 2
    shape: float = bounded(2.0, 0, 1000, open_ends=True)

    def _draw_noise(self, rows: int, random: Random) -> Array:
        return self.noise * (random.gamma(self.shape, size=rows) - self.shape) / self.shape**0.5


@dataclass(frozen=True, kw_only=True)
class FriedmanOne(NumberWorld):
    """Friedman's first function of uniform features: a sine of the product of two, a square, two lines; five count."""

    features: int = 10
    noise: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if whole_number("features", self.features) < 5:
            raise BadInput(f"Friedman's function has five features: features={self.features} is too few")

    def expected(self, features: Array) -> Array:
        a, b, c, d, e = np.moveaxis(features[..., :5], -1, 0)
        return 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e

    def _draw_features(self, rows: int, random: Random) -> Array:
        return random.random((rows, self.features))


sine = world("Sine with noise", name="sine")(Sine)
sparse_linear = world("Sparse linear", name="sparse_linear", cite=("bates2024",))(SparseLinear)
heavy_tails = world("A plane with heavy-tailed noise", name="heavy_tails")(HeavyTails)
skewed_errors = world("A plane with skewed noise", name="skewed_errors")(SkewedErrors)
friedman1 = world("Friedman 1", name="friedman1")(FriedmanOne)
