"""Worlds, data-generating processes in which the truth is known: what each kind declares, and how one is named.

A `World` draws rows to learn from; an `EvidenceWorld` what a model did on rows; a `PairWorld` what two did; a
`FamilyWorld` scores of several learners on data sets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.errors import BadInput, VeracityError
from veracity.core.seeds import generator
from veracity.core.words import brief
from veracity.designs.parameters import whole_number
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import Array
from veracity.risk.estimates import score as score_of

LEARNERS, EFFECTS = "`learners=`", "`effects=`"
FRESH = 200_000  # rows that stand for all, where the risk of a model has no closed form
Kind = Literal["classes", "numbers"]
Random = np.random.Generator


@dataclass(frozen=True, eq=False, repr=False)
class WorldRule(Entry):
    """`function(**parameters)` makes a world, a frozen description from which anything can be drawn."""

    kind: ClassVar[str] = "world"
    plain_types: ClassVar[bool] = True


world = WorldRule.decorator  # of a class of worlds, under the name that is typed
worlds: Catalogue[WorldRule] = Catalogue("veracity.lab", WorldRule)


def make_world(text: str) -> Any:
    """Return the world that a text stands for."""
    choice = worlds.choose(text)
    return choice.function()


def named_world(asked: Any, *kinds: type) -> tuple[Any, str]:
    """Return the world that a text stands for, or a user's own world, and what results call it."""
    found: Any = asked
    name = repr(asked)
    if isinstance(asked, str):
        found, name = make_world(asked), worlds.label(asked)
    if not isinstance(found, kinds):
        says = "does not give what is asked about" if isinstance(asked, str) else "is none"
        such = "two_gaussians(distance=2)" if World in kinds else "shares(share=0.3)"
        raise BadInput(f"the world {brief(name)} {says}: take one such as '{such}'")
    rule = next((rule for rule in worlds if rule.function is type(found)), None)
    if isinstance(asked, str) or rule is None:
        return found, name
    return found, str(rule.choose(**{one.name: getattr(found, one.name) for one in rule.parameters}))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_between(name: str, value: Any, low: float, high: float, open_ends: bool = False) -> None:
    """Refuse a parameter of a world outside of its bounds, or on them where these are open."""
    if not (_is_number(value) and low <= value <= high) or (open_ends and value in (low, high)):
        raise BadInput(f"{name} lies between {low:g} and {high:g}, not {value!r}")


def check_not_negative(name: str, value: Any) -> None:
    """Refuse a parameter that is no finite number of 0 or more."""
    if not (_is_number(value) and 0 <= value < math.inf):
        raise BadInput(f"{name} is a number of 0 or more, not {value!r}")


def check_below(name: str, value: Any, limit: float) -> None:
    """Refuse a parameter that is negative, or not less than a limit."""
    if not (_is_number(value) and 0 <= value < limit):
        raise BadInput(f"{name} is at least 0 and less than {limit:g}, not {value!r}")


def bounded(default: float, low: float, high: float, open_ends: bool = False) -> Any:
    """Declare a number between two bounds, or strictly between them, as a field of a world."""
    return field(default=default, metadata={"check": partial(check_between, low=low, high=high, open_ends=open_ends)})


def not_negative(default: float) -> Any:
    """Declare a finite number of 0 or more as a field of a world."""
    return field(default=default, metadata={"check": check_not_negative})


def proportion(default: float, below: float) -> Any:
    """Declare a proportion that is less than a limit as a field of a world."""
    return field(default=default, metadata={"check": partial(check_below, limit=below)})


def count(default: int, least: int = 1) -> Any:
    """Declare a whole number of at least 1, or of `least`, as a field of a world."""
    return field(default=default, metadata={"check": partial(whole_number, least=least)})


class Process:
    """A data-generating process, whose fields are checked when it is made."""

    def __post_init__(self) -> None:
        kinds = [kind for kind in reversed(type(self).__mro__) if is_dataclass(kind)]
        parameters = [parameter for kind in kinds for parameter in fields(kind) if "check" in parameter.metadata]
        # a subclass that gives another default keeps the check
        for name, check in {parameter.name: parameter.metadata["check"] for parameter in parameters}.items():
            check(name, getattr(self, name))


class Truth(NamedTuple):
    """A value of all rows there are, and its standard error: 0 by formula."""

    value: float
    error: float = 0.0

    @classmethod
    def mean_of(cls, values: Array) -> Truth:
        """Return the mean of independent values."""
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


@dataclass(frozen=True, eq=False)  # a process without fields to tell it by is equal to itself alone
class World(Process, ABC):
    """A process of rows. The risk of a model is its error rate for classes, its mean squared error for numbers."""

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
    def _draw_rows(self, rows: int, random: Random) -> Sample: ...

    def draw(self, rows: int, seed: int = 0) -> Sample:
        """Return rows to learn from; the same seed gives the same ones."""
        whole_number("rows", rows)
        return self._draw_rows(rows, generator(seed, "world", rows))

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """Return rows that models meet when they are used: each by itself, as it comes next."""
        return self.draw(rows, seed)

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        """Return the loss of each prediction of a fresh row, over all its targets where the features tell their law."""
        missed = predicted - fresh.target
        return missed != 0 if self.kind == "classes" else missed**2

    def risk(self, model: Any, rows: int = FRESH, seed: int = 1) -> float:
        """Return the risk of a fitted model on new rows: by formula where there is one, else on `rows` fresh ones."""
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
    """Classes 0 and 1, of which the features of a fresh row tell the probability."""

    @abstractmethod
    def chance(self, features: Array) -> Array:
        """Return the probability of class 1 for rows of features; more axes may lead."""

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        return np.abs(predicted - self.chance(fresh.features))

    @property
    def best_truth(self) -> Truth:
        return best_by_chance(self)


@lru_cache
def best_by_chance(world: ChanceWorld) -> Truth:
    """Return the risk of a model that always names the likelier class."""
    chance = world.chance(world.fresh(FRESH).features)
    return Truth.mean_of(np.minimum(chance, 1 - chance))


class FeaturesFirst(ChanceWorld):
    """Features are drawn, and then the class of each row by its probability."""

    @abstractmethod
    def _draw_features(self, rows: int, random: Random) -> Array: ...

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        features = self._draw_features(rows, random)
        return Sample(features, (random.random(rows) < self.chance(features)).astype(np.int64))


class NumberWorld(World):
    """Numbers: a function of the features plus independent noise of mean 0, normal unless a world says otherwise."""

    kind: ClassVar[Kind] = "numbers"
    noise: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_not_negative("noise", self.noise)

    @property
    def noise_variance(self) -> float:
        """The mean squared error that is left to the best model."""
        return self.noise**2

    @abstractmethod
    def expected(self, features: Array) -> Array:
        """Return the mean target of rows with these features; more axes may lead."""

    @abstractmethod
    def _draw_features(self, rows: int, random: Random) -> Array: ...

    def _draw_noise(self, rows: int, random: Random) -> Array:
        return self.noise * random.normal(size=rows)

    def _draw_rows(self, rows: int, random: Random) -> Sample:
        features = self._draw_features(rows, random)
        return Sample(features, self.expected(features) + self._draw_noise(rows, random))

    def losses(self, predicted: Array, fresh: Sample) -> Array:
        away: Array = (predicted - self.expected(fresh.features)) ** 2
        return away + self.noise_variance

    @property
    def best_truth(self) -> Truth:
        return Truth(self.noise_variance)


class EvidenceWorld(Process, ABC):
    """A process of what a model did on rows; `truths` are the values that its scores have on all rows there are."""

    score: ClassVar[str]  # that is asked for where none is named

    @property
    def truths(self) -> dict[str, float]:
        """The true values by score, where they have a closed form."""
        return {}

    @abstractmethod
    def draw(self, rows: int, random: Random) -> Any:
        """Return evidence of so many rows."""

    def population(self) -> Any:
        """Return evidence that stands for all rows there are, each kind with its share; None where there is none."""
        return None

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        """Yield all evidence that so many rows can give, with its probability; nothing if it cannot be enumerated."""
        return iter(())

    def truth(self, score: str) -> float:
        """Return the value of a score on all rows there are."""
        return self.truths[score] if score in self.truths else _population_truth(self, score)


@lru_cache(maxsize=256)
def _population_truth(world: EvidenceWorld, score: str) -> float:
    whole = world.population()
    if whole is None:
        raise BadInput(f"this world knows the value of {', '.join(world.truths)}, not of {score}")
    try:
        found = float(score_of(whole, score))
    except VeracityError as why:
        raise BadInput(f"this world does not know the value of {score}: {why.says}") from None
    if not math.isfinite(found):
        raise BadInput(f"{score} has no value in this world")
    return found


class PairWorld(Process, ABC):
    """A process of what two models, or two learners, did: a draw is what `compare` takes.

    `effect` is the score of the first less that of the second on all rows there are.
    """

    score: ClassVar[str | None]
    better: ClassVar[str] = "lower"  # the direction of the score
    enumerates: ClassVar[type | None] = None  # what a method must read to be asked of `outcomes`
    effect: float

    @abstractmethod
    def draw(self, rows: int, random: Random) -> Any:
        """Return evidence of so many rows."""

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        """Yield all evidence that so many rows can give; without `told_apart`, only what tests of two models read."""
        return iter(())


class FamilyWorld(Process, ABC):
    """A process of the scores of several learners on data sets, in which it is known who differs."""

    effect: float

    @property
    @abstractmethod
    def levels(self) -> tuple[float, ...]:
        """The true mean of each learner: those with the same are equal."""

    @abstractmethod
    def draw(self, rows: int, random: Random) -> ScoreMatrix:
        """Return scores on so many data sets."""

    def outcomes(self, rows: int) -> Iterator[tuple[float, ScoreMatrix]]:
        """Yield all that so many data sets can give, where it can be enumerated."""
        return iter(())

    def differ(self, a: str, b: str) -> bool:
        """Return whether two learners, named by their place, are not the same."""
        levels = dict(zip(names_of_learners(len(self.levels)), self.levels, strict=True))
        return levels[a] != levels[b]


def names_of_learners(number: int) -> tuple[str, ...]:
    """Return what worlds call the learners."""
    return tuple(f"learner {place + 1}" for place in range(number))


def with_effect(world: Any, effect: float) -> Any:
    """Return the same world in which the first differs by so much."""
    if not hasattr(world, "effect"):
        raise BadInput(f"in this world nothing can differ: leave out {EFFECTS}")
    return replace(world, effect=effect)


def check_some_of(name: str, some: Any, features: Any) -> None:
    """Refuse more features that matter than there are."""
    if whole_number(name, some) > whole_number("features", features):
        raise BadInput(f"{name}={some} of {features} features cannot be: ask for at most {features}")
