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
WIDE = 0.025  # of a bar, which stands above the point it belongs to


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
    ax.set_title(words(curve.title), y=TITLE_AT)
