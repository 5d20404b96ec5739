"""Tables as plain aligned text, safe to print on a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from veracity.core.notes import Note, cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.table import Column, Table, split_constant_columns

GAP = "  "
NOTE_WIDTH = 100
NARROWEST = 20  # a column is not folded to less than this


def text(table: Table) -> str:
    """The table between its cautions and its remarks."""
    narrow, same = split_constant_columns(table)
    lines = [spell_out_controls(line) for line in (table.caption, same) if line]
    above, below = note_lines(cautions(table.notes)), note_lines(remarks(table.notes))
    return "\n".join([*above, *lines, grid(narrow), *below])


def grid(table: Table, within: int | None = None) -> str:
    """Headings and cells, columns aligned; a last column of text is folded to stay `within` a screen."""
    rows = [[spell_out_controls(cell) for cell in row] for row in (table.titles, *table.texts)]
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    before = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
    room = widths[-1] if within is None else within - before
    if table.columns[-1].align == "left" and NARROWEST <= room < widths[-1]:
        rows = [folded for row in rows for folded in _fold(row, room)]
        widths[-1] = room
    return "\n".join(_line(row, widths, table.columns) for row in rows)


def _fold(row: list[str], room: int) -> list[list[str]]:
    """A row whose last cell takes several lines."""
    first, *rest = textwrap.wrap(row[-1], room) or [""]
    return [[*row[:-1], first], *([*[""] * (len(row) - 1), part] for part in rest)]


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    padded = []
    for cell, size, column in zip(cells, widths, columns, strict=True):
        space = " " * (size - width(cell))
        padded.append(cell + space if column.align == "left" else space + cell)
    return GAP.join(padded).rstrip()


def note_lines(notes: Sequence[Note]) -> list[str]:
    """Notes wrapped to lines."""
    wrapper = textwrap.TextWrapper(NOTE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line for note in notes for line in wrapper.wrap(spell_out_controls(str(note)))]


def width(cell: str) -> int:
    """How many columns of a terminal a text takes."""
    if cell.isascii():
        return len(cell)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in cell)
