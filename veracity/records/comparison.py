"""The answer to: is one model really better than another?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.records.estimate import finite
from veracity.records.interval import Interval


@dataclass(frozen=True)
class Comparison:
    """A difference (first minus second) with its interval, the test's numbers, and one plain sentence."""

    score: str
    using: str
    a: str
    b: str
    difference: float
    interval: Interval | None
    p_value: float
    statistic: float | None = None
    df: float | None = None
    n01: int | None = None  # rows a gets wrong and b right
    n10: int | None = None  # rows a gets right and b wrong
    better: str = "lower"
    notes: tuple[Note, ...] = ()

    @property
    def level(self) -> float:
        return self.interval.level if self.interval else 0.95

    def __str__(self) -> str:
        direction = "lower" if self.difference < 0 else "higher"
        quality = "better" if direction == self.better else "worse"
        size = (
            f"the {self.score} of {self.a} is {abs(self.difference):.4g} {direction} ({quality}) than that of {self.b}"
        )
        if self.difference == 0:
            size = f"the {self.score} of {self.a} equals that of {self.b}"
        between = f", {self.level:.0%} interval {self.interval} of the difference" if self.interval else ""
        verdict = "a real difference" if self.p_value < 1 - self.level else "not enough to conclude that they differ"
        return f"{size[0].upper()}{size[1:]}{between}; p = {self.p_value:.3g} ({self.using}): {verdict}."

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity compare --json`."""
        found = self.interval
        return {
            "score": self.score,
            "using": self.using,
            "a": self.a,
            "b": self.b,
            "difference": finite(self.difference),
            "low": finite(found.low) if found else None,
            "high": finite(found.high) if found else None,
            "level": self.level,
            "statistic": None if self.statistic is None else finite(self.statistic),
            "p_value": self.p_value,
            "df": self.df,
            "n01": self.n01,
            "n10": self.n10,
            "notes": [note.to_json() for note in self.notes],
        }
