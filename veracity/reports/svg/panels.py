"""A calibration chart of many models as small ones of the same axes, one for each, with intervals and bin sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from veracity.findings.curve import Curve, Line
from veracity.reports.svg.chart import guide_paths, line_parts
from veracity.reports.svg.paper import Frame, axes, drawing, tag

WIDE, TALL = 190.0, 160.0  # pixels of a panel
ROWS = 0.14  # of a panel's height: the bar of the fullest bin
TICKS = {0.0: "0", 0.5: "0.5", 1.0: "1"}
ROOM = (-0.02, 1.02)


def panels(curve: Curve) -> dict[str, Markup]:
    """One panel for each line by its name, in the order of the curve; bars at the bottom are the rows of each bin."""
    return {line.name: _panel(curve, line) for line in curve.lines}


def _panel(curve: Curve, line: Line) -> Markup:
    frame = Frame(ROOM, ROOM, width=WIDE, height=TALL, left=32, right=8, top=6, bottom=24)
    parts = axes(frame, "", "", TICKS, TICKS)  # too small for titles: what stands above says them
    guides = guide_paths(frame, curve.guides, {})
    inside = [*parts, *_bars(frame, curve.facts["bins"][line.name]), *guides, *line_parts(frame, line, "s0")]
    return drawing(WIDE, TALL, f"{curve.title} of {line.name}: {curve.y_title} against {curve.x_title}", inside)


def _bars(frame: Frame, bins: Sequence[Any]) -> list[Markup]:
    """Rows of each bin, from the bottom up, the fullest of this model as high as may be."""
    most, floor = max(each.rows for each in bins), frame.y_of(0.0)
    parts = []
    for each in bins:
        top = frame.y_of(ROWS * each.rows / most)
        says = tag("title", f"{each.rows:g} rows from {each.low:.3g} to {each.high:.3g}: {each.frequency:.3g}")
        place = {"x": frame.x_of(each.confidence) - 4, "y": top, "width": 8, "height": floor - top}
        parts.append(tag("rect", says, **place, class_="bar s5"))
    return parts
