"""The base classes of all results: each prints itself, and gives its tables, its JSON, frames and its notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, ClassVar, Generic, TypeVar, cast

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note, cautions, remarks, unique
from veracity.core.words import spell_out_controls
from veracity.tables.exports import csv, frame, to_jsonable
from veracity.tables.formats import escape_html, html, markdown, note_lines, note_list, text
from veracity.tables.latex import latex
from veracity.tables.table import Table

R = TypeVar("R")


class JsonFields:
    """A dataclass whose JSON is made of its fields."""

    _json_names: ClassVar[tuple[str, ...]] = ()  # fields and properties that the JSON holds; all fields where empty

    def json_fields(self) -> dict[str, Any]:
        """Return what the JSON holds but the notes; arrays, other results and undefined numbers may stand in it."""
        names = self._json_names or [part.name for part in fields(cast("Any", self)) if part.name != "notes"]
        return {name: getattr(self, name) for name in names}

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain dicts, lists, texts and numbers; undefined and infinite numbers are None."""
        return {name: to_jsonable(value) for name, value in self.json_fields().items()}


class Result(JsonFields):
    """What a function of veracity returns: values with the notes that a reader must know."""

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes of the result and of its parts, each once."""
        return unique(getattr(self, "notes", ()))

    @property
    def json_notes(self) -> tuple[Note, ...]:
        """The notes that stand in the JSON."""
        return self.all_notes

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "notes": [note.to_json() for note in self.json_notes]}


class TableResult(Result, ABC):
    """A result that prints as a table and can be written in every format."""

    @abstractmethod
    def table(self) -> Table:
        """Return this result as a table."""

    @property
    def printed(self) -> tuple[Table, ...]:
        """All tables that are shown to a reader."""
        return (self.table(),)

    def __repr__(self) -> str:
        return "\n\n".join(map(text, self.printed))

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        return "\n".join(map(markdown, self.printed))

    def to_latex(self) -> str:
        """Return the table as LaTeX."""
        return "\n".join(map(latex, self.printed))

    def to_html(self) -> str:
        """Return the table as HTML."""
        return "\n".join(map(html, self.printed))

    def to_csv(self) -> str:
        """Comma-separated values; a text that a spreadsheet would take for a formula has an apostrophe before it."""
        return csv(self.table())

    @verb
    def to_frame(self, library: str | None = None) -> Any:
        """A pandas, polars or pyarrow table: the one named, imported or installed, in this order."""
        return frame(self.table(), library)


class RowsResult(TableResult, Generic[R]):
    """A table of rows that can be counted, gone through and taken by their place."""

    rows: tuple[R, ...]

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> R:
        return self.rows[place]


def find_row(rows: Sequence[R], wanted: Sequence[str], labels: Callable[[R], Iterable[str]]) -> R:
    """Return the row that has all the labels; where none or several have, the error lists the labels or those rows."""
    found = [row for row in rows if set(wanted) <= set(labels(row))]
    if len(found) == 1:
        return found[0]
    quoted = ", ".join(map(repr, wanted))
    if not found:
        there = dict.fromkeys(label for row in rows for label in labels(row))
        raise BadInput(f"no row is labelled {quoted}: the labels are {', '.join(there)}")
    several = "; ".join(" / ".join(dict.fromkeys(labels(row))) for row in found)
    raise BadInput(f"{quoted} leaves {len(found)} rows, add a label: {several}")


class SentenceResult(Result, ABC):
    """A result that prints as a sentence, below the cautions that a reader learns first.

    Control characters in the names of users are spelled out.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        """Let `sentence` of each class spell out control characters."""
        super().__init_subclass__(**more)
        if "sentence" in vars(cls):
            write = cls.sentence
            cls.sentence = wraps(write)(lambda self: spell_out_controls(write(self), keep="\n"))  # type: ignore[method-assign]

    @abstractmethod
    def sentence(self) -> str:
        """Return what the result says in one sentence."""

    def __str__(self) -> str:
        return "\n".join([*note_lines(cautions(self.all_notes)), self.sentence()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        above, below = note_list(cautions(self.all_notes)), note_list(remarks(self.all_notes))
        return "".join([*above, f"<p>{escape_html(self.sentence())}</p>", *below])
