"""Tables in HTML, everything escaped."""

from __future__ import annotations

import html as standard
from collections.abc import Sequence

from veracity.core.notes import Note, cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.table import Table, drop_constant_columns


def html(table: Table) -> str:
    """A table element between the list of its cautions and that of its remarks."""
    table = drop_constant_columns(table)
    lines = [*note_list(cautions(table.notes)), '<table class="veracity">']
    if table.full_caption:
        lines.append(f"<caption>{escape(table.full_caption)}</caption>")
    lines.append(f"<thead><tr>{_cells(table, table.titles, 'th')}</tr></thead>")
    body = "\n".join(f"<tr>{_cells(table, row, 'td', i)}</tr>" for i, row in enumerate(table.texts))
    lines += [f"<tbody>{body}</tbody>", "</table>", *note_list(remarks(table.notes))]
    return "\n".join(lines) + "\n"


def note_list(notes: Sequence[Note]) -> list[str]:
    """A list element, if there is any note."""
    items = "".join(f"<li>{escape(str(note))}</li>" for note in notes)
    return [f'<ul class="notes">{items}</ul>'] if items else []


def _cells(table: Table, texts: tuple[str, ...], tag: str, row: int = -1) -> str:
    cells = ""
    for j, (column, text) in enumerate(zip(table.columns, texts, strict=True)):
        inside = f"<strong>{escape(text)}</strong>" if (row, j) in table.bold else escape(text)
        side = ' class="left"' if column.align == "left" else ""
        cells += f"<{tag}{side}>{inside}</{tag}>"
    return cells


def escape(cell: str) -> str:
    """Text that a browser shows as it is."""
    return standard.escape(spell_out_controls(cell), quote=True)
