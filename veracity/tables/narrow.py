"""A table without what is the same in all its rows."""

from __future__ import annotations

from dataclasses import replace

from veracity.tables.table import Table

ONCE = ("data", "by", "level", "method", "better")  # columns that are worth a place only where they differ


def without_constant(table: Table) -> Table:
    """What is the same in all rows is said once, in the caption; the table then fits on a page."""
    columns = list(zip(*table.texts, strict=True))
    same = {
        title: cells[0]
        for title, cells in zip(table.titles, columns, strict=False)
        if title in ONCE and len(cells) > 1 and len(set(cells)) == 1
    }
    kept = [place for place, title in enumerate(table.titles) if title not in same]
    said = ", ".join(_said(title, cell) for title, cell in same.items() if cell)
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
        caption="; ".join(filter(None, (table.caption, said))),
        bold=frozenset((i, kept.index(j)) for i, j in table.bold if j in kept),
    )


def _said(title: str, cell: str) -> str:
    return f"{cell} is better" if title == "better" else f"{title} {cell}"
