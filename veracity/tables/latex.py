"""Tables in LaTeX with booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Any

from veracity.tables.latex_text import escape, letters, power, sentence
from veracity.tables.narrow import without_constant
from veracity.tables.numbers import Number, written
from veracity.tables.table import Table

HEADING, LONGEST, SHORTEST = 16, 40, 24  # letters of a heading and of a cell, from which on they are broken into lines
LINES = 45  # that fit on a page; more are set as several tables
PAGE = 345.0  # points: the width of an article's text
EXPONENT = re.compile(r"(-?\d(?:\.\d+)?)e([+-]\d+)")
BREAK = re.compile(r"(\\_|[(,=/:])")  # behind these a long word may be broken


@dataclass(frozen=True)
class Fit:
    """How a table is set: its letters, the points of one and of the space beside a column, and the longest line."""

    command: str
    letter: float
    gap: float = 6.0
    longest: int = LONGEST

    def width(self, table: Table) -> float:
        """Points from side to side, about."""
        columns = [min(column, self.longest) for column in _columns(table)]
        return self.letter * sum(columns) + 2 * self.gap * len(columns)

    def lines(self, row: tuple[Any, ...]) -> int:
        return max((-(-letters(written(cell)) // self.longest) for cell in row), default=1)


SIZES = (Fit("", 5.0), Fit(r"\small", 4.7), Fit(r"\footnotesize", 4.3, 3.0))


def latex(table: Table) -> str:
    """A table environment, small enough for a page; notes stand below in small print. Needs the package booktabs."""
    narrow = without_constant(table)
    fit = next((one for one in SIZES if one.width(narrow) <= PAGE), _broken(narrow))
    return "\n".join(_environment(part, fit) for part in _parts(narrow, fit))


def _columns(table: Table) -> list[int]:
    """Letters of the longest cell of each column."""
    titles = [min(letters(title), HEADING) for title in table.titles]
    return [max(each) for each in zip(titles, *(map(letters, row) for row in table.texts), strict=True)]


def _broken(table: Table) -> Fit:
    """Small letters, and lines of long columns as short as the others leave room for."""
    small, columns = SIZES[-1], _columns(table)
    long = [column for column in columns if column > SHORTEST]
    room = (PAGE - 2 * small.gap * len(columns)) / small.letter - (sum(columns) - sum(long))
    return replace(small, longest=max(SHORTEST, int(room / len(long))) if long else LONGEST)


def _parts(table: Table, fit: Fit) -> Iterator[Table]:
    """Not more lines than a page takes; what follows is continued, and the notes stand below the last."""
    ends = list(accumulate(fit.lines(row) for row in table.rows))
    pages = [list(places) for _, places in groupby(range(len(ends)), lambda i: ends[i] // LINES)] or [[]]
    for number, places in enumerate(pages):
        bold = frozenset((places.index(i), j) for i, j in table.bold if i in places)
        caption = f"{table.caption} (continued)".strip() if number else table.caption
        notes = table.notes if places is pages[-1] else ()
        yield replace(table, rows=tuple(table.rows[i] for i in places), bold=bold, caption=caption, notes=notes)


def _environment(table: Table, fit: Fit) -> str:
    lines = [r"% needs \usepackage{booktabs}", r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{sentence(table.caption)}}}", r"\smallskip"] if table.caption else []
    lines += [fit.command] if fit.command else []
    lines += [rf"\setlength{{\tabcolsep}}{{{fit.gap:g}pt}}"] if fit.gap != SIZES[0].gap else []
    lines += [*_tabular(table, fit), *_notes(table), r"\end{table}"]
    return "\n".join(lines) + "\n"


def _tabular(table: Table, fit: Fit) -> list[str]:
    """One that is still too wide stands out equally at both sides."""
    layout = "".join("l" if column.align == "left" else "r" for column in table.columns)
    headings = [_boxed(column.title, HEADING, column.align, "b") for column in table.columns]
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", _row(headings), r"\midrule"]
    for i, row in enumerate(table.rows):
        lines.append(_row([_cell(cell, (i, j) in table.bold, fit.longest) for j, cell in enumerate(row)]))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return [r"\makebox[\linewidth][c]{%", *lines[:-1], lines[-1] + "}"] if fit.width(table) > PAGE else lines


def _boxed(text: str, most: int, align: str, level: str) -> str:
    """Text as it is, or in a box that breaks it into lines."""
    said = escape(text)
    if letters(text) <= most:
        return said
    side = r"\raggedright" if align == "left" else r"\raggedleft"
    broken = BREAK.sub(r"\1\\allowbreak{}", said)
    return rf"\parbox[{level}]{{{most / 2:g}em}}{{{side}\strut {broken}\strut}}"


def _notes(table: Table) -> list[str]:
    if not table.notes:
        return []
    said = [rf"{sentence(str(note))}\par" for note in table.notes]
    return [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", *said, r"\end{minipage}"]


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Any, bold: bool, longest: int) -> str:
    text = written(cell)
    found = EXPONENT.fullmatch(text) if isinstance(cell, (float, Number)) else None
    if found:
        number = power(*found.groups())
        return rf"$\mathbf{{{number}}}$" if bold else f"${number}$"
    said = _number(text) if isinstance(cell, (float, int, Number)) else _boxed(text, longest, "left", "t")
    return rf"\textbf{{{said}}}" if bold else said


def _number(text: str) -> str:
    """A true minus, and infinity as its sign."""
    return re.sub("^-", "$-$", text).replace("inf", r"$\infty$")
