"""Estimates with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import break_lines, cut, text_width
from veracity.reports.svg.paper import WIDE, Frame, axes, drawing, numbered_ticks, range_of, tag, text

ROW, SIZE, LINE = 22.0, 12.0, 13.0  # pixels of a row, of a letter, and from line to line of a name
MOST = 210.0  # pixels of the names
NAME = 160  # characters of a name
LONG = 16  # rows from which on the numbers of the axis stand above them too


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
        parts += [text(frame.across(value), tops[0] - 8, label, "tick", "middle") for value, label in ticks.items()]
    if zero:
        at = frame.across(0.0)
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
    return break_lines(cut(" ".join(name.split()), NAME), MOST / SIZE)


def _height(row: ForestRow | str) -> float:
    return ROW if isinstance(row, str) else ROW + LINE * (len(_lines(row.name)) - 1)


def _bar(frame: Frame, bar: ForestRow, y: float) -> list[Markup]:
    lines = _lines(bar.name)
    first = y + 4 - LINE * (len(lines) - 1) / 2
    parts = [text(frame.left - 10, first + LINE * i, line, "words", "end", NAME) for i, line in enumerate(lines)]
    if bar.low is not None and bar.high is not None and math.isfinite(bar.low) and math.isfinite(bar.high):
        ends = {"x1": frame.across(bar.low), "x2": frame.across(bar.high), "y1": y, "y2": y}
        parts.append(tag("line", **ends, class_="line s0 whisker"))
    if math.isinf(bar.value):
        parts.append(text(frame.width - frame.right - 4, y + 4, "infinite", "tick", "end"))
    if math.isfinite(bar.value):
        limits = f" [{bar.low:.4g}, {bar.high:.4g}]" if bar.low is not None and bar.high is not None else ""
        label = tag("title", f"{' · '.join(filter(None, (bar.group, bar.name)))}: {bar.value:.4g}{limits}")
        parts.append(tag("circle", label, cx=frame.across(bar.value), cy=y, r=4.5, class_="dot s0"))
    return parts
