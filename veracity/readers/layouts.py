"""Files of other tools, recognised by their columns: read as a plain table they would be answered as what they are not.

A layout is recognised by several columns that only its tool writes together: `layouts.toml` has them all. A call that
says by itself what counts as an item is read: then the sentence has nothing to add.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.readers.columns import Columns
from veracity.readers.source import quote_names

Asked = Mapping[str, Any]  # the arguments of a call by role
FILTERS = ("doc_id", "filter")  # of lm-evaluation-harness, which writes each document once for each filter


@dataclass(frozen=True)
class Layout:
    """What a tool writes, how its columns tell it, and what to give instead."""

    what: str
    columns: frozenset[str]  # that all must be there
    way: str
    also: tuple[str, ...] = ()  # patterns of names, each of one column or more
    unless_given: tuple[str, ...] = ()  # arguments that together say enough to read it right
    each_try: tuple[str, ...] = ()  # columns that differ between tries of one item
    grades_alone: bool = False  # what the model answered is in lists, which are no column

    def is_of(self, names: Collection[str]) -> bool:
        """Return whether a table with these columns has this layout."""
        return self.columns <= set(names) and all(fnmatch.filter(names, pattern) for pattern in self.also)

    def is_read_by(self, asked: Asked) -> bool:
        """Return whether a call says enough to be read right."""
        if self.grades_alone:
            return bool({"correct", "loss", "grade"} & asked.keys()) and "truth" not in asked
        if self.each_try:
            items = asked.get("rows") if asked.get("model") is not None else asked.get("groups")
            return items is not None and items not in self.each_try and asked.get("groups") not in self.each_try
        return bool(self.unless_given) and all(asked.get(role) for role in self.unless_given)


LAYOUTS = tuple(
    Layout(**{**entry, "columns": frozenset(entry["columns"])})
    for entry in tomllib.loads(Path(__file__).with_name("layouts.toml").read_text("utf-8"))["layouts"]
)


def recognise(names: Iterable[object]) -> Layout | None:
    """Return the layout of a table with these columns, if another tool writes it; of nested ones the outermost name."""
    known = {str(name) for name in names}
    known |= {name.partition(".")[0] for name in known}
    return next((layout for layout in LAYOUTS if layout.is_of(known)), None)


def refuse_layout(names: Iterable[object], source: str, asked: Asked) -> Layout | None:
    """Refuse the table of another tool, unless the call says enough of it; return its layout, if it has one."""
    layout = recognise(names)
    if layout is not None and not layout.is_read_by(asked):
        raise BadInput(f"{source} is {layout.what}: {layout.way}")
    return layout


def refuse_filters(columns: Columns, asked: Asked) -> None:
    """Refuse samples of lm-evaluation-harness with a line for each filter of an answer, counted as items."""
    if not set(FILTERS) <= set(columns) or asked.get("model") is not None:
        return
    filters = dict.fromkeys(columns["filter"].tolist())
    if len(filters) > 1 and len(set(columns["doc_id"].tolist())) < len(columns["doc_id"]):
        says = f"{columns.source.name} has each doc_id once for each filter, {quote_names(map(str, filters))}"
        way = "`model='filter', rows='doc_id'`"
        raise BadInput(f"{says}, so answers would count several times: keep the lines of one, or compare them, {way}")
