"""How many rows stand behind each bin of a calibration chart: a strip above it, or the size of its points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.curve import Curve
from veracity.plots.look import THIN, Pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOGETHER = 2  # models whose intervals and bins can be told apart on one chart
JOINED = 10  # rows of a bin, from which on a line goes through it: below, where it lies is chance
STRIP = (0.0, 1.02, 1.0, 0.12)  # of the chart's own width and height
TITLE_AT = 1.14
WIDE = 0.025  # of a bar, which stands above the point it belongs to
SMALLEST, LARGEST = 2.0, 60.0  # square points of the area of a point
ABOUT = f"area: rows of the bin; lines join bins of {JOINED} or more; a model alone shows its intervals"


def is_crowded(curve: Curve) -> bool:
    """Whether a calibration chart has more models than can show their intervals side by side."""
    return curve.kind == "calibration" and len(curve.lines) > TOGETHER


def add_bin_sizes(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Bars of the number of rows per bin, one for each model."""
    from matplotlib.colors import to_rgba

    strip = ax.inset_axes(STRIP, sharex=ax)
    most = 0.0
    for name, bins in curve.facts["bins"].items():
        rows = np.array([each.rows for each in bins])
        own = pens[name]
        edge = {"edgecolor": own.colour, "linestyle": own.dashes}
        strip.bar([each.confidence for each in bins], rows, WIDE, color=to_rgba(own.colour, 0.3), **edge)
        most = max(most, float(rows.max()))
    strip.set_ylim(0, 1.1 * most)
    strip.set_yticks([most], labels=[f"{most:,.0f} rows"])
    strip.tick_params(axis="x", labelbottom=False, length=0)
    ax.set_title(ax.get_title(loc="left"), y=TITLE_AT)


def draw_bins(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Points whose areas are the numbers of rows, without intervals; a line through those with enough of them."""
    every: dict[str, Any] = {name: np.array([each.rows for each in bins]) for name, bins in curve.facts["bins"].items()}
    most = max(float(rows.max()) for rows in every.values())
    full: dict[str, Any] = {"alpha": 0.75, "linewidths": 0, "clip_on": False, "zorder": 2.6}
    for line in curve.lines:
        own, rows = pens[line.name], every[line.name]
        area = np.maximum(SMALLEST, LARGEST * rows / most)
        ax.scatter(line.x, line.y, area, own.colour, marker=own.marker, **full)
        through = rows >= JOINED
        how: dict[str, Any] = {"color": own.colour, "linestyle": own.dashes, "linewidth": THIN}
        ax.plot(line.x[through], line.y[through], zorder=2.5, **how)
