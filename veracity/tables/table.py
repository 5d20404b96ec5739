"""A table before it is written: columns, rows of cells, notes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from veracity.core.notes import Note
from veracity.core.words import for_command_line
from veracity.tables.cells import Name, cell_text

# columns that describe and do not measure, which are worth a place only where they differ
ONCE = ("data", "learner", "model", "by", "score", "level", "method", "better", "df")
OF_INTERVALS = ("level", "method")  # of these an empty cell says what the empty limits beside it say


@dataclass(frozen=True)
class Column:
    """A heading and how its cells are set."""

    title: str
    align: Literal["left", "right"] = "right"


@dataclass(frozen=True)
class Table:
    """Cells are text or numbers; `bold` holds (row, column) of cells that stand out where letters can be bold."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""
    notes: tuple[Note, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    further: tuple[tuple[str, tuple[Any, ...]], ...] = ()  # columns for machines, which cannot read notes
    machine: Table | None = None  # what machines get in its place, where more than columns differ
    bold_says: str = ""  # why cells stand out, which plain text does not show

    @classmethod
    def from_rows(
        cls,
        titles: Iterable[str],
        rows: Iterable[Iterable[Any]],
        caption: str = "",
        notes: tuple[Note, ...] = (),
        *,
        right: Collection[str] = (),
        **more: Any,
    ) -> Table:
        """Return a table whose columns of text are set to the left and all others, and those in `right`, to the right.

        `more` are other fields of the table, such as `bold` and `further`.
        """
        cells = tuple(map(tuple, rows))
        columns = []
        for place, title in enumerate(titles):
            is_text = not cells or any(_is_text(row[place]) for row in cells)
            columns.append(Column(title, "left" if is_text and title not in right else "right"))
        return cls(tuple(columns), cells, caption, notes, **more)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Sequence[Any]], *texts: Any, **more: Any) -> Table:
        """Return the table of these cells by heading, set as `from_rows` sets them."""
        return cls.from_rows(columns, zip(*columns.values(), strict=True), *texts, **more)

    @property
    def for_machines(self) -> Table:
        """The table with its further columns at the end, or what stands in its place."""
        if self.machine is not None:
            return self.machine
        columns = (*self.columns, *(Column(title) for title, _ in self.further))
        more = zip(*(cells for _, cells in self.further), strict=True) if self.further else ((),) * len(self.rows)
        rows = tuple((*row, *cells) for row, cells in zip(self.rows, more, strict=True))
        return Table(columns, rows, self.caption, self.notes, self.bold)

    def transposed(self, corner: str) -> Table:
        """Rows in place of columns: the cells of the first column are the headings, beside that of the corner."""
        heads = (Column(corner, "left"), *(Column(cell_text(row[0]), self.columns[-1].align) for row in self.rows))
        rows = tuple(
            (column.title, *(row[place] for row in self.rows)) for place, column in enumerate(self.columns) if place
        )
        bold = frozenset((column - 1, row + 1) for row, column in self.bold if column)
        whole = None if self.machine is None else self.machine.transposed(corner)
        return Table(heads, rows, self.caption, self.notes, bold, machine=whole, bold_says=self.bold_says)

    @property
    def for_command_line(self) -> Table:
        """The same in the words of the command line."""
        rows = (tuple(for_command_line(cell) if isinstance(cell, str) else cell for cell in row) for row in self.rows)
        notes = tuple(replace(note, says=for_command_line(note.says)) for note in self.notes)
        return replace(self, rows=tuple(rows), caption=for_command_line(self.caption), notes=notes)

    @property
    def full_caption(self) -> str:
        """The caption where letters can be bold."""
        return "; ".join(filter(None, (self.caption, self.bold_says)))

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The cells as text, not yet escaped for any format."""
        return tuple(tuple(cell_text(cell) for cell in row) for row in self.rows)


def _is_text(cell: Any) -> bool:
    """Return whether a cell is a name or another text, which an empty one is not."""
    return isinstance(cell, (str, Name)) and cell != ""


def drop_constant_columns(table: Table) -> Table:
    """The table without columns that say the same in all rows, which its caption says once."""
    narrow, same = split_constant_columns(table)
    return replace(narrow, caption="; ".join(filter(None, (table.caption, same))))


def split_constant_columns(table: Table) -> tuple[Table, str]:
    """The table without columns that are empty or describe all rows alike, and what the latter say, in words."""
    places, words = [], []
    for place, (title, *cells) in enumerate(zip(table.titles, *table.texts, strict=True)):
        if table.rows and not any(cells):
            continue
        told = [cell for cell in cells if cell or title not in OF_INTERVALS]
        if title in ONCE and len(told) > 1 and len(set(told)) == 1:
            words.append(f"{told[0]} is better" if title == "better" else f"{title} {told[0]}")
        else:
            places.append(place)
    if len(places) < 2:  # what is left would be no table
        return table, ""
    narrow = replace(
        table,
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
        bold=frozenset((i, places.index(j)) for i, j in table.bold if j in places),
    )
    return narrow, ", ".join(words)
