"""The legend: only where there is more than one thing to tell apart, or a mark that says something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veracity.findings.curve import Curve, Line, Mark
from veracity.plots.bin_sizes import ABOUT, is_crowded
from veracity.plots.chart_frame import names_depth
from veracity.plots.letters import break_name
from veracity.plots.look import GREY, THIN, Pen, escape_math

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

LONGEST = 160  # characters of one entry
WIDEST = 26.0  # sizes of the letters, where the legend stands inside the chart
HANDLE = 4.0  # sizes of the letters of a handle and the space beside it
SIZE, LINE = 7.0, 1.35 * 7.0 / 72  # points of the letters, and inches from line to line
BELOW = 0.4  # inches from the axis to the legend: the ticks and the title of the axis stand between


def line_labels(curve: Curve) -> list[str]:
    """The name of each line, what is said of it, and what its own mark says."""
    every = [(line.name, ", ".join(filter(None, (line.says, *_own_marks(curve, line))))) for line in curve.lines]
    return [f"{name} ({says})" if says else name for name, says in every]


def mark_labels(curve: Curve) -> list[str]:
    """What the other marks say."""
    return [f"{mark.name}: {mark.says}" for mark in _marks(curve)]


def labels(curve: Curve, wide: float) -> list[str]:
    """What the legend says, in lines that are at most so wide, in sizes of their letters."""
    every = [*line_labels(curve), *(guide.name for guide in _guides(curve)), *mark_labels(curve)]
    every += [ABOUT] if is_crowded(curve) else []
    return [break_label(label, wide) for label in every]


def break_label(label: str, wide: float) -> str:
    """One entry of a legend, broken where the room ends."""
    return "\n".join(break_name(label, LONGEST, wide))


def legend_height(curve: Curve, across: float) -> float:
    """Inches that a legend below the chart takes."""
    entries = labels(curve, _room(across))
    return LINE * sum(label.count("\n") + 1 for label in entries) + 0.2 if _has_legend(curve, len(entries)) else 0.0


def add_legend(ax: Axes, curve: Curve, pens: Mapping[str, Pen], across: float | None) -> None:
    """Lines, then guides, then what the marks say: below a chart so many inches across, where no line is hidden.

    On axes of somebody else's figure, whose other parts could lie below, it stands inside.
    """
    handles: list[Artist] = [_line_handle(curve, line, pens[line.name]) for line in curve.lines]
    handles += [_guide_handle(guide, pens[guide.name]) for guide in _guides(curve)]
    handles += [_handle(mark_pen(mark, pens), rings=True) for mark in _marks(curve)]
    handles += [_handle(Pen(GREY, "none"), rings=False)] if is_crowded(curve) else []
    if not _has_legend(curve, len(handles)):
        return
    place = {} if across is None else _place_below(ax, names_depth(curve, ax))
    legend = ax.legend(handles, [" "] * len(handles), **place)
    entries = labels(curve, WIDEST if across is None else _room(across))
    for text, label in zip(legend.get_texts(), entries, strict=True):
        text.set_text(escape_math(label))  # set afterwards: a name that begins with _ would be left out


def _has_legend(curve: Curve, entries: int) -> bool:
    return entries > 1 or any(mark.says for mark in curve.marks)


def _room(across: float) -> float:
    return 72 * (across - 0.6) / SIZE - HANDLE


def _place_below(ax: Axes, deeper: float) -> dict[str, Any]:
    from matplotlib.transforms import ScaledTranslation

    down = ScaledTranslation(0, -(BELOW + deeper), ax.figure.canvas.figure.dpi_scale_trans)
    place = {"bbox_to_anchor": (0.0, 0.0), "bbox_transform": ax.transAxes + down}
    return {"loc": "upper left", "borderaxespad": 0.0, "borderpad": 0.0, "labelspacing": 0.25, **place}


def _guides(curve: Curve) -> list[Line]:
    """Each name once, unless a mark beside the guide tells it."""
    marked = {mark.name for mark in curve.marks}
    return list({guide.name: guide for guide in curve.guides if guide.name not in marked}.values())


def _marks(curve: Curve) -> list[Mark]:
    """Those that say something and are not told with a line of their name."""
    lines = {line.name for line in curve.lines}
    return [mark for mark in curve.marks if mark.says and mark.name not in lines]


def _own_marks(curve: Curve, line: Line) -> list[str]:
    return [mark.says for mark in curve.marks if mark.says and mark.name == line.name]


def _line_handle(curve: Curve, line: Line, own: Pen) -> Line2D:
    if line.style == "points":
        return _handle(own, rings=False)
    handle = _handle(own, wide=THIN if is_crowded(curve) else None)
    if any(mark.name == line.name for mark in curve.marks):
        handle.set(marker=own.marker, markerfacecolor="white")
    if is_crowded(curve):
        handle.set(marker=own.marker, markersize=4.5, markeredgewidth=0)
    return handle


def _guide_handle(guide: Line, own: Pen) -> Artist:
    from matplotlib.patches import Patch

    return Patch(color=own.colour, alpha=0.3, linewidth=0) if guide.style == "band" else _handle(own, wide=THIN)


def mark_pen(mark: Mark, pens: Mapping[str, Pen]) -> Pen:
    """The pen of the line that a mark belongs to, or of its name."""
    return pens.get(mark.of) or pens.get(mark.name) or Pen("black", "-")


def _handle(own: Pen, rings: bool | None = None, wide: float | None = None) -> Line2D:
    """A piece of line, or a marker: a ring for a mark, full for one of many points."""
    from matplotlib.lines import Line2D

    if rings is None:
        return Line2D([], [], color=own.colour, linestyle=own.dashes, linewidth=wide)
    face = "white" if rings else own.colour
    return Line2D([], [], color=own.colour, linestyle="none", marker=own.marker, markerfacecolor=face)
