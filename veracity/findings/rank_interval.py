"""How sure the rank of a learner is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from veracity.tables.cells import align_decimals


@dataclass(frozen=True)
class RankInterval:
    """Limits of the expected rank of a learner on a data set, and the places that it may have among all learners."""

    low: float
    high: float
    first: int | None  # the best place that pairs leave it; None where not all pairs were tested
    last: int | None
    level: float

    def cells(self) -> dict[str, Any]:
        """By heading, for the table of learners."""
        low, high = align_decimals(self.low, self.high)
        place = "" if self.first is None else f"{self.first} to {self.last}"
        return {"rank low": low, "rank high": high, "place": place}


def rank_intervals_json(intervals: dict[str, RankInterval]) -> dict[str, Any]:
    """Nothing where none were asked for."""
    return {"rank_intervals": {name: asdict(one) for name, one in intervals.items()}} if intervals else {}
