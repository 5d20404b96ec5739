"""The answer to a question in every format that a file can have: the command line and the workbench write these."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import indent
from threading import Lock
from typing import TYPE_CHECKING, Any

from veracity.core.words import spell_out_controls
from veracity.tables.exports import csv, json
from veracity.tables.formats import escape_markdown, markdown
from veracity.tables.latex import latex

if TYPE_CHECKING:
    from veracity.reports.report import Report
    from veracity.tables.table import Table

FIGURES = ("svg", "png", "pdf")
DRAWING = Lock()  # matplotlib draws one figure at a time


@dataclass(frozen=True, eq=False)
class Output:
    """Tables for a reader, the main one last, and what else can be had, which is made when it is asked for."""

    title: str
    tables: tuple[Table, ...]
    to_json: Callable[[], Any]
    answer: str = ""
    page: Callable[[], Report] | None = None  # where it shows more than the tables
    after: tuple[Table, ...] = ()  # tables that explain the main one
    brief: tuple[Table, ...] = ()  # what a terminal shows in place of tables that nobody reads to their end
    draw: Callable[[], Any] | None = None  # returns the axes of the figure
    own_forms: Mapping[str, Callable[[], str | bytes]] = field(default_factory=dict)  # such as the paragraph of a paper
    listing: str = ""  # lines that are shown below the answer as they are, such as tracebacks

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the formats that this output can be written in."""
        from veracity.plots.look import fits_picture

        texts = ("json", "csv", "md", "tex", "html") if self.tables else ("json", "md", "html")
        return (*texts, *FIGURES) if self.draw is not None or fits_picture(self.tables) else texts

    def content(self, form: str, dpi: int = 300) -> bytes:
        """Return the content of a file of this format; a CSV file holds the main table alone."""
        if form in FIGURES:
            return self._figure(form, dpi)
        content = self.own_forms[form]() if form in self.own_forms else self._text(form)
        return content.encode() if isinstance(content, str) else content

    def _text(self, form: str) -> str:
        tables = (*self.tables, *self.after)
        if form == "json":
            return json(self.to_json()) + "\n"
        if form == "csv":
            return csv(self.tables[-1])
        if form == "md":
            answer = [f"{escape_markdown(self.answer)}\n"] if self.answer else []
            listing = [indent(spell_out_controls(f"{self.listing}\n", keep="\n"), "    ")] if self.listing else []
            return "\n".join([f"# {escape_markdown(self.title)}\n", *answer, *listing, *map(markdown, tables)])
        if form == "tex":
            return "\n".join(map(latex, tables))
        if form == "html":
            from veracity.reports.material import Material
            from veracity.reports.report import Report

            return (self.page() if self.page is not None else Report(Material(self.title, "", "", tables=tables))).html
        raise ValueError(f"there is no .{form} of {self.title}")  # a caller asks for one of `forms`

    def _figure(self, form: str, dpi: int) -> bytes:
        """Draw the figure, or without one the tables as they stand in a terminal."""
        from veracity.plots.look import table_picture

        out = io.BytesIO()
        with DRAWING:
            axes: Any = self.draw() if self.draw is not None else table_picture(self.tables)
            axes.figure.savefig(out, format=form, dpi=dpi)
        return out.getvalue()
