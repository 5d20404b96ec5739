"""Rows below each other: estimates with their intervals, or scores of splits as dots with a box."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import break_name, text_width
from veracity.records.arrays import Array
from veracity.reports.svg.paper import WIDE, Frame, axes, drawing, numbered_ticks, range_of, tag, text

ROW, SIZE, LINE = 22.0, 12.0, 13.0  # pixels of a row, of a letter, and from line to line of a name
MOST = 210.0  # pixels of the names
NAME = 160  # characters of a name
LONG = 16  # rows from which on the numbers of the axis stand above them too
STRIP = 30
STRIP_MARGIN, STRIP_NAME = 170.0, 60  # pixels of the names, and characters of one
MOST_DOTS = 60  # dots of one row
APART = 300  # dots of a picture up to which each is an element


class ForestRow(NamedTuple):
    """One estimate: its name, value and limits, which may be missing; bars of one group stand under its name."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    group: str = ""


def forest(bars: Sequence[ForestRow], x_title: str, says: str, zero: bool = False) -> Markup:
    """A point for each value and a line for its interval; with `zero`, a line where two are equal."""
    ends = np.array([n for bar in bars for n in (bar.value, bar.low, bar.high) if n is not None], float)
    side = range_of(np.append(ends, 0.0) if zero else ends, room=0.06)
    rows = list(_rows(bars))
    tops = list(accumulate((_height(row) for row in rows), initial=22.0 if len(rows) > LONG else 6.0))
    left = 20 + SIZE * max((text_width(line) for bar in bars for line in _lines(bar.name)), default=0.0)
    frame = Frame(side, (0, 1), width=WIDE, height=tops[-1] + 48, left=left, top=tops[0])
    ticks = numbered_ticks(*side)
    parts = axes(frame, x_title, "", ticks, {})
    if len(rows) > LONG:
        parts += [text(frame.x_of(value), tops[0] - 8, label, "tick", "middle") for value, label in ticks.items()]
    if zero:
        at = frame.x_of(0.0)
        parts.append(tag("line", x1=at, x2=at, y1=frame.top, y2=frame.height - frame.bottom, class_="zero"))
    for row, (top, bottom) in zip(rows, pairwise(tops), strict=True):
        y = (top + bottom) / 2
        parts += [text(8, y + 5, row, "strong", longest=NAME)] if isinstance(row, str) else _bar(frame, row, y)
    return drawing(frame.width, frame.height, says, parts, "chart wide")


def _rows(bars: Sequence[ForestRow]) -> Iterator[ForestRow | str]:
    """The name of each group, then its bars."""
    for group, members in groupby(bars, lambda bar: bar.group):
        yield from [group] if group else []
        yield from members


def _lines(name: str) -> tuple[str, ...]:
    """A name in as many lines as it needs."""
    return break_name(name, NAME, MOST / SIZE)


def _height(row: ForestRow | str) -> float:
    return ROW if isinstance(row, str) else ROW + LINE * (len(_lines(row.name)) - 1)


def _bar(frame: Frame, bar: ForestRow, y: float) -> list[Markup]:
    parts = _name(frame, _lines(bar.name), y)
    if bar.low is not None and bar.high is not None and math.isfinite(bar.low) and math.isfinite(bar.high):
        ends = {"x1": frame.x_of(bar.low), "x2": frame.x_of(bar.high), "y1": y, "y2": y}
        parts.append(tag("line", **ends, class_="line s0 whisker"))
    if math.isinf(bar.value):
        parts.append(text(frame.width - frame.right - 4, y + 4, "infinite", "tick", "end"))
    if math.isfinite(bar.value):
        limits = f" [{bar.low:.4g}, {bar.high:.4g}]" if bar.low is not None and bar.high is not None else ""
        label = tag("title", f"{' · '.join(filter(None, (bar.group, bar.name)))}: {bar.value:.4g}{limits}")
        parts.append(tag("circle", label, cx=frame.x_of(bar.value), cy=y, r=4.5, class_="dot s0"))
    return parts


def _name(frame: Frame, lines: Sequence[str], y: float) -> list[Markup]:
    """At the left, its middle at y."""
    first = y + 4 - LINE * (len(lines) - 1) / 2
    return [text(frame.left - 10, first + LINE * i, line, "words", "end", NAME) for i, line in enumerate(lines)]


def strips(rows: Sequence[tuple[str, Array]], x_title: str, says: str) -> Markup:
    """One row for each name: the score of every split, the box of quartiles and the median."""
    known = [(name, values[np.isfinite(values)]) for name, values in rows]
    side = range_of(*(values for _, values in known), room=0.05)
    left = 20 + min(STRIP_MARGIN, SIZE * max((text_width(name) for name, _ in known), default=0.0))
    frame = Frame(side, (0, len(rows)), width=WIDE, height=STRIP * len(rows) + 54, left=left, top=6)
    parts = axes(frame, x_title, "", numbered_ticks(*side), {})
    many = sum(len(values) for _, values in known) > APART
    for number, (name, values) in enumerate(known):
        parts += _strip(frame, name, values, frame.top + STRIP * (number + 0.5), many)
    return drawing(frame.width, frame.height, says, parts, "chart wide")


def _strip(frame: Frame, name: str, values: Array, y: float, many: bool) -> list[Markup]:
    """The dots are elements of their own, or one for the row where there are many."""
    parts = _name(frame, break_name(name, STRIP_NAME, STRIP_MARGIN / SIZE), y)
    if not len(values):
        return parts
    low, middle, high = (frame.x_of(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    parts.append(tag("rect", x=low, y=y - 9, width=max(high - low, 1.0), height=18, class_="box"))
    shown = np.sort(values)[np.unique(np.linspace(0, len(values) - 1, min(MOST_DOTS, len(values))).astype(int))]
    shifts = (5.0 * ((number * 7) % 5 - 2) / 2 for number in range(len(shown)))  # apart, the same way every time
    places = [(frame.x_of(value), y + shift) for value, shift in zip(shown.tolist(), shifts, strict=True)]
    if many:
        parts.append(tag("path", d="".join(f"M{x:.1f} {at:.1f}h0" for x, at in places), class_="dots s0"))
    else:
        parts += [tag("circle", cx=x, cy=at, r=2, class_="dot s0 faint") for x, at in places]
    parts.append(tag("line", x1=middle, x2=middle, y1=y - 9, y2=y + 9, class_="median"))
    return parts
