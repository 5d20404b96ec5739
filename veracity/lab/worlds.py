"""Worlds that rows can be drawn from without end, and in which the risk of a model is known."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.designs.parameters import whole_number
from veracity.records.arrays import Array

FRESH = 200_000  # rows that stand for all, where the risk of a model has no closed form
Kind = Literal["classes", "numbers"]


class Truth(NamedTuple):
    """A value of all rows there are, and its standard error: 0 by formula."""

    value: float
    error: float = 0.0

    @classmethod
    def mean_of(cls, values: Array) -> Truth:
        """The mean of independent values."""
        return cls(float(values.mean()), float(values.std() / math.sqrt(len(values))))


UNKNOWN = Truth(math.nan)


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of a world. What a learner is fitted on comes out of it: `learner.fit(*sample)`."""

    features: Array
    target: Array
    groups: Array | None = None
    time: Array | None = None
    classes: int = 2  # how many there are, where the target is of classes

    def __iter__(self) -> Iterator[Array]:
        return iter((self.features, self.target))

    def __len__(self) -> int:
        return len(self.target)


@dataclass(frozen=True, eq=False)  # a law that has no fields to tell it by is equal to itself alone
class World(ABC):
    """A law of rows. The risk of a model is its error rate for classes 0 and 1, its mean squared error for numbers."""

    kind: ClassVar[Kind] = "classes"
    independent: ClassVar[bool] = True  # whether rows are drawn one by one, so that their order tells nothing

    @property
    def best(self) -> float:
        """The risk that no model can go below."""
        return self.best_truth.value

    @property
    @abstractmethod
    def best_truth(self) -> Truth:
        """The same, with its error where a large sample stands for all rows."""

    @abstractmethod
    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample: ...

    def draw(self, rows: int, seed: int = 0) -> Sample:
        """Rows to learn from; the same seed gives the same ones."""
        whole_number("rows", rows)
        return self._draw_rows(rows, generator(seed, "world", rows))

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """Rows that models meet when they are used: each by itself, as it comes next."""
        return self.draw(rows, seed)

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        """What predictions of fresh rows lose; on average over the target, where the features tell its law."""
        missed = predicted - fresh.target
        return missed != 0 if self.kind == "classes" else missed**2

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """The risk of one fitted model on new rows: in closed form where there is one, else on so many fresh ones."""
        fresh = self.fresh(rows, seed)
        return float(np.mean(self.losses(model.predict(fresh.features.copy()), fresh)))

    @property
    def score(self) -> str:
        """The score that the risk is the expectation of."""
        return "error" if self.kind == "classes" else "mse"

    @property
    def digest(self) -> str:
        """What the name of a world does not tell of it, such as the rows that it is made of, for keys of a store."""
        return ""


class ChanceWorld(World):
    """Classes 0 and 1, of which the features of a fresh row tell the chance."""

    @abstractmethod
    def chance(self, features: Array) -> Array:
        """Of class 1, for rows of features; more axes may lead."""

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        return np.abs(predicted - self.chance(fresh.features))

    @property
    def best_truth(self) -> Truth:
        return best_by_chance(self)


class FeaturesFirst(ChanceWorld):
    """Features are drawn, and then the class of each row by its chance."""

    @abstractmethod
    def _draw_features(self, rows: int, random: np.random.Generator) -> Array: ...

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        features = self._draw_features(rows, random)
        return Sample(features, (random.random(rows) < self.chance(features)).astype(np.int64))


@lru_cache
def best_by_chance(world: ChanceWorld) -> Truth:
    """The rarer class is always missed."""
    chance = world.chance(world.fresh(FRESH).features)
    return Truth.mean_of(np.minimum(chance, 1 - chance))


class NumberWorld(World):
    """Numbers: a function of the features and noise of mean 0 that knows nothing of them."""

    kind: ClassVar[Kind] = "numbers"

    @property
    @abstractmethod
    def noise_variance(self) -> float:
        """The mean squared error that is left to the best model."""

    @abstractmethod
    def expected(self, features: Array) -> Array:
        """The mean target of rows with these features; more axes may lead."""

    @abstractmethod
    def _draw_features(self, rows: int, random: np.random.Generator) -> Array: ...

    @abstractmethod
    def _draw_noise(self, rows: int, random: np.random.Generator) -> Array: ...

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        features = self._draw_features(rows, random)
        return Sample(features, self.expected(features) + self._draw_noise(rows, random))

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        away: Array = (predicted - self.expected(fresh.features)) ** 2
        return away + self.noise_variance

    @property
    def best_truth(self) -> Truth:
        return Truth(self.noise_variance)


def check_between(name: str, value: Any, low: float, high: float) -> None:
    """Refuse a number that does not lie strictly between two others."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value < high:
        raise BadInput(f"{name} lies between {low:g} and {high:g}, not {value!r}")


def check_share_below(name: str, value: Any, most: float) -> None:
    """Refuse what is no share from 0 to below another one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < most:
        raise BadInput(f"{name} is at least 0 and less than {most:g}, not {value!r}")


def check_not_negative(name: str, value: Any) -> None:
    """Refuse what is no number of 0 or more."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise BadInput(f"{name} is a number of 0 or more, not {value!r}")


def check_some_of(name: str, some: Any, features: Any) -> None:
    """Refuse more features that matter than there are."""
    if whole_number(name, some) > whole_number("features", features):
        raise BadInput(f"{name}={some} of {features} features cannot be: ask for at most {features}")
