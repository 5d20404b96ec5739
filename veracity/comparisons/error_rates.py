"""How often each test rejects where nothing differs, as `bench.errors` and `bench.defaults` measured it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from veracity.core.measurement import Measurement, read_measurements


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Measurement):
    """How often the test found a difference in one simulated world without one."""

    noun: ClassVar[str] = "error rate"

    rejected: float
    splits: str = ""  # the design in words
    score: str = ""  # what models were compared by

    @property
    def subject(self) -> str:
        return self.score

    @property
    def figure(self) -> float:
        return self.rejected

    @property
    def level_text(self) -> str:
        return f".{round(100 * (1 - self.level)):02d}"

    @property
    def what(self) -> str:
        return f"{super().what} where nothing differs"

    @property
    def setting(self) -> str:
        """The design and the world."""
        return f"{self.splits} of {self.rows} rows, {self.world}" if self.splits else self.world

    def __str__(self) -> str:
        rejects = f"rejects {self.rejected:.1%} +- {self.error:.1%} at {self.level_text}"
        by = f" of {self.score}" if self.score else ""
        return f"{self.method}{by}, {self.setting}: {rejects} ({self.trials} simulations){self.besides}"


@cache
def all_error_rates() -> tuple[ErrorRate, ...]:
    """Every measurement there is."""
    return read_measurements(ErrorRate, "veracity.comparisons")


def error_rates_of(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of one test; empty where nothing was."""
    return tuple(row for row in all_error_rates() if row.method.split("(")[0] == name)


def worst_error_rate(name: str) -> ErrorRate | None:
    """The world in which a test errs most often."""
    return max(error_rates_of(name), key=lambda row: row.rejected, default=None)
