"""What simulation found of a method: a share of the trials in one world, with its error."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, TypeVar

M = TypeVar("M", bound="Measurement")
MIN_COVERAGE = 0.93  # coverage that a default interval must have
UNITS = {"data_sets": "data set", "equal_orders": "data set", "p_values": "p-value"}  # of worlds that draw no rows


@dataclass(frozen=True, kw_only=True)
class Measurement(ABC):
    """How often something happened in simulated samples of one world."""

    figure_field: ClassVar[str]  # what the figure is called in the files of measurements

    method: str  # with the parameters it was tried with
    world: str  # what was drawn
    rows: int | None = None  # of each sample
    by: str = ""  # the design of a learner
    level: float
    trials: int
    refused: float = 0.0  # share of the trials in which the method gives no answer
    default: bool = False  # whether it was asked for by nobody: what the public verb chose
    cautioned: float = 0.0  # share of the answers that came with a caution
    silent: float | None = None  # the figure of those that came without; None where there are none, or all did
    enumerated: bool = False  # whether it is exact: a sum over all that can happen
    worst: float | None = None  # of the worlds over which the figure is a mean
    spread: float | None = None  # the error, where the figure is no plain share of samples
    seed: int | None = None
    version: str = ""  # of veracity, that measured it

    @property
    @abstractmethod
    def noun(self) -> str:
        """What the share is called."""

    @property
    def figure(self) -> float:
        """The share of the trials that were not refused."""
        figure: float = getattr(self, self.figure_field)
        return figure

    @property
    @abstractmethod
    def level_text(self) -> str:
        """The level, as the field writes it."""

    @property
    def subject(self) -> str:
        """What the method was about, where that differs from world to world."""
        return ""

    @property
    def unit(self) -> str:
        """What `rows` counts."""
        return UNITS.get(self.world.partition("(")[0], "row")

    @property
    def what(self) -> str:
        """What the figure is."""
        return f"{self.noun} at {self.level_text}" + (f" of {self.subject}" if self.subject else "")

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the figure."""
        if self.spread is not None:
            return self.spread
        return 0.0 if self.enumerated else _standard_error(self.figure, self.trials * (1 - self.refused))

    @property
    def silent_error(self) -> float:
        """Monte Carlo standard error of the figure of answers without a caution."""
        answers = self.trials * (1 - self.refused) * (1 - self.cautioned)
        return 0.0 if self.silent is None else _standard_error(self.silent, answers)

    @property
    def text(self) -> str:
        """The figure with its error, then how many samples had no answer, and how many one with a caution."""
        return f"{self.share}{self.besides}"

    @property
    def share(self) -> str:
        """The figure in per cent with its error, which an exact one has not."""
        return f"{self.figure:.1%}" + ("" if self.enumerated else f" +- {self.error:.1%}")

    @property
    def besides(self) -> str:
        worst = f", at worst {self.worst:.1%}" if self.worst is not None else ""
        refused = f", refused {self.refused:.1%}" if self.refused else ""
        cautioned = f", cautioned {self.cautioned:.1%}" if self.cautioned else ""
        without = f" ({self.silent:.1%} without a caution)" if cautioned and self.silent is not None else ""
        return worst + refused + cautioned + without

    @property
    def counted(self) -> str:
        """How many samples there were, or outcomes."""
        return f"{self.trials} {'outcomes' if self.enumerated else 'simulations'}"

    def to_json(self) -> dict[str, Any]:
        names = ("method", "world", "rows", "by", "what", "figure", "error", "refused", "cautioned", "silent", "worst")
        return {**{name: getattr(self, name) for name in (*names, "trials")}, "by": self.by or None}


def _standard_error(share: float, answers: float) -> float:
    return float((share * (1 - share) / max(answers, 1)) ** 0.5)


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Measurement):
    """How often a test, or a family of them, claimed something in one simulated world.

    Where that is false it is an error rate, of a family the family-wise error or the false discovery rate; where it is
    true it is power.
    """

    figure_field = "rejected"

    noun: str = "error rate"
    rejected: float
    splits: str = ""  # the design in words
    score: str = ""  # what models were compared by

    @property
    def subject(self) -> str:
        return self.score

    @property
    def level_text(self) -> str:
        return f".{round(100 * (1 - self.level)):02d}"

    @property
    def what(self) -> str:
        return f"{super().what} where nothing differs" if self.noun == "error rate" else super().what

    @property
    def setting(self) -> str:
        """The design and the world."""
        rows = f", n = {self.rows}" if self.rows else ""
        return f"{self.splits} of {self.rows} rows, {self.world}" if self.splits else f"{self.world}{rows}"

    def __str__(self) -> str:
        told = "rejects" if self.noun == "error rate" else self.noun
        by = f" of {self.score}" if self.score else ""
        figure = f"{told} {self.share} at {self.level_text} ({self.counted})"
        return f"{self.method}{by}, {self.setting}: {figure}{self.besides}"


@dataclass(frozen=True, kw_only=True)
class Coverage(Measurement):
    """How often the interval held the truth of one simulated world."""

    figure_field = "covered"

    score: str
    covered: float
    above: float | None = None  # share of the intervals that lie above the truth
    below: float | None = None
    width: float | None = None  # mean
    target: str = ""  # the training rows at which a learner's risk is the truth; empty for a fixed model

    @property
    def noun(self) -> str:
        return "coverage"

    @property
    def level_text(self) -> str:
        return f"{self.level:.0%}"

    @property
    def subject(self) -> str:
        return f"{self.score} at {self.target}" if self.target else self.score

    @property
    def setting(self) -> str:
        """The world, and what was estimated in it."""
        return f"{self.world} by {self.by}, risk at {self.target}" if self.by else self.world

    @property
    def holds(self) -> bool:
        """Whether it is as much as a default must have, within two Monte Carlo errors."""
        return self.covered + 2 * self.error >= MIN_COVERAGE


@dataclass(frozen=True, kw_only=True)
class Bias(Measurement):
    """The mean estimate less the risk of the learner trained on all rows, in one simulated world."""

    figure_field = "bias"

    level: float = 0.0  # a bias has none
    bias: float
    truth: float  # the risk

    @property
    def noun(self) -> str:
        return "bias"

    @property
    def level_text(self) -> str:
        return f"a risk of {self.truth:.1%}"

    @property
    def what(self) -> str:
        return "bias: the mean estimate less the risk when trained on all rows"

    @property
    def text(self) -> str:
        return f"{self.bias:+.1%} +- {self.error:.1%} at {self.level_text}"


@cache
def read_measurements(kind: type[M], package: str) -> tuple[M, ...]:
    """Return all simulated figures that are stored beside the methods of a package."""
    sources = sorted(files(package).joinpath("measured").iterdir(), key=lambda file: file.name)
    return tuple(kind(**row) for file in sources for row in json.loads(file.read_text("utf-8"))["measured"])


def measurements_of(name: str, kind: type[M], package: str) -> tuple[M, ...]:
    """Return the simulated figures of one method, with whatever parameters it was tried.

    Families of tests are stored as a test of pairs and an adjustment, "mean_ranks then holm", and count for both.
    """
    return tuple(
        row
        for row in read_measurements(kind, package)
        if name in [part.split("(")[0] for part in row.method.split(" then ")]
    )
