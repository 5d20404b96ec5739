"""Tables in LaTeX with booktabs, and text of any origin as LaTeX sets it, whichever program and encoding reads it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, groupby
from typing import Any

from veracity.core.notes import cautions, remarks
from veracity.core.words import spell_out_controls
from veracity.tables.cells import Number, cell_text
from veracity.tables.table import Table, drop_constant_columns

MAX_HEADING_LETTERS, MAX_CELL_LETTERS = 16, 40  # longer ones are broken into lines
LINES = 45  # that fit on a page; more are set as several tables
COLUMN_LETTERS = 48.7  # of one of two columns of an article in small letters
LETTERS_BETWEEN_COLUMNS = 2.55
SHRINK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
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


def latex(table: Table) -> str:
    """Return a table environment; notes stand below in small print. Needs the packages booktabs and graphicx.

    What does not fit a column of two is a `table*`, which goes over both, and in a text of one column is a table.
    LaTeX shrinks what is still too wide.
    """
    narrow = drop_constant_columns(table)
    titles = [min(letters(title), MAX_HEADING_LETTERS) for title in narrow.titles]
    columns = zip(
        titles, *([min(letters(cell), MAX_CELL_LETTERS) for cell in row] for row in narrow.texts), strict=True
    )
    name = "table" if sum(max(column) + LETTERS_BETWEEN_COLUMNS for column in columns) <= COLUMN_LETTERS else "table*"
    return "\n".join(_environment(part, name) for part in _pages(narrow))


def _pages(table: Table) -> Iterator[Table]:
    """Cut a table into parts of at most as many lines as a page takes; the notes stand below the last."""
    lines = (max((-(-letters(cell) // MAX_CELL_LETTERS) for cell in row), default=1) for row in table.texts)
    ends = list(accumulate(lines))
    pages = [list(places) for _, places in groupby(range(len(ends)), lambda i: ends[i] // LINES)] or [[]]
    for number, places in enumerate(pages):
        bold = frozenset((places.index(i), j) for i, j in table.bold if i in places)
        caption = f"{table.caption} (continued)".strip() if number else table.caption
        notes = table.notes if places is pages[-1] else ()
        yield replace(table, rows=tuple(table.rows[i] for i in places), bold=bold, caption=caption, notes=notes)


def _environment(table: Table, name: str) -> str:
    layout = "".join("l" if column.align == "left" else "r" for column in table.columns)
    headings = [_box(column.title, MAX_HEADING_LETTERS, column.align, "b") for column in table.columns]
    rows = [[_cell(cell, (i, j) in table.bold) for j, cell in enumerate(row)] for i, row in enumerate(table.rows)]
    notes = [rf"{sentence(str(note))}\par" for note in (*cautions(table.notes), *remarks(table.notes))]
    lines = [r"% needs \usepackage{booktabs,graphicx}", rf"\begin{{{name}}}", r"\centering"]
    lines += [rf"\caption{{{sentence(table.full_caption)}}}", r"\smallskip"] if table.full_caption else []
    lines += [SHRINK, rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
    first, *others = (" & ".join(cells) + r" \\" for cells in (headings, *rows))
    lines += [first, r"\midrule", *others]
    lines += [r"\bottomrule", r"\end{tabular}}"]
    if notes:
        lines += [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", *notes, r"\end{minipage}"]
    return "\n".join([*lines, rf"\end{{{name}}}"]) + "\n"


def _box(text: str, most: int, align: str, level: str) -> str:
    """Text as it is, or in a box that breaks it into lines."""
    escaped = escape(text)
    if letters(text) <= most:
        return escaped
    side = r"\raggedright" if align == "left" else r"\raggedleft"
    broken = BREAK.sub(r"\1\\allowbreak{}", escaped)
    return rf"\parbox[{level}]{{{most / 2:g}em}}{{{side}\strut {broken}\strut}}"


def _cell(cell: Any, bold: bool) -> str:
    text = cell_text(cell)
    found = EXPONENT.fullmatch(text) if isinstance(cell, (float, Number)) else None
    if found:
        number = power(*found.groups())
        return rf"$\mathbf{{{number}}}$" if bold else f"${number}$"
    said = _box(text, MAX_CELL_LETTERS, "left", "t")
    if isinstance(cell, (float, int, Number)):
        said = re.sub("^-", "$-$", text).replace("inf", r"$\infty$")  # a true minus, and infinity as its sign
    return rf"\textbf{{{said}}}" if bold else said


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; what only newer programs can set is told by its number where they do not run."""
    whole = unicodedata.normalize("NFC", spell_out_controls(text))
    marked = "".join(_letter(c) for c in whole)

    def either(foreign: re.Match[str]) -> str:
        numbers = " ".join(f"U+{ord(c):04X}" for c in foreign[0])
        return rf"{{\ifdefined\Umathchar {foreign[0]}\else {numbers}\fi}}"

    return FOREIGN.sub(either, marked)


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
