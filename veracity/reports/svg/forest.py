"""Estimates with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from veracity.plots.letters import cut, wide
from veracity.reports.svg.paper import WIDE, Frame, axes, drawing, numbered, reach, tag, text

ROW, SIZE = 22.0, 12.0
MOST = 210.0  # pixels of the names
NAME = 60  # characters of a name
LONG = 16  # rows from which on the numbers of the axis stand above them too


class Bar(NamedTuple):
    """One estimate: its name, value and limits, which may be missing; bars of one group stand under its name."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    group: str = ""


def forest(bars: Sequence[Bar], x_title: str, says: str, zero: bool = False) -> Markup:
    """A point for each value and a line for its interval; with `zero`, a line where two are equal."""
    ends = np.array([n for bar in bars for n in (bar.value, bar.low, bar.high) if n is not None], float)
    side = reach(np.append(ends, 0.0) if zero else ends, room=0.06)
    rows = list(_rows(bars))
    top = 22.0 if len(rows) > LONG else 6.0
    left = 20 + min(MOST, SIZE * max((wide(_name(bar.name)) for bar in bars), default=0.0))
    frame = Frame(side, (0, 1), width=WIDE, height=top + ROW * len(rows) + 48, left=left, top=top)
    ticks = numbered(*side)
    parts = axes(frame, x_title, "", ticks, {})
    if len(rows) > LONG:
        parts += [text(frame.across(value), top - 8, label, "tick", "middle") for value, label in ticks.items()]
    if zero:
        at = frame.across(0.0)
        parts.append(tag("line", x1=at, x2=at, y1=frame.top, y2=frame.height - frame.bottom, class_="zero"))
    for number, row in enumerate(rows):
        y = frame.top + ROW * (number + 0.5)
        parts += [text(8, y + 5, row, "strong", longest=NAME)] if isinstance(row, str) else _bar(frame, row, y)
    return drawing(frame.width, frame.height, says, parts, "chart wide")


def _rows(bars: Sequence[Bar]) -> Iterator[Bar | str]:
    """The name of each group, then its bars."""
    for group, members in groupby(bars, lambda bar: bar.group):
        yield from [group] if group else []
        yield from members


def _name(name: str) -> str:
    """As much of a name as there is room for, both ends of it."""
    whole = " ".join(name.split())
    return next(short for most in range(NAME, 0, -1) if SIZE * wide(short := cut(whole, most)) <= MOST)


def _bar(frame: Frame, bar: Bar, y: float) -> list[Markup]:
    whole = tag("title", bar.name) if _name(bar.name) != bar.name else Markup("")
    parts = [tag("g", whole, text(frame.left - 10, y + 4, _name(bar.name), "words", "end", longest=NAME))]
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
