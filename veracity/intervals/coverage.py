"""How often each interval held the truth in simulated samples, as `python -m bench.coverage` measured it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Coverage:
    """One simulated world and how often the interval held its truth there."""

    method: str  # with the parameters it was tried with
    score: str
    world: str  # what the rows were drawn from
    rows: int
    level: float
    covered: float
    trials: int
    refused: float = 0.0  # share of the samples for which the method gives no interval

    @property
    def error(self) -> float:
        """Monte Carlo standard error of `covered`."""
        return (self.covered * (1 - self.covered) / max(self.trials * (1 - self.refused), 1)) ** 0.5

    def __str__(self) -> str:
        world = f"{self.method} of {self.score}, {self.world}, {self.rows} rows"
        text = f"{world}: held {self.covered:.1%} at {self.level:.0%}"
        return text if not self.refused else f"{text}, refused {self.refused:.1%}"


@cache
def _measured() -> tuple[Coverage, ...]:
    text = files("veracity.intervals").joinpath("measured_coverage.json").read_text("utf-8")
    return tuple(Coverage(**row) for row in json.loads(text)["measured"])


def of(name: str) -> tuple[Coverage, ...]:
    """What was measured of one interval method; empty where nothing was."""
    return tuple(row for row in _measured() if row.method.split("(")[0] == name)
