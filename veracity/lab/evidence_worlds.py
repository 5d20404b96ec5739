"""Worlds that evidence of one model is drawn from, without a learner, and in which the value of its score is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import pi, sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.from_counts import errors
from veracity.evidence.make_predictions import predictions
from veracity.lab.entry import world


class EvidenceWorld(ABC):
    """A law of what a model did on rows; `truths` are the values that its scores have on all rows there are."""

    score: ClassVar[str]  # that is asked for where none is named

    @property
    @abstractmethod
    def truths(self) -> dict[str, float]:
        """The true values by score."""

    @abstractmethod
    def draw(self, rows: int, random: np.random.Generator) -> Any:
        """Evidence of so many rows."""

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        """All evidence that so many rows can give, with its probability; nothing where it cannot be enumerated."""
        return iter(())

    def truth(self, score: str) -> float:
        """The value of a score on all rows there are."""
        if score not in self.truths:
            raise BadInput(f"this world knows the value of {', '.join(self.truths)}, not of {score}")
        return self.truths[score]


@dataclass(frozen=True, kw_only=True)
class Shares(EvidenceWorld):
    """Errors of a model that errs on a given share of all rows: every number of errors, with its probability."""

    score: ClassVar[str] = "error"
    share: float = 0.3

    def __post_init__(self) -> None:
        _between("share", self.share, 0, 1)

    @property
    def truths(self) -> dict[str, float]:
        return {"error": self.share, "accuracy": 1 - self.share}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        return errors(int(random.binomial(rows, self.share)), of=rows)

    def outcomes(self, rows: int) -> Iterator[tuple[float, Any]]:
        from scipy.stats import binom

        probabilities = binom.pmf(np.arange(rows + 1), rows, self.share)
        return ((float(p), errors(k, of=rows)) for k, p in enumerate(probabilities))


@dataclass(frozen=True, kw_only=True)
class NormalValues(EvidenceWorld):
    """Decision values, normal in both classes: those of positive rows lie `distance` standard deviations higher."""

    score: ClassVar[str] = "auc"
    distance: float = 1.0
    positives: float = 0.5

    def __post_init__(self) -> None:
        _between("distance", self.distance, 0, 10)
        _between("positives", self.positives, 0, 1, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"auc": NormalDist().cdf(self.distance / sqrt(2))}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        positive = random.random(rows) < self.positives
        positive[:2] = (True, False)  # an ordering is of both classes
        return predictions(positive.astype(int), value=random.normal(size=rows) + self.distance * positive, positive=1)


@dataclass(frozen=True, kw_only=True)
class NormalErrors(EvidenceWorld):
    """Predictions of numbers, whose errors are normal around `bias` with unit variance."""

    score: ClassVar[str] = "mse"
    bias: float = 0.0

    def __post_init__(self) -> None:
        _between("bias", self.bias, -100, 100)

    @property
    def truths(self) -> dict[str, float]:
        normal = NormalDist()
        absolute = sqrt(2 / pi) * np.exp(-(self.bias**2) / 2) + self.bias * (1 - 2 * normal.cdf(-self.bias))
        return {"mse": 1 + self.bias**2, "mae": float(absolute)}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + self.bias + random.normal(size=rows))


@dataclass(frozen=True, kw_only=True)
class HeavyErrors(EvidenceWorld):
    """Predictions of numbers, whose errors follow Student's t: the fewer its degrees of freedom, the heavier."""

    score: ClassVar[str] = "mse"
    df: float = 5.0

    def __post_init__(self) -> None:
        _between("df", self.df, 2, 1000, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"mse": self.df / (self.df - 2)}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + random.standard_t(self.df, rows))


shares = world("Errors at a given rate", name="shares")(Shares)
normal_values = world("Normal decision values", name="normal_values")(NormalValues)
normal_errors = world("Normal errors of numbers", name="normal_errors")(NormalErrors)
heavy_errors = world("Heavy-tailed errors of numbers", name="heavy_errors")(HeavyErrors)


def _between(name: str, value: Any, low: float, high: float, open_ends: bool = False) -> None:
    inside = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
    if not inside or (open_ends and value in (low, high)):
        raise BadInput(f"{name} lies between {low:g} and {high:g}, not {value!r}")
