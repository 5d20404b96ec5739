"""Tables in LaTeX with booktabs, and text of any origin as LaTeX sets it, whichever program and encoding reads it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Any

from veracity.core.notes import cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.cells import Number, cell_text
from veracity.tables.table import Table, drop_constant_columns

HEADING, LONGEST, SHORTEST = 16, 40, 24  # letters of a heading and of a cell, from which on they are broken into lines
LINES = 45  # that fit on a page; more are set as several tables
PAGE = 345.0  # points: the width of an article's text
COLUMN = 229.0  # and that of one of its two columns; IEEE's have 252
EXPONENT = re.compile(r"(-?\d(?:\.\d+)?)e([+-]\d+)")
BREAK = re.compile(r"(\\_|[(,=/:])")  # behind these a long word may be broken
ESCAPED = {
    **{sign: rf"\{sign}" for sign in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",  # \textquotedbl is missing from the usual encoding
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after \\ a bracket or a star would be read as its option
    "]": "{]}",
    "*": "{*}",
    "-": "{-}",  # no dashes out of hyphens
    "'": "{'}",  # no quotes out of two
}
MARKS, AS_ACCENT = (
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327",
    r"""\` \' \^ \~ \= \u \. \" \r \H \v \c""",
)
ACCENTS = dict(zip(MARKS, AS_ACCENT.split(), strict=True))
LETTERS, AS_TEXT = (
    "ßæÆœŒøØłŁı†…–—“”‘’",
    r"\ss{} \ae{} \AE{} \oe{} \OE{} \o{} \O{} \l{} \L{} \i{} \textdagger{} \ldots{} -- --- `` '' ` '",
)
SIGNS, AS_SIGN = (
    "−×±·≤≥≠≈→∞√µ°²³αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
    (
        r"- \times \pm \cdot \leq \geq \neq \approx \to \infty \surd \mu ^\circ ^2 ^3 \alpha \beta \gamma \delta"
        r" \epsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi \pi \rho \sigma \tau \upsilon \phi \chi \psi"
        r" \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega"
    ),
)
KNOWN = {
    **ESCAPED,
    **dict(zip(LETTERS, AS_TEXT.split(), strict=True)),
    **{sign: rf"\ensuremath{{{command}}}" for sign, command in zip(SIGNS, AS_SIGN.split(), strict=True)},
}
POWER = re.compile(r"(?<![^\s\[(])(-?\d(?:\.\d+)?)e([+-]\d+)(?![^\s,;:)\]])")
MINUS = re.compile(r"(^|\s|\(|\{\[\})\{-\}(?=\d)")
NUMBER = 7  # letters of U+65E5 and the space behind
FOREIGN = re.compile(r"[^\x20-\x7e]+")


@dataclass(frozen=True)
class TableSize:
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
        return max((-(-letters(cell_text(cell)) // self.longest) for cell in row), default=1)


SIZES = (TableSize("", 5.0), TableSize(r"\small", 4.7), TableSize(r"\footnotesize", 4.3, 3.0))


def latex(table: Table) -> str:
    """A table environment, small enough for a page; notes stand below in small print. Needs the package booktabs.

    What does not fit a column of two is a `table*`, which goes over both, and in a text of one column is a table.
    """
    narrow = drop_constant_columns(table)
    size = next((one for one in SIZES[:2] if one.width(narrow) <= COLUMN), None)
    size = size or next((one for one in SIZES if one.width(narrow) <= PAGE), _narrow_size(narrow))
    return "\n".join(_environment(part, size) for part in _pages(narrow, size))


def _columns(table: Table) -> list[int]:
    """Letters of the longest cell of each column."""
    titles = [min(letters(title), HEADING) for title in table.titles]
    return [max(each) for each in zip(titles, *(map(letters, row) for row in table.texts), strict=True)]


def _narrow_size(table: Table) -> TableSize:
    """Small letters, and lines of long columns as short as the others leave room for."""
    small, columns = SIZES[-1], _columns(table)
    long = [column for column in columns if column > SHORTEST]
    room = (PAGE - 2 * small.gap * len(columns)) / small.letter - (sum(columns) - sum(long))
    return replace(small, longest=max(SHORTEST, int(room / len(long))) if long else LONGEST)


def _pages(table: Table, size: TableSize) -> Iterator[Table]:
    """Not more lines than a page takes; what follows is continued, and the notes stand below the last."""
    ends = list(accumulate(size.lines(row) for row in table.rows))
    pages = [list(places) for _, places in groupby(range(len(ends)), lambda i: ends[i] // LINES)] or [[]]
    for number, places in enumerate(pages):
        bold = frozenset((places.index(i), j) for i, j in table.bold if i in places)
        caption = f"{table.caption} (continued)".strip() if number else table.caption
        notes = table.notes if places is pages[-1] else ()
        yield replace(table, rows=tuple(table.rows[i] for i in places), bold=bold, caption=caption, notes=notes)


def _environment(table: Table, size: TableSize) -> str:
    name = "table" if size.width(table) <= COLUMN else "table*"
    lines = [r"% needs \usepackage{booktabs}", rf"\begin{{{name}}}", r"\centering"]
    lines += [rf"\caption{{{sentence(table.full_caption)}}}", r"\smallskip"] if table.full_caption else []
    lines += [size.command] if size.command else []
    lines += [rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"] if size.gap != SIZES[0].gap else []
    lines += [*_tabular(table, size), *_notes(table), rf"\end{{{name}}}"]
    return "\n".join(lines) + "\n"


def _tabular(table: Table, size: TableSize) -> list[str]:
    """One that is still too wide stands out equally at both sides."""
    layout = "".join("l" if column.align == "left" else "r" for column in table.columns)
    headings = [_box(column.title, HEADING, column.align, "b") for column in table.columns]
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", _row(headings), r"\midrule"]
    for i, row in enumerate(table.rows):
        lines.append(_row([_cell(cell, (i, j) in table.bold, size.longest) for j, cell in enumerate(row)]))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return [r"\makebox[\linewidth][c]{%", *lines[:-1], lines[-1] + "}"] if size.width(table) > PAGE else lines


def _box(text: str, most: int, align: str, level: str) -> str:
    """Text as it is, or in a box that breaks it into lines."""
    escaped = escape(text)
    if letters(text) <= most:
        return escaped
    side = r"\raggedright" if align == "left" else r"\raggedleft"
    broken = BREAK.sub(r"\1\\allowbreak{}", escaped)
    return rf"\parbox[{level}]{{{most / 2:g}em}}{{{side}\strut {broken}\strut}}"


def _notes(table: Table) -> list[str]:
    if not table.notes:
        return []
    said = [rf"{sentence(str(note))}\par" for note in (*cautions(table.notes), *remarks(table.notes))]
    return [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", *said, r"\end{minipage}"]


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Any, bold: bool, longest: int) -> str:
    text = cell_text(cell)
    found = EXPONENT.fullmatch(text) if isinstance(cell, (float, Number)) else None
    if found:
        number = power(*found.groups())
        return rf"$\mathbf{{{number}}}$" if bold else f"${number}$"
    said = _box(text, longest, "left", "t")
    if isinstance(cell, (float, int, Number)):
        said = re.sub("^-", "$-$", text).replace("inf", r"$\infty$")  # a true minus, and infinity as its sign
    return rf"\textbf{{{said}}}" if bold else said


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; what only newer programs can set is told by its number where they do not run."""
    whole = unicodedata.normalize("NFC", spell_out_controls(text))
    marked = "".join(_letter(c) for c in whole)
    return FOREIGN.sub(_either, marked)


def letters(text: str) -> int:
    """How many letters the older programs set, to which a foreign letter is a number."""
    return sum(1 if c.isascii() or _letter(c) != c else NUMBER for c in spell_out_controls(text))


def _letter(c: str) -> str:
    if c in KNOWN:
        return KNOWN[c]
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS:
        return f"{{{ACCENTS[parts[1]]}{{{parts[0]}}}}}"
    return c


def _either(foreign: re.Match[str]) -> str:
    numbers = " ".join(f"U+{ord(c):04X}" for c in foreign[0])
    return rf"{{\ifdefined\Umathchar {foreign[0]}\else {numbers}\fi}}"


def sentence(text: str) -> str:
    """Words of our own about numbers: powers of ten as mathematics, and a true minus."""
    parts = POWER.split(text)
    said = [escape(parts[0])]
    for digits, exponent, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        said += [f"${power(digits, exponent)}$", escape(rest)]
    return MINUS.sub(r"\1$-$", "".join(said))


def power(digits: str, exponent: str) -> str:
    """A number written with an exponent, as mathematics."""
    return rf"{digits}\times10^{{{int(exponent)}}}"
