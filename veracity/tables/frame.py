"""Tables as data frames of whichever library the user has."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from veracity.core.errors import BadInput
from veracity.tables.numbers import in_full
from veracity.tables.table import Table

LIBRARIES = ("pandas", "polars", "pyarrow")


def frame(table: Table, library: str | None = None) -> Any:
    """A frame of `library`, else of the one already imported, else of the first one installed."""
    import narwhals

    table = table.for_machines
    columns = {title: [in_full(row[j]) for row in table.rows] for j, title in enumerate(table.titles)}
    return narwhals.from_dict(columns, backend=chosen(library)).to_native()


def chosen(library: str | None = None) -> Any:
    """The library of the frame."""
    if library is not None and library not in LIBRARIES:
        raise BadInput(f"a frame is made by {', '.join(LIBRARIES)}, not by {library!r}")
    if library is not None and find_spec(library) is None:
        raise BadInput(f"{library} is not installed: pip install {library}, or use to_csv() or to_json()")
    loaded = [name for name in LIBRARIES if name in sys.modules]
    there = [library] if library else [*loaded, *(name for name in LIBRARIES if find_spec(name) is not None)]
    if not there:
        raise BadInput("a frame needs pandas, polars or pyarrow, and none is installed: use to_csv() or to_json()")
    return there[0]
