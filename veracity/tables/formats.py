"""Tables as aligned text that is safe on a terminal, as Markdown and as HTML."""

from __future__ import annotations

import html as standard_html
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

from veracity.core.notes import Note, cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.table import Table, drop_constant_columns, split_constant_columns

GAP = "  "
NOTE_WIDTH = 100  # characters
MIN_COLUMN_WIDTH = 20  # a column is not folded to less than this
MARKDOWN_SPECIAL = re.compile(r"([\\`*\[\]|~$!]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z]))")  # inside a word, _ is only itself


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
    if table.columns[-1].align == "left" and MIN_COLUMN_WIDTH <= room < widths[-1]:
        folded = []
        for *cells, last in rows:
            first, *rest = textwrap.wrap(last, room) or [""]
            folded += [[*cells, first], *([*[""] * len(cells), part] for part in rest)]
        rows, widths[-1] = folded, room
    lines = []
    for row in rows:
        padded = []
        for cell, size, column in zip(row, widths, table.columns, strict=True):
            space = " " * (size - width(cell))
            padded.append(cell + space if column.align == "left" else space + cell)
        lines.append(GAP.join(padded).rstrip())
    return "\n".join(lines)


def note_lines(notes: Sequence[Note]) -> list[str]:
    """Notes wrapped to lines."""
    wrapper = textwrap.TextWrapper(NOTE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line for note in notes for line in wrapper.wrap(spell_out_controls(str(note)))]


def width(cell: str) -> int:
    """How many columns of a terminal a text takes."""
    if cell.isascii():
        return len(cell)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in cell)


def markdown(table: Table) -> str:
    """The table, its cautions and caption above and its remarks as a list below."""
    table = drop_constant_columns(table)
    lines = [*(f"- {escape_markdown(str(note))}" for note in above), ""] if (above := cautions(table.notes)) else []
    lines += [f"**{escape_markdown(table.full_caption)}**", ""] if table.full_caption else []
    lines.append(_markdown_row(map(escape_markdown, table.titles)))
    lines.append(_markdown_row("---" if column.align == "left" else "---:" for column in table.columns))
    for i, row in enumerate(table.texts):
        marks = ("**" * ((i, j) in table.bold) for j in range(len(row)))
        lines.append(_markdown_row(f"{m}{escape_markdown(cell)}{m}" for m, cell in zip(marks, row, strict=True)))
    if below := remarks(table.notes):
        lines += ["", *(f"- {escape_markdown(str(note))}" for note in below)]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escape_markdown(cell: str) -> str:
    """Text that Markdown shows as it is."""
    plain = spell_out_controls(cell).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return MARKDOWN_SPECIAL.sub(r"\\\1", plain)


def html(table: Table) -> str:
    """A table element between the list of its cautions and that of its remarks."""
    table = drop_constant_columns(table)
    lines = [*note_list(cautions(table.notes)), '<table class="veracity">']
    if table.full_caption:
        lines.append(f"<caption>{escape_html(table.full_caption)}</caption>")
    lines.append(f"<thead><tr>{_html_cells(table, table.titles, 'th')}</tr></thead>")
    body = "\n".join(f"<tr>{_html_cells(table, row, 'td', i)}</tr>" for i, row in enumerate(table.texts))
    lines += [f"<tbody>{body}</tbody>", "</table>", *note_list(remarks(table.notes))]
    return "\n".join(lines) + "\n"


def note_list(notes: Sequence[Note]) -> list[str]:
    """A list element, if there is any note."""
    items = "".join(f"<li>{escape_html(str(note))}</li>" for note in notes)
    return [f'<ul class="notes">{items}</ul>'] if items else []


def _html_cells(table: Table, texts: tuple[str, ...], tag: str, row: int = -1) -> str:
    cells = ""
    for j, (column, text) in enumerate(zip(table.columns, texts, strict=True)):
        inside = f"<strong>{escape_html(text)}</strong>" if (row, j) in table.bold else escape_html(text)
        side = ' class="left"' if column.align == "left" else ""
        cells += f"<{tag}{side}>{inside}</{tag}>"
    return cells


def escape_html(cell: str) -> str:
    """Text that a browser shows as it is."""
    return standard_html.escape(spell_out_controls(cell), quote=True)
