"""Write results to files by their ending, and to standard output."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from veracity.cli.options import Output as Destination
from veracity.core.errors import BadInput
from veracity.core.notes import Note, cautions, remarks, unique
from veracity.core.words import for_command_line, plural, spell_out_controls
from veracity.reports.output import Output
from veracity.tables.exports import formulas, json
from veracity.tables.formats import grid, note_lines
from veracity.tables.result import SentenceResult
from veracity.tables.table import Table, split_constant_columns

COLOURS = {"caution": "yellow", "refuse": "red", "remark": "cyan"}


def write_result(output: Output, to: Destination) -> None:
    """Write a result to files, as JSON or as tables, in the words of the command line."""
    tables, after, brief = (
        tuple(table.for_command_line for table in each) for each in (output.tables, output.after, output.brief)
    )
    output = replace(output, tables=tables, after=after, brief=brief, answer=for_command_line(output.answer))
    for file in to.out:
        form = Path(file).suffix.lower().removeprefix(".")
        if form == "txt":
            save(file, click.unstyle(_text(output.answer, [*tables, *after], output.listing)) + "\n")
            continue
        save(file, output.content(form))
        escaped = formulas(tables[-1]) if form == "csv" else 0
        if escaped:
            why = "with an apostrophe in front, as a spreadsheet would take it for a formula (= + - @)"
            click.echo(f"{spell_out_controls(file)}: {plural(escaped, 'text')} {why}", err=True)
    if to.as_json:
        click.echo(json(output.to_json()))
    if not to.out and not to.as_json:
        show(output.answer, [*(brief or tables), *after], output.listing)


def output_of(finding: Any, title: str, draw: Callable[[], Any] | None = None, notes: tuple[Note, ...] = ()) -> Output:
    """Return the output of a result that has a table, with a sentence where that is not the table's caption.

    `notes` are about what the result was found in, and come first.
    """
    table = finding.table()
    answer = finding.sentence() if isinstance(finding, SentenceResult) else ""
    own = tuple(getattr(finding, "notes", ())) if answer else table.notes
    table = replace(table, notes=unique((*notes, *own)))

    def to_json() -> dict[str, Any]:
        content = finding.to_json()
        return {**content, "notes": [*(note.to_json() for note in notes), *content["notes"]]}

    return Output(title, (table,), to_json, answer, lambda: page_of(finding, title), draw=draw)


def paper_forms(finding: Any) -> dict[str, Callable[[], str]]:
    """Return what is written for a paper: the paragraph with its tables, and the works that it cites."""
    return {"tex": finding.to_paper, "bib": lambda: finding.methods.bibtex}


def page_of(finding: Any, title: str) -> Any:
    """Return the page of a result."""
    from veracity.reports.report import report

    return report(finding, title=title)


def save(out: str, content: str | bytes) -> None:
    """Write a file and say so on standard error."""
    try:
        Path(out).write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as why:
        raise BadInput(f"--out {out} cannot be written: {why.strerror}") from None
    announce(out)


def announce(out: str) -> None:
    """Say that a file was written."""
    click.echo(f"wrote {spell_out_controls(out)}", err=True)


def show(answer: str, tables: Sequence[Table], listing: str = "") -> None:
    """Print tables for a reader, as wide as the terminal."""
    click.echo(_text(answer, tables, listing, shutil.get_terminal_size().columns if sys.stdout.isatty() else None))


def _text(answer: str, tables: Sequence[Table], listing: str = "", width: int | None = None) -> str:
    """Return tables as text: cautions come first, headings stand out on a terminal, remarks come last."""
    notes = [note for table in tables for note in table.notes]
    blocks = [_note_text(cautions(notes)), spell_out_controls(answer), spell_out_controls(listing, keep="\n")]
    for table in tables:
        narrow, constant = split_constant_columns(table)
        head, *body = grid(narrow, width).split("\n")
        caption = [click.style(spell_out_controls(table.caption), bold=True)] if table.caption else []
        lines = [*caption, *([spell_out_controls(constant)] if constant else [])]
        lines += [click.style(head, bold=True), *body] if table.rows or not caption else []
        blocks.append("\n".join(lines))
    blocks.append(_note_text(remarks(notes)))
    return "\n\n".join(filter(None, blocks))


def _note_text(notes: Sequence[Note]) -> str:
    """Return the lines of notes, the weight of each in colour."""
    lines = []
    for line in note_lines(notes):
        weight, colon, rest = line.partition(":")
        lines.append(click.style(weight, fg=COLOURS[weight]) + colon + rest if weight in COLOURS else line)
    return "\n".join(lines)
