"""Rows below each other: estimates with their intervals, or scores of splits as dots with a box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import break_name, text_width
from veracity.records.arrays import Array
from veracity.reports.svg.paper import THIRD, Drawing, Frame, axes, drawing, numbered_ticks, range_of, tag, text

ROW, SIZE, LINE = 17.0, 12.0, 13.0  # pixels of a row, of a letter, and from line to line of a name
MOST = 0.42  # of the picture's width: the names
NAME = 160  # characters of a name
LONG = 16  # rows from which on the numbers of the axis stand above them too
STRIP = 20.0  # pixels of a row of dots
TICK = 55  # pixels of the axis for a number
MOST_DOTS = 60  # dots of one row
APART = 300  # dots of a picture up to which each is an element


class ForestRow(NamedTuple):
    """One estimate: its name, value and limits, which may be missing."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def forest(rows: Sequence[ForestRow], x_title: str, says: str, zero: bool = False, width: float = THIRD) -> Drawing:
    """A point for each value and a line for its interval; with `zero`, a line where two are equal."""
    ends = np.array([n for row in rows for n in (row.value, row.low, row.high) if n is not None], float)
    side = range_of(np.append(ends, 0.0) if zero else ends, room=0.06)
    names = [break_name(row.name, NAME, MOST * width / SIZE) for row in rows]
    heights = (ROW + LINE * (len(lines) - 1) for lines in names)
    tops = list(accumulate(heights, initial=22.0 if len(rows) > LONG else 6.0))
    frame = _frame(side, names, tops[-1], width, tops[0], x_title)
    ticks = numbered_ticks(*side, about=round(frame.across / TICK))
    parts = axes(frame, x_title, "", ticks, {})
    if len(rows) > LONG:
        parts += [text(frame.x_of(value), tops[0] - 8, label, "tick", "middle") for value, label in ticks.items()]
    if zero:
        at = frame.x_of(0.0)
        parts.append(tag("line", x1=at, x2=at, y1=frame.top, y2=frame.height - frame.bottom, class_="zero"))
    for row, lines, (top, bottom) in zip(rows, names, pairwise(tops), strict=True):
        parts += _bar(frame, row, lines, (top + bottom) / 2)
    return drawing(frame.width, frame.height, says, parts)


def _frame(
    side: tuple[float, float], names: Sequence[Sequence[str]], bottom: float, width: float, top: float, x_title: str
) -> Frame:
    """Room for the names at the left, and below for numbers and a title where there is one."""
    left = 14 + SIZE * max((text_width(line) for lines in names for line in lines), default=0.0)
    below = 42.0 if x_title else 24.0
    return Frame(side, (0, 1), width=width, height=bottom + below, left=left, top=top, bottom=below)


def _bar(frame: Frame, bar: ForestRow, lines: Sequence[str], y: float) -> list[Markup]:
    """Draw a point, and a line for its interval, which ends at the edge of the chart where it has no bound."""
    parts = _name(frame, lines, y)
    low, high = bar.low, bar.high
    if not (low is high is None or any(end is not None and not math.isfinite(end) for end in (low, high))):
        start = frame.left if low is None else frame.x_of(low)
        end = frame.width - frame.right if high is None else frame.x_of(high)
        parts.append(tag("line", x1=start, x2=end, y1=y, y2=y, class_="line s0 whisker"))
    if math.isinf(bar.value):
        parts.append(text(frame.width - frame.right - 4, y + 4, "infinite", "tick", "end"))
    if math.isfinite(bar.value):
        limits = "" if low is high is None else f", at most {high:.4g}" if low is None else f", at least {low:.4g}"
        if low is not None and high is not None:
            limits = f" [{low:.4g}, {high:.4g}]"
        label = tag("title", f"{bar.name}: {bar.value:.4g}{limits}")
        parts.append(tag("circle", label, cx=frame.x_of(bar.value), cy=y, r=4.5, class_="dot s0"))
    return parts


def _name(frame: Frame, lines: Sequence[str], y: float) -> list[Markup]:
    """At the left, its middle at y."""
    first = y + 4 - LINE * (len(lines) - 1) / 2
    return [text(frame.left - 10, first + LINE * i, line, "words", "end", NAME) for i, line in enumerate(lines)]


def strips(rows: Sequence[tuple[str, Array]], x_title: str, says: str, width: float = THIRD) -> Drawing:
    """One row for each name: the score of every split, the box of quartiles and the median."""
    known = [(break_name(name, NAME, MOST * width / SIZE), values[np.isfinite(values)]) for name, values in rows]
    side = range_of(*(values for _, values in known), room=0.05)
    tops = list(accumulate((max(STRIP, LINE * len(lines) + 4) for lines, _ in known), initial=6.0))
    frame = _frame(side, [lines for lines, _ in known], tops[-1], width, tops[0], x_title)
    parts = axes(frame, x_title, "", numbered_ticks(*side, about=round(frame.across / TICK)), {})
    many = sum(len(values) for _, values in known) > APART
    for (lines, values), (top, bottom) in zip(known, pairwise(tops), strict=True):
        parts += _strip(frame, lines, values, (top + bottom) / 2, many)
    return drawing(frame.width, frame.height, says, parts)


def _strip(frame: Frame, lines: Sequence[str], values: Array, y: float, many: bool) -> list[Markup]:
    """The dots are elements of their own, or one for the row where there are many."""
    parts = _name(frame, lines, y)
    if not len(values):
        return parts
    low, middle, high = (frame.x_of(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    parts.append(tag("rect", x=low, y=y - 8, width=max(high - low, 1.0), height=16, class_="box"))
    shown = np.sort(values)[np.unique(np.linspace(0, len(values) - 1, min(MOST_DOTS, len(values))).astype(int))]
    shifts = (5.0 * ((number * 7) % 5 - 2) / 2 for number in range(len(shown)))  # apart, the same way every time
    places = [(frame.x_of(value), y + shift) for value, shift in zip(shown.tolist(), shifts, strict=True)]
    if many:
        parts.append(tag("path", d="".join(f"M{x:.1f} {at:.1f}h0" for x, at in places), class_="dots s0"))
    else:
        parts += [tag("circle", cx=x, cy=at, r=2, class_="dot s0 faint") for x, at in places]
    parts.append(tag("line", x1=middle, x2=middle, y1=y - 8, y2=y + 8, class_="median"))
    return parts
