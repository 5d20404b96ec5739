"""The legend: only where there is more than one thing to tell apart."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veracity.plots.look import THIN, Pen, words
from veracity.records.curve import Curve, Line, Mark

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MANY = 8  # lines: from here on the legend stands beside the chart
WIDEST, LONGEST = 44, 132  # characters of a line of the legend, and of one entry


def labels(curve: Curve) -> list[str]:
    """What the legend says, line by line."""
    lines = [f"{line.name} ({line.says})" if line.says else line.name for line in curve.lines]
    return [*lines, *(guide.name for guide in _guides(curve)), *(_marked(curve, mark) for mark in _marks(curve))]


def add_legend(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Lines, then guides, then what the marks say."""
    handles: list[Artist] = [_of_line(line, pens[line.name]) for line in curve.lines]
    handles += [_of_guide(guide, pens[guide.name]) for guide in _guides(curve)]
    handles += [_of_mark(mark, pens) for mark in _marks(curve)]
    if len(handles) < 2:
        return
    beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if len(curve.lines) > MANY else {}
    legend = ax.legend(handles, [" "] * len(handles), **beside)
    for text, name in zip(legend.get_texts(), labels(curve), strict=True):
        text.set_text(
            textwrap.fill(words(name, LONGEST), WIDEST)
        )  # set afterwards: a name that begins with _ would be left out


def _guides(curve: Curve) -> list[Line]:
    """Each name once, unless a mark beside the guide tells it."""
    marked = {mark.name for mark in curve.marks}
    return list({guide.name: guide for guide in curve.guides if guide.name not in marked}.values())


def _marks(curve: Curve) -> list[Mark]:
    return [mark for mark in curve.marks if mark.says]


def _marked(curve: Curve, mark: Mark) -> str:
    """What a mark says; its name goes before where that is told nowhere else."""
    alone = len(curve.lines) == 1 and mark.name == curve.lines[0].name
    return mark.says if alone else f"{mark.name}: {mark.says}"


def _of_line(line: Line, own: Pen) -> Line2D:
    return _handle(own, rings=False) if line.style == "points" else _handle(own)


def _of_guide(guide: Line, own: Pen) -> Artist:
    from matplotlib.patches import Patch

    return Patch(color=own.colour, alpha=0.3, linewidth=0) if guide.style == "band" else _handle(own, wide=THIN)


def _of_mark(mark: Mark, pens: Mapping[str, Pen]) -> Line2D:
    return _handle(pens.get(mark.of) or pens.get(mark.name) or Pen("black", "-"), rings=True)


def _handle(own: Pen, rings: bool | None = None, wide: float | None = None) -> Line2D:
    """A piece of line, or a marker: a ring for a mark, full for one of many points."""
    from matplotlib.lines import Line2D

    if rings is None:
        return Line2D([], [], color=own.colour, linestyle=own.dashes, linewidth=wide)
    face = "white" if rings else own.colour
    return Line2D([], [], color=own.colour, linestyle="none", marker=own.marker, markerfacecolor=face)
