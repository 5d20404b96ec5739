"""Numbers in a square, shaded by size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import BREAKS, break_name, text_width
from veracity.records.arrays import Array
from veracity.reports.svg.paper import Drawing, drawing, tag, text

WIDTH = 250.0  # pixels of all cells, where their numbers leave it open
SMALLEST, LARGEST, HIGH = 30.0, 50.0, 25.0  # pixels of a cell, across and down
SIZE, LINE = 11.0, 13.0  # pixels of a letter, and from line to line
WORD = 8.5  # letters of a word that is not broken above a column
NAME, SIDE = 60, 170.0  # characters of a name, and pixels of the names at the side


def count_matrix(values: Array, names: Sequence[str], says: str) -> Drawing:
    """Rows and columns of the same names; a cell is the darker the larger its share of its row."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shade = np.nan_to_num(values / np.nansum(values, axis=1, keepdims=True))
    return shaded_matrix(values, shade, names, says, "{:g}".format)


def shaded_matrix(
    values: Array, shade: Array, names: Sequence[str], says: str, show: Callable[[float], str]
) -> Drawing:
    """Draw numbers with a shade between 0 and 1 for each; names stand whole, in as many lines as they need."""
    # a cell is as wide as numbers and words need, words within reason, and wider where there are few
    numbers = max((text_width(show(value)) for value in values[~np.isnan(values)].tolist()), default=0.0)
    words = max(text_width(word.strip()) for name in names for word in BREAKS.split(name))
    cell = max(10 + SIZE * max(numbers, min(words, WORD)), min(LARGEST, max(SMALLEST, WIDTH / len(values))))
    beside, above = ([break_name(name, NAME, room / SIZE) for name in names] for room in (SIDE, cell - 4))
    left = 14 + SIZE * max(text_width(line) for lines in beside for line in lines)
    top = 10 + LINE * max(map(len, above))
    high = max(HIGH, 4 + LINE * max(map(len, beside)))
    parts = []
    for i in range(len(names)):
        middle = top + high * (i + 0.5) + 4
        parts += _words(beside[i], left - 6, middle - LINE * (len(beside[i]) - 1) / 2, "end")
        parts += _words(above[i], left + cell * (i + 0.5), top - 6 - LINE * (len(above[i]) - 1), "middle")
        for j, value in enumerate(values[i].tolist()):
            x, y, opacity = left + cell * j, top + high * i, f"{0.05 + 0.4 * float(shade[i, j]):.2f}"
            parts.append(tag("rect", x=x, y=y, width=cell, height=high, class_="shade s0", fill_opacity=opacity))
            if value == value:
                parts.append(text(x + cell / 2, y + high / 2 + 4, show(value), "cell", "middle"))
    width, height = left + cell * len(names) + 4, top + high * len(names) + 4
    rows = zip(names, values.tolist(), strict=True)
    spoken = "; ".join(f"{name} {', '.join(show(value) for value in row if value == value)}" for name, row in rows)
    return drawing(width, height, f"{says}: {spoken}", parts)


def _words(lines: Sequence[str], x: float, y: float, side: str) -> list[Markup]:
    return [text(x, y + LINE * number, line, "cell", side, longest=NAME) for number, line in enumerate(lines)]
