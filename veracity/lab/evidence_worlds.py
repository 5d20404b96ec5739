"""Worlds that evidence is drawn from without a learner, and in which what a method should say is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput, VeracityError
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.lab.entry import EFFECTS
from veracity.risk.estimates import score as score_of


class EvidenceWorld(ABC):
    """A law of what a model did on rows; `truths` are the values that its scores have on all rows there are."""

    score: ClassVar[str]  # that is asked for where none is named

    @property
    def truths(self) -> dict[str, float]:
        """The true values by score, where they have a closed form."""
        return {}

    @abstractmethod
    def draw(self, rows: int, random: np.random.Generator) -> Any:
        """Evidence of so many rows."""

    def population(self) -> Any:
        """Evidence that stands for all rows there are, each kind with its share; None where there is none."""
        return None

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        """All evidence that so many rows can give, with its probability; nothing where it cannot be enumerated."""
        return iter(())

    def truth(self, score: str) -> float:
        """The value of a score on all rows there are."""
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
    if not isfinite(found):
        raise BadInput(f"{score} has no value in this world")
    return found


class PairWorld(ABC):
    """A law of what two models, or two learners, did: a draw is what `compare` takes.

    `effect` is the score of the first less that of the second on all rows there are.
    """

    score: ClassVar[str | None]
    better: ClassVar[str] = "lower"  # the direction of the score
    enumerates: ClassVar[type | None] = None  # what a method must read to be asked of `outcomes`
    effect: float

    @abstractmethod
    def draw(self, rows: int, random: np.random.Generator) -> Any:
        """Evidence of so many rows."""

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        """All evidence that so many rows can give; without `told_apart`, only what tests of two models read of it."""
        return iter(())


class FamilyWorld(ABC):
    """A law of the scores of several learners on data sets, in which it is known who differs."""

    effect: float

    @property
    @abstractmethod
    def levels(self) -> tuple[float, ...]:
        """The true mean of each learner: those with the same are equal."""

    @abstractmethod
    def draw(self, rows: int, random: np.random.Generator) -> ScoreMatrix:
        """Scores on so many data sets."""

    def outcomes(self, rows: int) -> Iterator[tuple[float, ScoreMatrix]]:
        """All that so many data sets can give, where it can be enumerated."""
        return iter(())

    def differ(self, a: str, b: str) -> bool:
        """Whether two learners, named by their place, are not the same."""
        levels = dict(zip(names_of_learners(len(self.levels)), self.levels, strict=True))
        return levels[a] != levels[b]


def names_of_learners(number: int) -> tuple[str, ...]:
    """What worlds call the learners."""
    return tuple(f"learner {place + 1}" for place in range(number))


def with_effect(world: Any, effect: float) -> Any:
    """The same world in which the first differs by so much."""
    if not hasattr(world, "effect"):
        raise BadInput(f"in this world nothing can differ: leave out {EFFECTS}")
    return replace(world, effect=effect)
