"""A standardised effect size beside a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.findings.estimate import finite


@dataclass(frozen=True)
class EffectSize:
    """How large a difference is without a unit, with its interval where it has one."""

    method: str
    value: float
    low: float | None
    high: float | None
    level: float

    def to_json(self) -> dict[str, Any]:
        limits = {"low": finite(self.low), "high": finite(self.high), "level": self.level}
        return {"value": finite(self.value), **limits}

    @property
    def numbers(self) -> str:
        """The value and its limits, as a cell of a table holds them."""
        between = "" if self.low is None or self.high is None else f" [{self.low:.3g}, {self.high:.3g}]"
        return f"{self.value:.3g}{between}"

    def __str__(self) -> str:
        return f"{self.method} {self.numbers}"


def effect_cells(sizes: tuple[EffectSize, ...], methods: tuple[str, ...]) -> tuple[str | None, ...]:
    """What each of these methods found, one cell for each."""
    cells = {one.method: one.numbers for one in sizes}
    return tuple(cells.get(method) for method in methods)
