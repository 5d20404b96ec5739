"""Tables in LaTeX with booktabs."""

from __future__ import annotations

from veracity.tables.table import Table
from veracity.tables.text import visible

ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",  # after \\ a bracket or a star would be read as its option
    "]": "{]}",
    "*": "{*}",
    "†": r"\textdagger{}",
    "-": "{-}",  # no dashes out of hyphens
}


def latex(table: Table) -> str:
    """A table environment; notes stand below in small print. Needs the package booktabs."""
    layout = "".join("l" if column.align == "left" else "r" for column in table.columns)
    lines = [r"% needs \usepackage{booktabs}", r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape(table.caption)}}}")
    lines += [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", _row([escape(title) for title in table.titles])]
    lines.append(r"\midrule")
    for i, row in enumerate(table.texts):
        lines.append(_row([_cell(cell, (i, j) in table.bold) for j, cell in enumerate(row)]))
    lines += [r"\bottomrule", r"\end{tabular}", *_notes(table), r"\end{table}"]
    return "\n".join(lines) + "\n"


def _notes(table: Table) -> list[str]:
    if not table.notes:
        return []
    said = [rf"{escape(str(note))}\par" for note in table.notes]
    return [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", *said, r"\end{minipage}"]


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: str, bold: bool) -> str:
    number = cell.removeprefix("-")
    text = f"$-${number}" if cell != number and number[:1].isdigit() else escape(cell)
    return rf"\textbf{{{text}}}" if bold else text


def escape(cell: str) -> str:
    """Text that LaTeX sets as it is."""
    return "".join(ESCAPED.get(c, c) for c in visible(cell))
