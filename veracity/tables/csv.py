"""Tables as comma-separated values, numbers in full."""

from __future__ import annotations

import csv as standard
import io

from veracity.tables.numbers import in_full
from veracity.tables.table import Table


def csv(table: Table) -> str:
    """Headings and rows; an undefined or infinite number is an empty cell. Notes are left to the other formats."""
    table = table.for_machines
    out = io.StringIO()
    writer = standard.writer(out, lineterminator="\n")
    writer.writerow(table.titles)
    for row in table.rows:
        writer.writerow(["" if in_full(cell) is None else in_full(cell) for cell in row])
    return out.getvalue()
