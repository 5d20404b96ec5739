"""How many rows stand behind each bin of a calibration chart, as a strip above it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from veracity.plots.look import Pen, words
from veracity.records.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRIP = (0.0, 1.02, 1.0, 0.12)  # of the chart's own width and height
TITLE_AT = 1.14


def add_bin_sizes(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Outlines of the number of rows per bin, one for each model."""
    strip = ax.inset_axes(STRIP, sharex=ax)
    most = 0.0
    for name, bins in curve.facts["bins"].items():
        edges = np.array([*(each.low for each in bins), bins[-1].high])
        rows = np.array([each.rows for each in bins])
        strip.stairs(rows, edges, color=pens[name].colour, fill=True, alpha=0.25)
        strip.stairs(rows, edges, color=pens[name].colour, linestyle=pens[name].dashes, linewidth=1.2)
        most = max(most, float(rows.max()))
    strip.set_ylim(0, 1.1 * most)
    strip.set_yticks([most], labels=[f"{most:,.0f} rows"], fontsize=8)
    strip.tick_params(axis="x", labelbottom=False, length=0)
    ax.set_title(words(curve.title), y=TITLE_AT)
