"""The rows that a model got most wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class WorstRow:
    """One row: its place, the user's id of it, the truth, what was said, and how wrong that was."""

    index: int
    row: Any
    truth: Any
    said: Any
    loss: float
    probability: float | None = None  # the one given to the truth, where there are probabilities


@dataclass(frozen=True)
class Worst:
    """Rows by falling loss, rows of equal loss in their own order; `loss` says what the loss is."""

    loss: str
    rows: tuple[WorstRow, ...]
    of: int  # all rows

    def __len__(self) -> int:
        return len(self.rows)
