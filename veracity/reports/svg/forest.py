"""Estimates with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from veracity.reports.svg.paper import Frame, axes, drawing, numbered, reach, tag, text

ROW = 24


class Bar(NamedTuple):
    """One estimate: its name, value and limits, which may be missing."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def forest(bars: Sequence[Bar], x_title: str, says: str, zero: bool = False) -> Markup:
    """A point for each value and a line for its interval; with `zero`, a line where two are equal."""
    ends = np.array([n for bar in bars for n in (bar.value, bar.low, bar.high) if n is not None], float)
    side = reach(np.append(ends, 0.0) if zero else ends, room=0.06)
    widest = min(max((len(bar.name) for bar in bars), default=0), 40)
    frame = Frame(side, (0, len(bars)), width=640, height=ROW * len(bars) + 54, left=20 + 6.6 * widest, top=6)
    parts = axes(frame, x_title, "", numbered(*side), {})
    if zero:
        at = frame.across(0.0)
        parts.append(tag("line", x1=at, x2=at, y1=frame.top, y2=frame.height - frame.bottom, class_="zero"))
    for number, bar in enumerate(bars):
        parts += _row(frame, bar, frame.top + ROW * (number + 0.5))
    return drawing(frame.width, frame.height, says, parts, "chart wide")


def _row(frame: Frame, bar: Bar, y: float) -> list[Markup]:
    parts = [text(frame.left - 10, y + 4, bar.name, "words", "end")]
    if bar.low is not None and bar.high is not None and math.isfinite(bar.low) and math.isfinite(bar.high):
        parts.append(
            tag("line", x1=frame.across(bar.low), x2=frame.across(bar.high), y1=y, y2=y, class_="line s0 whisker")
        )
    if math.isinf(bar.value):
        parts.append(text(frame.width - frame.right - 4, y + 4, "infinite", "tick", "end"))
    if math.isfinite(bar.value):
        limits = f" [{bar.low:.4g}, {bar.high:.4g}]" if bar.low is not None and bar.high is not None else ""
        label = tag("title", text(0, 0, f"{bar.name}: {bar.value:.4g}{limits}").striptags())
        parts.append(tag("circle", label, cx=frame.across(bar.value), cy=y, r=4.5, class_="dot s0"))
    return parts
