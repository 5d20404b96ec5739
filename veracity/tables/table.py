"""A table before it is written: columns, rows of cells, notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from veracity.core.notes import Note
from veracity.tables.numbers import written


@dataclass(frozen=True)
class Column:
    """A heading and how its cells are set."""

    title: str
    align: Literal["left", "right"] = "right"


@dataclass(frozen=True)
class Table:
    """Cells are text or numbers; `bold` holds (row, column) of cells that stand out, with the reason in the caption."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""
    notes: tuple[Note, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    further: tuple[tuple[str, tuple[Any, ...]], ...] = ()  # columns for machines, which cannot read notes

    @property
    def for_machines(self) -> Table:
        """The table with its further columns at the end."""
        columns = (*self.columns, *(Column(title) for title, _ in self.further))
        more = zip(*(cells for _, cells in self.further), strict=True) if self.further else ((),) * len(self.rows)
        rows = tuple((*row, *cells) for row, cells in zip(self.rows, more, strict=True))
        return Table(columns, rows, self.caption, self.notes, self.bold)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The cells as text, not yet escaped for any format."""
        return tuple(tuple(written(cell) for cell in row) for row in self.rows)
