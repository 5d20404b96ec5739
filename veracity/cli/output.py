"""Results to files by their ending, and to standard output."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from veracity.cli.words import as_options
from veracity.core.errors import BadInput
from veracity.tables.csv import csv
from veracity.tables.json import json
from veracity.tables.latex import latex
from veracity.tables.markdown import markdown
from veracity.tables.table import Table
from veracity.tables.text import grid, note_lines, text, visible

FIGURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".md", ".tex", ".csv", ".json", ".txt")


def ending(out: str, *allowed: str) -> str:
    """The ending of a file to write; checked before any work is done."""
    found = Path(out).suffix.lower()
    if found not in allowed:
        said = f"ends in {found!r}" if found else "has no ending"
        raise BadInput(f"--out {out} {said}: the format follows from the ending, one of {' '.join(allowed)}")
    if not Path(out).resolve().parent.is_dir():
        raise BadInput(f"--out {out}: there is no folder {Path(out).parent}")
    return found


def page(
    form: str,
    title: str,
    tables: Sequence[Table],
    shape: Any,
    report: Callable[[], Any] | None = None,
    after: Sequence[Table] = (),
) -> str:
    """The content of a file of tables; the main one, the only one that a CSV holds, is the last but those `after`."""
    every = [*tables, *after]
    makers: dict[str, Callable[[], str]] = {
        ".html": lambda: _of_tables(title, every) if report is None else report().html,
        ".md": lambda: "\n".join([f"# {title}\n", *map(markdown, every)]),
        ".tex": lambda: "\n".join(map(latex, every)),
        ".csv": lambda: csv(tables[-1]),
        ".json": lambda: json(shape) + "\n",
        ".txt": lambda: "\n\n".join(map(text, every)) + "\n",
    }
    return makers[form]()


def page_of(result: Any, title: str) -> Any:
    """The page of a result of a verb."""
    from veracity.reports.report import report

    return report(result, title=title)


def _of_tables(title: str, tables: Sequence[Table]) -> str:
    from veracity.reports.report import of_tables

    return of_tables(title, tables).html


def save(out: str, content: str) -> None:
    """Write a file and say so where it is in nobody's way."""
    try:
        Path(out).write_text(content, "utf-8")
    except OSError as why:
        raise BadInput(f"--out {out} cannot be written: {why.strerror}") from None
    wrote(out)


def wrote(out: str) -> None:
    click.echo(f"wrote {out}", err=True)


def deliver(
    title: str,
    tables: Sequence[Table],
    shape: Callable[[], Any],
    as_json: bool,
    out: str | None,
    lead: str = "",
    report: Callable[[], Any] | None = None,
    figure: Callable[[str], None] | None = None,
    after: Sequence[Table] = (),
) -> None:
    """A result to where it was asked for: file, JSON or tables; `report` makes its page, `figure` its picture."""
    if out is not None and figure is not None and ending(out, *FIGURES, *PAGES) in FIGURES:
        figure(out)
        wrote(out)
    elif out is not None:
        save(out, page(ending(out, *PAGES), title, tables, shape(), report, after))
    if as_json:
        click.echo(json(shape()))
    if out is None and not as_json:
        show(lead, [*tables, *after])


def show(lead: str, tables: Sequence[Table]) -> None:
    """Tables for a reader: headings stand out on a terminal, notes come last."""
    blocks = [visible(lead)] if lead else []
    for table in tables:
        head, *body = grid(table, _screen()).split("\n")
        caption = [click.style(visible(table.caption), bold=True)] if table.caption else []
        blocks.append("\n".join([*caption, click.style(head, bold=True), *body]))
    said = [replace(note, says=as_options(note.says)) for table in tables for note in table.notes]
    notes = note_lines(said)
    if notes:
        blocks.append("\n".join(map(_coloured, notes)))
    click.echo("\n\n".join(blocks))


def _screen() -> int | None:
    """The width of the terminal, where there is one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _coloured(line: str) -> str:
    weight, colon, rest = line.partition(":")
    colour = {"caution": "yellow", "refuse": "red", "remark": "cyan"}.get(weight)
    return click.style(weight, fg=colour) + colon + rest if colour else line


@dataclass(frozen=True)
class Result:
    """Tables for a reader, the main one last, and the JSON for a machine, made when it is asked for."""

    title: str
    tables: tuple[Table, ...]
    shape: Callable[[], Any]
    lead: str = ""
    report: Callable[[], Any] | None = None  # the page, where it shows more than the tables
    after: tuple[Table, ...] = ()  # tables that explain the main one
