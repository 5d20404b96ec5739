"""A calibration chart of many models as small ones of the same axes, one for each, with intervals and bin sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from veracity.findings.curve import Curve, Line
from veracity.plots.letters import cut
from veracity.reports.svg.chart import guide_path, line_parts
from veracity.reports.svg.paper import WIDE, Frame, axes, drawing, tag, text

ACROSS = 2  # panels in a row
TALL = 190.0  # pixels of a panel
NAME = 28  # characters above a panel
ROWS = 0.14  # of a panel's height: the bar of the fullest bin
TICKS = {0.0: "0", 0.5: "0.5", 1.0: "1"}


def panels(curve: Curve) -> Markup:
    """One panel for each line, in the order of the curve; bars at the bottom are the rows of each bin."""
    wide = WIDE / ACROSS
    parts = []
    for number, line in enumerate(curve.lines):
        x, y = wide * (number % ACROSS), TALL * (number // ACROSS)
        inside = _panel(curve, line, wide, first=number % ACROSS == 0)
        parts.append(tag("g", *inside, transform=f"translate({x:.1f} {y:.1f})"))
    below = TALL * -(-len(curve.lines) // ACROSS)
    parts.append(text(WIDE / 2, below + 6, curve.x_title, "axis", "middle"))
    names = ", ".join(line.name for line in curve.lines)
    says = f"{curve.title}: {curve.y_title} against {curve.x_title} of {names}, one panel each"
    return drawing(WIDE, below + 14, says, parts, "chart wide")


def _panel(curve: Curve, line: Line, wide: float, first: bool) -> list[Markup]:
    """The title of the upright axis stands at the first panel of a row only."""
    room = (-0.02, 1.02)
    frame = Frame(room, room, width=wide, height=TALL, left=44, right=10, top=26, bottom=26)
    frame_parts = axes(frame, "", curve.y_title if first else "", TICKS, TICKS)
    bins = curve.facts["bins"][line.name]
    name = tag("g", text(frame.left, 16, cut(line.name, NAME), "strong"), tag("title", line.name))
    guides = [guide_path(frame, guide) for guide in curve.guides]
    return [name, *frame_parts, *_bars(frame, bins), *guides, *line_parts(frame, line, "s0")]


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
