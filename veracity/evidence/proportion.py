"""A share of rows, for the binomial intervals."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.core.notes import Note


@dataclass(frozen=True)
class Proportion:
    """`hits` among `rows`. Weighted or clustered rows count as the number of plain rows that would tell as much."""

    hits: float
    rows: float
    notes: tuple[Note, ...] = ()

    @property
    def share(self) -> float:
        return self.hits / self.rows

    @property
    def whole(self) -> bool:
        """Whether these are plain counts, as methods that enumerate outcomes need."""
        return float(self.hits).is_integer() and float(self.rows).is_integer()

    @property
    def misses(self) -> float:
        return self.rows - self.hits
