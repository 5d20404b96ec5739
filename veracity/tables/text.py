"""Tables as plain aligned text, safe to print on a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from veracity.core.notes import Note
from veracity.tables.table import Column, Table

GAP = "  "
NOTE_WIDTH = 100


def text(table: Table) -> str:
    """The table with its notes below."""
    parts = [grid(table), *note_lines(table.notes)]
    if table.caption:
        parts.insert(0, visible(table.caption))
    return "\n".join(parts)


def grid(table: Table) -> str:
    """Headings and cells, columns aligned."""
    rows = [[visible(cell) for cell in row] for row in (table.titles, *table.texts)]
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths, table.columns) for row in rows)


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    padded = []
    for cell, size, column in zip(cells, widths, columns, strict=True):
        space = " " * (size - width(cell))
        padded.append(cell + space if column.align == "left" else space + cell)
    return GAP.join(padded).rstrip()


def note_lines(notes: Sequence[Note]) -> list[str]:
    """Notes wrapped below a table, cautions first."""
    order = {"refuse": 0, "caution": 1, "remark": 2}
    lines = []
    for note in sorted(notes, key=lambda note: order[note.weight]):
        lines += textwrap.wrap(visible(str(note)), NOTE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return lines


def visible(cell: str) -> str:
    """Control characters spelled out, so that no name can move the cursor or break a line."""
    if cell.isprintable():
        return cell
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cell)


def width(cell: str) -> int:
    """How many columns of a terminal a text takes."""
    if cell.isascii():
        return len(cell)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in cell)
