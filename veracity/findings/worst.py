"""The rows that a model got most wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.findings.estimate import finite
from veracity.tables.cells import align_decimals
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

COLUMNS = (Column("row"), Column("truth", "left"), Column("said", "left"))
PROBABILITY = Column("probability of the truth")


@dataclass(frozen=True)
class WorstRow:
    """One row: its place, the user's id of it, the truth, what was said, and how wrong that was."""

    index: int
    row: Any
    truth: Any
    said: Any
    loss: float
    probability: float | None = None  # the one given to the truth, where there are probabilities


@dataclass(frozen=True, repr=False)
class Worst(RowsResult[WorstRow]):
    """Rows by falling loss, rows of equal loss in their own order; `loss` says what the loss is."""

    loss: str
    rows: tuple[WorstRow, ...]
    of: int  # all rows
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """Row, truth, what was said, the probability of the truth where there is one, and the loss."""
        with_chance = any(row.probability is not None for row in self.rows)
        columns = (*COLUMNS, PROBABILITY, Column(self.loss)) if with_chance else (*COLUMNS, Column(self.loss))
        cells = tuple(_cells(row, with_chance) for row in self.rows)
        return Table(columns, cells, f"the {len(self)} most wrong of {self.of} rows", self.notes)

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity worst --json`."""
        return {
            "loss": self.loss,
            "rows": self.of,
            "worst": [_json(row) for row in self.rows],
            "notes": [note.to_json() for note in self.notes],
        }


def _json(row: WorstRow) -> dict[str, Any]:
    """What was said and how wrong it was; the probability where there is one."""
    shape = {"row": row.row, "truth": row.truth, "said": row.said, "loss": finite(row.loss)}
    return shape if row.probability is None else {**shape, "probability": finite(row.probability)}


def _cells(row: WorstRow, with_chance: bool) -> tuple[Any, ...]:
    chance = align_decimals(row.probability) if with_chance else ()
    return (row.row, row.truth, row.said, *chance, *align_decimals(row.loss))
