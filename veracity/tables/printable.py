"""What every result can be turned into, a table or a sentence with notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from html import escape
from typing import Any

from veracity.tables.exports import csv, frame
from veracity.tables.html import html
from veracity.tables.latex import latex
from veracity.tables.markdown import markdown
from veracity.tables.table import Table
from veracity.tables.text import text


class Printable(ABC):
    """Prints as a table and can be written in every format."""

    @abstractmethod
    def table(self) -> Table:
        """This result as a table."""

    def __repr__(self) -> str:
        return text(self.table())

    def _repr_html_(self) -> str:
        return html(self.table())

    def to_markdown(self) -> str:
        return markdown(self.table())

    def to_latex(self) -> str:
        return latex(self.table())

    def to_html(self) -> str:
        return html(self.table())

    def to_csv(self) -> str:
        return csv(self.table())

    def to_frame(self, library: str | None = None) -> Any:
        """A pandas, polars or pyarrow table: the one named, imported or installed, in this order."""
        return frame(self.table(), library)


class PrintableSentence:
    """Shows its own sentence, and its notes below."""

    def _repr_html_(self) -> str:
        notes: Any = getattr(self, "all_notes", getattr(self, "notes", ()))
        items = "".join(f"<li>{escape(str(note))}</li>" for note in notes)
        return f"<p>{escape(str(self))}</p>" + (f'<ul class="notes">{items}</ul>' if items else "")
