"""The base classes of all results: each prints itself, and gives its tables, its JSON, frames and its notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import wraps
from typing import Any, Generic, TypeVar, cast

from veracity.core.arguments import verb
from veracity.core.notes import Note, cautions, remarks, unique
from veracity.core.words import spell_out_controls
from veracity.tables.exports import csv, frame, to_jsonable
from veracity.tables.html import escape, html, note_list
from veracity.tables.latex import latex
from veracity.tables.markdown import markdown
from veracity.tables.table import Table
from veracity.tables.text import note_lines, text

R = TypeVar("R")


class Result:
    """What a function of veracity returns: values with the notes that a reader must know."""

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes of the result and of its parts, each once."""
        return unique(getattr(self, "notes", ()))

    def json_fields(self) -> dict[str, Any]:
        """Return what the JSON holds besides the notes: all fields, unless a result names them.

        Other results, arrays and undefined numbers may stand in it as they are.
        """
        return {part.name: getattr(self, part.name) for part in fields(cast("Any", self)) if part.name != "notes"}

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain dicts, lists, texts and numbers; undefined and infinite numbers are None."""
        shape: dict[str, Any] = to_jsonable({**self.json_fields(), "notes": self.json_notes})
        return shape

    @property
    def json_notes(self) -> tuple[Note, ...]:
        """The notes that stand in the JSON."""
        return self.all_notes


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
        return "\n".join(map(markdown, self.printed))

    def to_latex(self) -> str:
        return "\n".join(map(latex, self.printed))

    def to_html(self) -> str:
        return "\n".join(map(html, self.printed))

    def to_csv(self) -> str:
        """Comma-separated values; a text that a spreadsheet would take for a formula has an apostrophe before it."""
        return csv(self.table())

    @verb
    def to_frame(self, library: str | None = None) -> Any:
        """A pandas, polars or pyarrow table: the one named, imported or installed, in this order."""
        return frame(self.table(), library)


class RowsResult(TableResult, Generic[R]):
    """A table of rows that can be counted and gone through."""

    rows: tuple[R, ...]

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _spelling_out_controls(function: Callable[[Any], str]) -> Callable[[Any], str]:
    @wraps(function)
    def spell_out(self: Any) -> str:
        return spell_out_controls(function(self), keep="\n")

    return spell_out


class SentenceResult(Result, ABC):
    """A result that prints as a sentence, below the cautions that a reader learns first.

    Control characters in the names of users are spelled out.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for name in ("sentence", "__str__", "__repr__"):
            if name in vars(cls):
                setattr(cls, name, _spelling_out_controls(vars(cls)[name]))

    @abstractmethod
    def sentence(self) -> str:
        """Return what the result says in one sentence."""

    def __str__(self) -> str:
        return "\n".join([*note_lines(cautions(self.all_notes)), self.sentence()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        above, below = note_list(cautions(self.all_notes)), note_list(remarks(self.all_notes))
        return "".join([*above, f"<p>{escape(self.sentence())}</p>", *below])
