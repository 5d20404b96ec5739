"""Worlds that rows can be drawn from without end, and in which the risk of a model is known."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from scipy.special import ndtr

from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.designs.parameters import whole_number
from veracity.lab.entry import world
from veracity.records.arrays import Array

FRESH = 200_000  # rows that stand for all, where the risk of a model has no closed form
NORMAL = NormalDist()


class Sample(NamedTuple):
    """Rows of a world: features and target."""

    features: Array
    target: Array


@dataclass(frozen=True)
class World(ABC):
    """A law of rows. The risk of a model is its error rate for classes 0 and 1, its mean squared error for numbers."""

    kind: ClassVar[Literal["classes", "numbers"]] = "classes"

    @property
    @abstractmethod
    def best(self) -> float:
        """The risk that no model can go below."""

    @abstractmethod
    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample: ...

    def draw(self, rows: int, seed: int = 0) -> Sample:
        """Independent rows; the same seed gives the same ones."""
        whole_number("rows", rows)
        return self._draw_rows(rows, generator(seed, "world", rows))

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """The risk of one fitted model on new rows: in closed form where there is one, else on so many fresh ones."""
        fresh = self.draw(rows, seed)
        missed = model.predict(fresh.features) - fresh.target
        return float(np.mean(missed != 0 if self.kind == "classes" else missed**2))

    @property
    def score(self) -> str:
        """The score that the risk is the expectation of."""
        return "error" if self.kind == "classes" else "mse"


@dataclass(frozen=True, kw_only=True)
class TwoGaussians(World):
    """Two equally likely classes, normal with unit variance, whose means lie `distance` apart in the first feature."""

    distance: float = 2.0
    features: int = 2

    def __post_init__(self) -> None:
        _not_negative("distance", self.distance)
        whole_number("features", self.features)

    @property
    def best(self) -> float:
        return NORMAL.cdf(-self.distance / 2)

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
class PureNoise(World):
    """Two equally likely classes that no feature tells of: every model errs on half of the new rows."""

    features: int = 2

    def __post_init__(self) -> None:
        whole_number("features", self.features)

    @property
    def best(self) -> float:
        return 0.5

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        return Sample(random.normal(size=(rows, self.features)), random.integers(0, 2, rows))

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        return 0.5


@dataclass(frozen=True, kw_only=True)
class Sine(World):
    """A number: the sine of 2 pi x, for x uniform between 0 and 1, plus normal noise."""

    kind: ClassVar[Literal["classes", "numbers"]] = "numbers"
    noise: float = 0.3

    def __post_init__(self) -> None:
        _not_negative("noise", self.noise)

    @property
    def best(self) -> float:
        return self.noise**2

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        x = random.random(rows)
        return Sample(x[:, None], np.sin(2 * np.pi * x) + self.noise * random.normal(size=rows))

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """The squared distance from the sine, integrated by midpoints, plus the noise."""
        x = (np.arange(10_000) + 0.5) / 10_000
        return self.best + float(np.mean((model.predict(x[:, None]) - np.sin(2 * np.pi * x)) ** 2))


two_gaussians = world("Two Gaussians", name="two_gaussians")(TwoGaussians)
pure_noise = world("Pure noise", name="pure_noise")(PureNoise)
sine = world("Sine with noise", name="sine")(Sine)


def _not_negative(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise BadInput(f"{name} is a number of 0 or more, not {value!r}")
