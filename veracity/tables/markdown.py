"""Tables in Markdown, as GitHub and most others read it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from veracity.core.notes import cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.table import Table, drop_constant_columns

SPECIAL = re.compile(r"([\\`*\[\]|~$!]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z]))")  # inside a word, _ is only itself


def markdown(table: Table) -> str:
    """The table, its cautions and caption above and its remarks as a list below."""
    table = drop_constant_columns(table)
    lines = [*(f"- {escape(str(note))}" for note in above), ""] if (above := cautions(table.notes)) else []
    lines += [f"**{escape(table.full_caption)}**", ""] if table.full_caption else []
    lines.append(_row(map(escape, table.titles)))
    lines.append(_row("---" if column.align == "left" else "---:" for column in table.columns))
    for i, row in enumerate(table.texts):
        cells = (f"**{escape(cell)}**" if (i, j) in table.bold else escape(cell) for j, cell in enumerate(row))
        lines.append(_row(cells))
    if below := remarks(table.notes):
        lines += ["", *(f"- {escape(str(note))}" for note in below)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escape(cell: str) -> str:
    """Text that Markdown shows as it is."""
    plain = spell_out_controls(cell).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", plain)
