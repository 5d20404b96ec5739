"""Scores of splits as dots side by side, with the middle half of them as a box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import break_lines, cut, text_width
from veracity.records.arrays import Array
from veracity.reports.svg.paper import WIDE, Frame, axes, drawing, numbered_ticks, range_of, tag, text

ROW = 30
MARGIN, SIZE, LINE, NAME = 170.0, 12.0, 13.0, 60  # pixels of the names, of a letter and a line; characters of a name
MOST = 60  # dots of one row


def strips(rows: Sequence[tuple[str, Array]], x_title: str, says: str) -> Markup:
    """One row for each name: the score of every split, the box of quartiles and the median."""
    known = [(name, values[np.isfinite(values)]) for name, values in rows]
    side = range_of(*(values for _, values in known), room=0.05)
    left = 20 + min(MARGIN, SIZE * max((text_width(name) for name, _ in known), default=0.0))
    frame = Frame(side, (0, len(rows)), width=WIDE, height=ROW * len(rows) + 54, left=left, top=6)
    parts = axes(frame, x_title, "", numbered_ticks(*side), {})
    for number, (name, values) in enumerate(known):
        parts += _strip(frame, name, values, frame.top + ROW * (number + 0.5))
    return drawing(frame.width, frame.height, says, parts, "chart wide")


def _strip(frame: Frame, name: str, values: Array, y: float) -> list[Markup]:
    lines = break_lines(cut(" ".join(name.split()), NAME), MARGIN / SIZE)
    first = y + 4 - LINE * (len(lines) - 1) / 2
    parts = [text(frame.left - 10, first + LINE * i, line, "words", "end", NAME) for i, line in enumerate(lines)]
    if not len(values):
        return parts
    low, middle, high = (frame.across(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    parts.append(tag("rect", x=low, y=y - 9, width=max(high - low, 1.0), height=18, class_="box"))
    shown = np.sort(values)[np.unique(np.linspace(0, len(values) - 1, min(MOST, len(values))).astype(int))]
    for number, value in enumerate(shown.tolist()):
        shift = 5.0 * ((number * 7) % 5 - 2) / 2  # apart from each other, the same way every time
        parts.append(tag("circle", cx=frame.across(value), cy=y + shift, r=2, class_="dot s0 faint"))
    parts.append(tag("line", x1=middle, x2=middle, y1=y - 9, y2=y + 9, class_="median"))
    return parts
