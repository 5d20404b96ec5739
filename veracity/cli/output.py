"""Results to files by their ending, and to standard output."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from veracity.core.errors import BadInput
from veracity.core.notes import Note, cautions, remarks, unique
from veracity.core.words import in_shell, plural, spell_out_controls
from veracity.tables.exports import csv, formulas, json
from veracity.tables.latex import latex
from veracity.tables.markdown import escape as in_markdown
from veracity.tables.markdown import markdown
from veracity.tables.result import SentenceResult
from veracity.tables.table import Table, split_constant_columns
from veracity.tables.text import grid, note_lines

FIGURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".md", ".tex", ".csv", ".json", ".txt")
COLOURS = {"caution": "yellow", "refuse": "red", "remark": "cyan"}


@dataclass(frozen=True)
class Result:
    """Tables for a reader, the main one last, and the JSON for a machine, made when it is asked for."""

    title: str
    tables: tuple[Table, ...]
    shape: Callable[[], Any]
    lead: str = ""
    report: Callable[[], Any] | None = None  # the page, where it shows more than the tables
    after: tuple[Table, ...] = ()  # tables that explain the main one
    brief: tuple[Table, ...] = ()  # what a terminal shows in place of tables that nobody reads to their end
    figure: Callable[[str], None] | None = None  # draws the picture to a file, where there is one
    files: Mapping[str, Callable[[str], None]] = field(default_factory=dict)  # writes a file of an ending of its own


def check_endings(out: Sequence[str], *allowed: str) -> None:
    """Refuse files of which the format or the folder is not known, before any work is done."""
    for place, file in enumerate(out):
        suffix = ending(file)
        if suffix not in allowed:
            problem = f"ends in {suffix!r}" if suffix else "has no ending"
            raise BadInput(f"--out {file} {problem}: the format follows from the ending, one of {' '.join(allowed)}")
        if not Path(file).resolve().parent.is_dir():
            raise BadInput(f"--out {file}: there is no folder {Path(file).parent}")
        if file in out[:place]:
            raise BadInput(f"--out {file} is named twice: each file is written once")


def ending(file: str) -> str:
    """What the format of a file follows from."""
    return Path(file).suffix.lower()


def deliver(result: Result, as_json: bool, out: Sequence[str]) -> None:
    """A result to where it was asked for: files, JSON or tables, which speak the words of the command line."""
    tables, after, brief = (
        tuple(table.in_shell for table in each) for each in (result.tables, result.after, result.brief)
    )
    result = replace(result, tables=tables, after=after, brief=brief, lead=in_shell(result.lead))
    for file in out:
        if result.figure is not None and ending(file) in FIGURES:
            result.figure(file)
            announce(file)
        elif ending(file) in result.files:
            result.files[ending(file)](file)
            announce(file)
        else:
            save(file, _content(result, ending(file)))
            tell_formulas(file, result)
    if as_json:
        click.echo(json(result.shape()))
    if not out and not as_json:
        show(result.lead, [*(result.brief or result.tables), *result.after])


def _content(result: Result, form: str) -> str:
    """The content of a file; a CSV holds the main table alone."""
    tables = [*result.tables, *result.after]
    lead = [f"{in_markdown(result.lead)}\n"] if result.lead else []
    writers: dict[str, Callable[[], str]] = {
        ".html": lambda: _page(result, tables).html,
        ".md": lambda: "\n".join([f"# {result.title}\n", *lead, *map(markdown, tables)]),
        ".tex": lambda: "\n".join(map(latex, tables)),
        ".csv": lambda: csv(result.tables[-1]),
        ".json": lambda: json(result.shape()) + "\n",
        ".txt": lambda: click.unstyle(_printed(result.lead, tables)) + "\n",
    }
    return writers[form]()


def result_of(
    finding: Any, title: str, figure: Callable[[str], None] | None = None, notes: tuple[Note, ...] = ()
) -> Result:
    """What is shown of a finding that has a table, and a sentence where that is not the table's caption.

    `notes` are about what it was found in, and come first.
    """
    table = finding.table()
    lead = finding.sentence() if isinstance(finding, SentenceResult) else ""
    own = tuple(getattr(finding, "notes", ())) if lead else table.notes
    table = replace(table, notes=unique((*notes, *own)))

    def shape() -> dict[str, Any]:
        content = finding.to_json()
        return {**content, "notes": [*(note.to_json() for note in notes), *content["notes"]]}

    return Result(title, (table,), shape, lead, lambda: page_of(finding, title), figure=figure)


def paper_files(finding: Any) -> dict[str, Callable[[str], None]]:
    """What is written for a paper: the paragraph with its tables, and the works that it cites."""
    return {
        ".tex": lambda out: write_text(out, finding.to_paper()),
        ".bib": lambda out: write_text(out, finding.methods.bibtex),
    }


def page_of(finding: Any, title: str) -> Any:
    """The page of a finding."""
    from veracity.reports.report import report

    return report(finding, title=title)


def _page(result: Result, tables: Sequence[Table]) -> Any:
    from veracity.reports.report import report_of_tables

    return report_of_tables(result.title, tables) if result.report is None else result.report()


def save(out: str, content: str) -> None:
    """Write a file and say so where it is in nobody's way."""
    write_text(out, content)
    announce(out)


def write_text(out: str, content: str) -> None:
    """Write a file."""
    try:
        Path(out).write_text(content, "utf-8")
    except OSError as why:
        raise unwritable(out, why) from None


def unwritable(out: str, why: OSError) -> BadInput:
    return BadInput(f"--out {out} cannot be written: {why.strerror}")


def announce(out: str) -> None:
    click.echo(f"wrote {spell_out_controls(out)}", err=True)


def tell_formulas(out: str, result: Result) -> None:
    """Say where the cells of a file are not what they are called."""
    number = formulas(result.tables[-1]) if ending(out) == ".csv" else 0
    if number:
        what = plural(number, "text")
        says = f"{what} with an apostrophe in front, as a spreadsheet would take it for a formula (= + - @)"
        click.echo(f"{spell_out_controls(out)}: {says}", err=True)


def show(lead: str, tables: Sequence[Table]) -> None:
    """Tables for a reader, as wide as the terminal."""
    click.echo(_printed(lead, tables, shutil.get_terminal_size().columns if sys.stdout.isatty() else None))


def _printed(lead: str, tables: Sequence[Table], width: int | None = None) -> str:
    """Cautions come first, headings stand out on a terminal, remarks come last."""
    notes = [note for table in tables for note in table.notes]
    blocks = [_lines_of(cautions(notes)), spell_out_controls(lead)]
    for table in tables:
        narrow, same = split_constant_columns(table)
        head, *body = grid(narrow, width).split("\n")
        caption = [click.style(spell_out_controls(table.caption), bold=True)] if table.caption else []
        lines = [*caption, *([spell_out_controls(same)] if same else [])]
        lines += [click.style(head, bold=True), *body] if table.rows or not caption else []
        blocks.append("\n".join(lines))
    blocks.append(_lines_of(remarks(notes)))
    return "\n\n".join(filter(None, blocks))


def _lines_of(notes: Sequence[Note]) -> str:
    return "\n".join(map(_colour, note_lines(notes)))


def _colour(line: str) -> str:
    """The line of a note, its weight in colour."""
    weight, colon, rest = line.partition(":")
    return click.style(weight, fg=COLOURS[weight]) + colon + rest if weight in COLOURS else line
