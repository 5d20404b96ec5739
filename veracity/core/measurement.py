"""What simulation found of a method: a share of the trials in one world, with its error."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar, TypeVar

M = TypeVar("M", bound="Measurement")


@dataclass(frozen=True, kw_only=True)
class Measurement(ABC):
    """How often something happened in simulated samples of one world."""

    noun: ClassVar[str]  # what the share is called

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

    @property
    @abstractmethod
    def figure(self) -> float:
        """The share of the trials that were not refused."""

    @property
    @abstractmethod
    def level_text(self) -> str:
        """The level, as the field writes it."""

    @property
    def subject(self) -> str:
        """What the method was about, where that differs from world to world."""
        return ""

    @property
    def what(self) -> str:
        """What the figure is."""
        return f"{self.noun} at {self.level_text}" + (f" of {self.subject}" if self.subject else "")

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the figure."""
        return float((self.figure * (1 - self.figure) / max(self.trials * (1 - self.refused), 1)) ** 0.5)

    @property
    def text(self) -> str:
        """The figure with its error."""
        return f"{self.figure:.1%} +- {self.error:.1%}{self.besides}"

    @property
    def besides(self) -> str:
        """What is told after the figure: how many samples had no answer, and how many one with a caution."""
        refused = f", refused {self.refused:.1%}" if self.refused else ""
        cautioned = f", cautioned {self.cautioned:.1%}" if self.cautioned else ""
        without = f" ({self.silent:.1%} without a caution)" if cautioned and self.silent is not None else ""
        return refused + cautioned + without

    @property
    def silent_error(self) -> float:
        """Monte Carlo standard error of the figure of answers without a caution."""
        answers = self.trials * (1 - self.refused) * (1 - self.cautioned)
        return 0.0 if self.silent is None else float((self.silent * (1 - self.silent) / max(answers, 1)) ** 0.5)

    def to_json(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "world": self.world,
            "rows": self.rows,
            "by": self.by or None,
            "what": self.what,
            "figure": self.figure,
            "error": self.error,
            "refused": self.refused,
            "cautioned": self.cautioned,
            "silent": self.silent,
            "trials": self.trials,
        }


def read_measurements(kind: type[M], package: str) -> tuple[M, ...]:
    """The measurements that lie beside the methods, in as many files as programs wrote them."""
    sources = sorted(files(package).joinpath("measured").iterdir(), key=lambda file: file.name)
    return tuple(kind(**row) for file in sources for row in json.loads(file.read_text("utf-8"))["measured"])
