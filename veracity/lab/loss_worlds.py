"""Worlds of one model's errors of numbers and losses: normal, heavy and skewed."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.evidence.make_predictions import predictions
from veracity.lab.entry import check_between, world
from veracity.lab.evidence_worlds import EvidenceWorld


@dataclass(frozen=True, kw_only=True)
class NormalErrors(EvidenceWorld):
    """Predictions of numbers, whose errors are normal around `bias` with unit variance; the truth is normal too."""

    score: ClassVar[str] = "mse"
    bias: float = 0.0

    def __post_init__(self) -> None:
        check_between("bias", self.bias, -100, 100)

    @property
    def truths(self) -> dict[str, float]:
        normal = NormalDist()
        absolute = sqrt(2 / pi) * np.exp(-(self.bias**2) / 2) + self.bias * (1 - 2 * normal.cdf(-self.bias))
        squared = 1 + self.bias**2
        known = {"mse": squared, "mae": float(absolute), "rmse": sqrt(squared)}
        known |= {"r2": 1 - squared, "correlation": sqrt(0.5)}
        return known | ({} if self.bias else {"median_absolute_error": normal.inv_cdf(0.75)})

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + self.bias + random.normal(size=rows))


@dataclass(frozen=True, kw_only=True)
class HeavyErrors(EvidenceWorld):
    """Predictions of numbers, whose errors follow Student's t: the fewer its degrees of freedom, the heavier."""

    score: ClassVar[str] = "mse"
    df: float = 5.0

    def __post_init__(self) -> None:
        check_between("df", self.df, 2, 1000, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"mse": self.df / (self.df - 2)}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        truth = random.normal(size=rows)
        return predictions(truth, number=truth + random.standard_t(self.df, rows))


@dataclass(frozen=True, kw_only=True)
class SkewedLosses(EvidenceWorld):
    """Losses of rows that follow a gamma law of mean 1: the smaller its `shape`, the more skewed."""

    score: ClassVar[str] = "mean"
    shape: float = 1.0

    def __post_init__(self) -> None:
        check_between("shape", self.shape, 0, 1000, open_ends=True)

    @property
    def truths(self) -> dict[str, float]:
        return {"mean": 1.0}

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        return predictions(loss=random.gamma(self.shape, 1 / self.shape, rows))


normal_errors = world("Normal errors of numbers", name="normal_errors")(NormalErrors)
heavy_errors = world("Heavy-tailed errors of numbers", name="heavy_errors")(HeavyErrors)
skewed_losses = world("Skewed losses", name="skewed_losses")(SkewedLosses)
