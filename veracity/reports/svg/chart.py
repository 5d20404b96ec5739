"""Any curve as SVG: the same numbers that `vc.plot` draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from markupsafe import Markup

from veracity.findings.curve import Curve, Line, Mark
from veracity.plots.chart_layout import (
    break_label,
    is_square,
    line_labels,
    mark_labels,
    thin_cloud,
    thin_line,
    unbroken_parts,
    with_margin,
)
from veracity.plots.letters import PlaceNames, place_names
from veracity.records.arrays import Array
from veracity.reports.svg.paper import Drawing, Frame, axes, drawing, numbered_ticks, path, range_of, tag, text, window

SERIES = 7  # colours of the page; dashes go round too
TICK = 11.0  # pixels of the letters at a tick
ROW, SIZE = 16, 11.0  # pixels of one line of the legend, and of its letters
SAMPLE = 6.0  # pixels at the left of a piece of a line in the legend
NAMES = SAMPLE + 34  # pixels at the left of what it says
ACROSS = Frame.width - Frame.left - Frame.right  # pixels of the horizontal axis
RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
PANEL_WIDTH, PANEL_HEIGHT = 190.0, 160.0  # pixels of a panel
FULLEST_BIN = 0.14  # of a panel's height: the bar of the fullest bin
PANEL_TICKS = {0.0: "0", 0.5: "0.5", 1.0: "1"}
PANEL_RANGE = (-0.02, 1.02)
FINEST = 400  # points of a line: the page stays small whatever the number of rows


def chart(curve: Curve, names: bool = True) -> Drawing:
    """The curve with its bands, guides, marks and a legend below, without the `names` of lines that stand elsewhere."""
    curve = with_logarithms(curve)
    along = place_names(curve.x_names, ACROSS / TICK) if curve.x_names else PlaceNames({})
    everything = (*curve.lines, *curve.guides)
    x = curve.x_range or range_of(*(line.x for line in everything))
    y = curve.y_range or range_of(*(column for line in everything for column in (line.y, line.low, line.high)))
    deeper = TICK * along.deeper  # for names that need more than a line
    height = (312 if is_square(curve) else 250) + deeper
    frame = Frame(with_margin(x), with_margin(y), height=height, bottom=Frame.bottom + deeper)
    numbers = {line.name: i for i, line in enumerate(curve.lines)}
    ticks = along.names or _ticks(curve, frame.x, curve.log_x), _ticks(curve, frame.y, curve.log_y)
    parts = axes(frame, curve.x_title, curve.y_title, *ticks, along.upright)
    inside = guide_paths(frame, curve.guides, numbers)
    for line in curve.lines:
        inside += line_parts(frame, line, f"s{numbers[line.name] % SERIES}")
    inside += [_mark(frame, mark, numbers.get(mark.of or mark.name, 0)) for mark in curve.marks]
    parts.append(window(frame, inside))
    legend, height = _legend(curve, frame, names)
    says = f"{curve.title}: {curve.y_title} against {curve.x_title} of {', '.join(numbers)}"
    return drawing(frame.width, height, says, [*parts, *legend])


def with_logarithms(curve: Curve) -> Curve:
    """The same chart with the logarithms of its numbers where an axis asks for them; its ticks keep their names."""
    if not (curve.log_x or curve.log_y):
        return curve
    changed: dict[str, Any] = {}
    for name, log in (("x_range", curve.log_x), ("y_range", curve.log_y)):
        if log and getattr(curve, name) is not None:
            changed[name] = tuple(np.log10(getattr(curve, name)).tolist())
    names = (*(("x",) if curve.log_x else ()), *(("y", "low", "high") if curve.log_y else ()))
    with np.errstate(divide="ignore", invalid="ignore"):
        for part in ("lines", "guides", "marks"):
            items: list[Any] = []
            for item in getattr(curve, part):
                given = {name: getattr(item, name, None) for name in names}
                logs = {name: np.log10(np.asarray(side, float)) for name, side in given.items() if side is not None}
                items.append(replace(item, **logs))
            changed[part] = tuple(items)
    return replace(curve, **changed)


def _ticks(curve: Curve, side: tuple[float, float], log: bool = False) -> dict[float, str]:
    if log:
        whole = range(math.ceil(side[0]), math.floor(side[1]) + 1)
        return {float(power): f"{10.0**power:g}" for power in whole} or numbered_ticks(*side)
    if curve.scale != "normal":
        return numbered_ticks(*side)
    places = {NormalDist().inv_cdf(rate): f"{100 * rate:g}" for rate in RATES}
    return {place: label for place, label in places.items() if side[0] <= place <= side[1]}


def guide_paths(frame: Frame, guides: Sequence[Line], numbers: Mapping[str, int]) -> list[Markup]:
    """Draw lines to compare with, behind the others; one that belongs to a line, which has a number, has its colour."""
    drawn = []
    for guide in guides:
        if guide.style == "band":
            drawn.append(_band(frame, guide, "band"))
        else:
            kind = f"thin s{numbers[guide.of] % SERIES}" if guide.of and guide.of in numbers else "guide"
            drawn.append(path(frame, *_points(guide), kind))
    return drawn


def line_parts(frame: Frame, line: Line, kind: str) -> list[Markup]:
    """A line in its style, with its limits."""
    if line.style == "bars":
        return _bars(frame, line, kind)
    if line.style == "points":
        return _dots(frame, line, kind)
    limits = [] if line.low is None or line.high is None else _limits(frame, line, kind)
    if line.style == "band":
        return limits
    return [*limits, path(frame, *_points(line), f"line {kind}")]


def _points(line: Line) -> tuple[Array, Array]:
    x, y = (np.asarray(side, float) for side in (line.path or (line.x, line.y)))
    if line.style == "step":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    x, y = thin_line(x, y)
    if len(x) > FINEST:
        keep = np.unique(np.linspace(0, len(x) - 1, FINEST).astype(int))
        x, y = x[keep], y[keep]
    return x, y


def _limits(frame: Frame, line: Line, kind: str) -> list[Markup]:
    if len(line.x) > 50:
        return [_band(frame, line, f"band {kind}")]
    assert line.low is not None and line.high is not None
    bars = []
    for x, low, high in zip(line.x.tolist(), line.low.tolist(), line.high.tolist(), strict=True):
        if np.isfinite([x, low, high]).all():
            ends = {"x1": frame.x_of(x), "x2": frame.x_of(x), "y1": frame.y_of(low), "y2": frame.y_of(high)}
            bars.append(tag("line", **ends, class_=f"line {kind} whisker limit"))
    return [*bars, *_dots(frame, line, kind)]


def _band(frame: Frame, line: Line, kind: str) -> Markup:
    """Filled from gap to gap; between two gaps, a single place has no width of its own and gets a stroke."""
    assert line.low is not None and line.high is not None
    keep = np.unique(np.linspace(0, len(line.x) - 1, min(FINEST, len(line.x))).astype(int))
    x, high = line.x[keep], line.high[keep]
    low = np.maximum(line.low[keep], frame.y[0])  # the logarithm of 0 lies below every axis
    pieces = unbroken_parts(np.isfinite(low) & np.isfinite(high))
    drawn = Markup("")
    for one in pieces:
        if len(one) == 1:
            top, bottom = (frame.y_of(float(side[one[0]])) for side in (high, low))
            left = frame.x_of(float(x[one[0]])) - 2
            drawn += tag("rect", x=left, y=top, width=4, height=bottom - top, class_=kind)
        else:
            back = one[::-1]
            drawn += path(frame, x[np.r_[one, back]], np.r_[low[one], high[back]], kind, close=True)
    return drawn


def _bars(frame: Frame, line: Line, kind: str) -> list[Markup]:
    wide = float(np.diff(line.x).min()) if len(line.x) > 1 else 1.0
    floor = frame.y_of(max(0.0, frame.y[0]))
    bars = []
    for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True):
        left, right, top = frame.x_of(x - wide / 2), frame.x_of(x + wide / 2), frame.y_of(y)
        place = {"x": left, "y": top, "width": right - left, "height": max(floor - top, 0.0)}
        bars.append(tag("rect", **place, class_=f"bar {kind}"))
    return bars


def _dots(frame: Frame, line: Line, kind: str) -> list[Markup]:
    x, y, _ = thin_cloud(np.asarray(line.x, float), np.asarray(line.y, float))
    step = max(1, len(x) // 1000)
    return [
        tag("circle", cx=frame.x_of(a), cy=frame.y_of(b), r=3, class_=f"dot {kind}")
        for a, b in zip(x[::step].tolist(), y[::step].tolist(), strict=True)
    ]


def _mark(frame: Frame, mark: Mark, number: int) -> Markup:
    if not np.isfinite([mark.x, mark.y]).all():
        return Markup("")
    says = tag("title", text(0, 0, f"{mark.name} {mark.says}").striptags())
    return tag("circle", says, cx=frame.x_of(mark.x), cy=frame.y_of(mark.y), r=5, class_=f"mark s{number % SERIES}")


def _legend(curve: Curve, frame: Frame, names: bool) -> tuple[list[Markup], float]:
    """What each line is, below the chart, where no legend can hide a point."""
    rows = [(f"line s{i % SERIES}", says) for i, says in enumerate(line_labels(curve)) if names]
    styles = {guide.name: guide.style for guide in curve.guides}
    rows += [("band" if style == "band" else "guide", name) for name, style in styles.items()]
    rows += [("mark s0", says) for says in mark_labels(curve)]
    if names and len(rows) < 2:
        return [], frame.height
    parts, y = [], frame.height + 6
    for kind, says in rows:
        if kind == "band":  # a piece of a band, a ring, or a piece of a line
            parts.append(tag("rect", x=SAMPLE, y=y - 5, width=28, height=10, class_=kind))
        elif kind.startswith("mark"):
            parts.append(tag("circle", cx=SAMPLE + 14, cy=y, r=5, class_=kind))
        else:
            parts.append(tag("line", x1=SAMPLE, x2=SAMPLE + 28, y1=y, y2=y, class_=kind))
        for line in break_label(says, (frame.width - NAMES) / SIZE).split("\n"):
            parts.append(text(NAMES, y + 4, line, "legend", longest=len(line)))
            y += ROW
    return parts, y


def panels(curve: Curve) -> dict[str, Drawing]:
    """One panel for each line by its name, in the order of the curve; bars at the bottom are the rows of each bin."""
    frame = Frame(PANEL_RANGE, PANEL_RANGE, width=PANEL_WIDTH, height=PANEL_HEIGHT, left=32, right=8, top=6, bottom=24)
    floor, drawn = frame.y_of(0.0), {}
    for line in curve.lines:
        parts = axes(frame, "", "", PANEL_TICKS, PANEL_TICKS)  # too small for titles: what stands above says them
        bins = curve.facts["bins"][line.name]
        most = max(each.rows for each in bins)
        for each in bins:  # from the bottom up, the fullest of this model as high as may be
            top = frame.y_of(FULLEST_BIN * each.rows / most)
            says = tag("title", f"{each.rows:g} rows from {each.low:.3g} to {each.high:.3g}: {each.frequency:.3g}")
            place = {"x": frame.x_of(each.confidence) - 4, "y": top, "width": 8, "height": floor - top}
            parts.append(tag("rect", says, **place, class_="bar s5"))
        parts += [*guide_paths(frame, curve.guides, {}), *line_parts(frame, line, "s0")]
        says_all = f"{curve.title} of {line.name}: {curve.y_title} against {curve.x_title}"
        drawn[line.name] = drawing(PANEL_WIDTH, PANEL_HEIGHT, says_all, parts)
    return drawn
