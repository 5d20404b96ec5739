"""How often each test rejects where nothing differs, as `python -m bench.errors` measured it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class ErrorRate:
    """One simulated world without a difference, and how often the test found one there."""

    method: str  # with the parameters it was tried with
    world: str  # what the scores were drawn from
    level: float
    rejected: float
    trials: int
    refused: float = 0.0  # share of the trials in which the method gives no p-value

    @property
    def error(self) -> float:
        """Monte Carlo standard error of `rejected`."""
        given = max(self.trials * (1 - self.refused), 1)
        return float((self.rejected * (1 - self.rejected) / given) ** 0.5)

    @property
    def figure(self) -> str:
        return f"{self.rejected:.1%} +- {self.error:.1%}"

    def __str__(self) -> str:
        text = f"{self.method}, {self.world}: rejects {self.figure} at .{round(100 * (1 - self.level)):02d}"
        text += f" ({self.trials} simulations)"
        return text if not self.refused else f"{text}, refused {self.refused:.1%}"


@cache
def _measured() -> tuple[ErrorRate, ...]:
    text = files("veracity.comparisons").joinpath("measured_errors.json").read_text("utf-8")
    return tuple(ErrorRate(**row) for row in json.loads(text)["measured"])


def of(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of one test; empty where nothing was."""
    return tuple(row for row in _measured() if row.method.split("(")[0] == name)


def worst(name: str) -> ErrorRate | None:
    """The world in which a test errs most often."""
    return max(of(name), key=lambda row: row.rejected, default=None)
