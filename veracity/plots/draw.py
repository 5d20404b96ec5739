"""One renderer for every chart: the frame, then guides, lines, marks and legend of a Curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.plots.bin_sizes import add_bin_sizes
from veracity.plots.frame import is_square, set_frame, within
from veracity.plots.legend import MANY, add_legend, labels
from veracity.plots.look import Pen, figure, guide_pen, look, pen, savable, words
from veracity.plots.strokes import draw_guide, draw_line
from veracity.records.curve import Curve, Line, Mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(curve: Curve, ax: Axes | None = None) -> Axes:
    """Draw the chart on `ax`, or on a figure of its own; the axes come back and can save their figure."""
    with look():
        place = _own_axes(curve) if ax is None else ax
        pens = _pens(curve)
        set_frame(curve, place)
        for guide in curve.guides:
            draw_guide(place, curve, guide, _guide_pen(guide, pens))
        for line in curve.lines:
            draw_line(place, curve, line, pens[line.name])
        for mark in curve.marks:
            _draw_mark(place, curve, mark, pens)
        add_legend(place, curve, pens)
        if curve.kind == "calibration":
            add_bin_sizes(place, curve, pens)
    return savable(place)


def _own_axes(curve: Curve) -> Axes:
    """Axes of a figure with room for the legend where that stands beside the chart."""
    width, height = (5.2, 5.0) if is_square(curve) else (6.6, 4.4)
    if len(curve.lines) > MANY:
        shown = labels(curve)
        width += 0.9 + 0.075 * max(map(len, shown))
        height = max(height, 0.5 + 0.21 * len(shown))
    return figure(width, height).add_subplot()


def _pens(curve: Curve) -> dict[str, Pen]:
    """A pen for every line, and a grey one for every name that only guides have."""
    lines = {line.name: pen(number) for number, line in enumerate(curve.lines)}
    names = dict.fromkeys(guide.name for guide in curve.guides)
    return {name: guide_pen(number) for number, name in enumerate(names)} | lines


def _guide_pen(guide: Line, pens: Mapping[str, Pen]) -> Pen:
    """A guide that belongs to a line has its colour."""
    own = pens[guide.name]
    return Pen(pens[guide.of].colour, own.dashes) if guide.of in pens else own


def _draw_mark(ax: Axes, curve: Curve, mark: Mark, pens: Mapping[str, Pen]) -> None:
    """A ring; its name beside it, unless it is the name of a line, which the legend tells."""
    from matplotlib.patheffects import withStroke

    own = pens.get(mark.of) or pens.get(mark.name) or Pen("black", "-")
    x, y = (float(within(np.array(v), r)) for v, r in ((mark.x, curve.x_range), (mark.y, curve.y_range)))
    ring: dict[str, Any] = {
        "markerfacecolor": "white",
        "markersize": 6.5,
        "markeredgewidth": 1.6,
        "clip_on": False,
        "zorder": 4,
    }
    ax.plot([x], [y], own.marker, color=own.colour, **ring)
    if mark.name in {line.name for line in curve.lines}:
        return
    away, side = ((-8, 3), "right") if x > np.mean(ax.get_xlim()) else ((8, -9), "left")
    text = ax.annotate(words(mark.name), (x, y), away, textcoords="offset points", ha=side, fontsize=8.5, zorder=5)
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
