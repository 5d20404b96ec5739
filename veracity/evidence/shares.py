"""Two shares of rows from different rows."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.core.notes import Note, unique
from veracity.evidence.proportion import Proportion


@dataclass(frozen=True)
class Shares:
    """The same score, a share of rows, of two models that were tried on different rows."""

    first: Proportion
    second: Proportion
    same: bool = False  # whether the rows are in truth the same ones

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must be said of rows that are not plain ones."""
        return unique(self.first.notes + self.second.notes)

    @property
    def difference(self) -> float:
        return self.first.share - self.second.share
