"""How often each interval held the truth in simulated samples, as `bench.figures` measured it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from veracity.core.measurement import Measurement, read_measurements

LEAST = 0.93  # coverage that a default must have


@dataclass(frozen=True, kw_only=True)
class Coverage(Measurement):
    """How often the interval held the truth of one simulated world."""

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
    def figure(self) -> float:
        return self.covered

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
        return self.covered + 2 * self.error >= LEAST

    def __str__(self) -> str:
        held = f"held {self.covered:.1%} at {self.level_text}"
        return f"{self.method} of {self.score}, {self.setting}, {self.rows} rows: {held}{self.besides}"


@cache
def all_coverage() -> tuple[Coverage, ...]:
    """Every measurement there is."""
    return read_measurements(Coverage, "veracity.intervals")


@cache
def coverage_of(name: str) -> tuple[Coverage, ...]:
    """What was measured of one interval method; empty where nothing was."""
    return tuple(row for row in all_coverage() if row.method.split("(")[0] == name)
