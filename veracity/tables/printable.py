"""What every result can be turned into, a table or a sentence with notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Generic, TypeVar

from veracity.core.notes import cautions, remarks
from veracity.core.verb import verb
from veracity.core.words import spell_out_controls
from veracity.tables.exports import csv, frame
from veracity.tables.html import escape, html, note_list
from veracity.tables.latex import latex
from veracity.tables.markdown import markdown
from veracity.tables.table import Table
from veracity.tables.text import note_lines, text

R = TypeVar("R")


class Printable(ABC):
    """Prints as a table and can be written in every format."""

    @abstractmethod
    def table(self) -> Table:
        """This result as a table."""

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


class PrintableRows(Printable, Generic[R]):
    """A table of rows that can be counted and gone through."""

    rows: tuple[R, ...]

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _visible(says: Callable[[Any], str]) -> Callable[[Any], str]:
    @wraps(says)
    def spell_out(self: Any) -> str:
        return spell_out_controls(says(self), keep="\n")

    return spell_out


class PrintableSentence(ABC):
    """Shows its own sentence, behind the cautions that a reader learns first; its remarks in a notebook too.

    Names in it are spelled out where they are not letters.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for name in ("sentence", "__str__", "__repr__"):
            if name in vars(cls):
                setattr(cls, name, _visible(vars(cls)[name]))

    @abstractmethod
    def sentence(self) -> str:
        """What it says by itself."""

    @property
    def _shown_notes(self) -> Any:
        return getattr(self, "all_notes", getattr(self, "notes", ()))

    def __str__(self) -> str:
        return "\n".join([*note_lines(cautions(self._shown_notes)), self.sentence()])

    def _repr_html_(self) -> str:
        above, below = note_list(cautions(self._shown_notes)), note_list(remarks(self._shown_notes))
        return "".join([*above, f"<p>{escape(self.sentence())}</p>", *below])
