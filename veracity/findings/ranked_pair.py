"""Two learners of a ranking and what their test says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.findings.effect import EffectSize
from veracity.findings.estimate import finite
from veracity.tables.cells import align_decimals


@dataclass(frozen=True)
class RankedPair:
    """Two learners: their difference (a minus b) in what the pairs are judged by, and how sure it is."""

    a: str
    b: str
    difference: float
    statistic: float | None
    p_value: float
    adjusted_p_value: float
    rejected: bool
    low: float | None = None  # of the difference, one pair alone, where the test has an interval
    high: float | None = None
    effects: tuple[EffectSize, ...] = ()  # where asked for
    sums: tuple[float, float] | None = None  # of ranks by sign, W+ and W-, where the test has them

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "a": self.a,
            "b": self.b,
            "difference": finite(self.difference),
            "statistic": finite(self.statistic),
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "rejected": self.rejected,
        }
        if self.low is not None and self.high is not None:
            shape.update(low=finite(self.low), high=finite(self.high))
        if self.sums is not None:
            shape.update(zip(("w_plus", "w_minus"), self.sums, strict=True))
        if self.effects:
            shape["effects"] = {one.method: one.to_json() for one in self.effects}
        return shape

    def cells(self, limits: bool, sums: bool) -> tuple[Any, ...]:
        """Difference, statistic, p-values and verdict for a table, whose other pairs may have `limits` and `sums`."""
        difference, low, high = align_decimals(self.difference, self.low, self.high)
        between = (low, high) if limits else ()
        by_sign = (self.sums or (None, None)) if sums else ()
        verdict = "differ" if self.rejected else "not resolved"
        return (difference, *between, self.statistic, *by_sign, self.p_value, self.adjusted_p_value, verdict)
