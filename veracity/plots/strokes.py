"""One line of a chart in its style (line, steps, points, bars, band), by as many points as the eye can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.curve import Curve, Line
from veracity.plots.chart_frame import clip_infinite
from veracity.plots.look import THIN, Pen, one_line
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 3.0  # points of the stroke that is the band of a single place
FEW = 50  # limits at so few places are bars, at more a band
COLUMNS = 1_000  # columns of a chart: no screen shows a line finer
GRID = 200  # cells along each side for clouds of points


def draw_guide(ax: Axes, curve: Curve, guide: Line, own: Pen) -> None:
    """A thin line behind all others, fainter where it belongs to one of many."""
    if guide.style == "band":
        _draw_band(ax, curve, guide, own)
        return
    faint = 0.5 if guide.of else 1.0
    ax.plot(*_points(curve, guide), color=own.colour, linestyle=own.dashes, linewidth=THIN, alpha=faint, zorder=1.5)


def draw_line(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    """A line with its limits, if it has any."""
    if line.style == "bars":
        _draw_bars(ax, line, own, alone=len(curve.lines) == 1)
    elif line.style == "points":
        _draw_points(ax, curve, line, own)
    elif line.style == "band":
        _draw_band(ax, curve, line, own)
    else:
        _draw_limits(ax, curve, line, own)
        steps = "steps-post" if line.style == "step" else "default"
        look: dict[str, Any] = {"color": own.colour, "linestyle": own.dashes, "label": one_line(line.name)}
        ax.plot(*_points(curve, line), drawstyle=steps, zorder=2.5, **look)


def _points(curve: Curve, line: Line) -> tuple[Array, Array]:
    x, y = line.path or (line.x, line.y)
    return thin_line(clip_infinite(x, curve.x_range), clip_infinite(y, curve.y_range))


def _draw_limits(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    if line.low is None or line.high is None:
        return
    if len(line.x) > FEW:
        _draw_band(ax, curve, line, own)
        return
    reach = np.stack([line.y - line.low, line.high - line.y]).clip(min=0)  # rounding may leave a limit inside
    bars: dict[str, Any] = {"markersize": 4.5, "elinewidth": 1.0, "capsize": 2.5, "alpha": 0.8, "zorder": 2.4}
    ax.errorbar(line.x, line.y, reach, fmt=own.marker, color=own.colour, **bars)


def _draw_band(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    """Filled from gap to gap; between two gaps, a single place has no width of its own and gets a stroke."""
    assert line.low is not None and line.high is not None  # what makes it a band
    x, low = thin_line(line.x, clip_infinite(line.low, curve.y_range))
    upper, high = thin_line(line.x, clip_infinite(line.high, curve.y_range))
    high = np.interp(x, upper, high)
    ax.fill_between(x, low, high, color=own.colour, alpha=0.15, linewidth=0, zorder=1.2)
    alone = [one[0] for one in unbroken_parts(np.isfinite(low) & np.isfinite(high)) if len(one) == 1]
    if alone:
        ax.vlines(x[alone], low[alone], high[alone], color=own.colour, alpha=0.3, linewidth=WIDE, zorder=1.2)


def _draw_bars(ax: Axes, line: Line, own: Pen, alone: bool) -> None:
    """Bars around their places; of several models only the outlines, which do not hide each other."""
    wide = float(np.diff(line.x).min()) if len(line.x) > 1 else 1.0
    if alone:
        ax.bar(line.x, line.y, width=wide, color=own.colour, alpha=0.5, edgecolor=own.colour, linewidth=0.8)
        return
    edges = np.append(line.x - wide / 2, line.x[-1] + wide / 2)
    ax.stairs(line.y, edges, color=own.colour, linestyle=own.dashes, linewidth=1.6)
    ax.stairs(line.y, edges, color=own.colour, fill=True, alpha=0.12)


def _draw_points(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    _draw_limits(ax, curve, line, own)
    x, y, number = thin_cloud(clip_infinite(line.x, curve.x_range), clip_infinite(line.y, curve.y_range))
    if len(number) and number.max() > 1:
        _draw_density(ax, x, y, number, own)
        return
    alpha = float(np.clip(200 / max(len(x), 1), 0.3, 0.8))
    ax.plot(x, y, own.marker, color=own.colour, markersize=3.5, markeredgewidth=0, alpha=alpha)


def _draw_density(ax: Axes, x: Array, y: Array, number: Array, own: Pen) -> None:
    """Small squares, the denser the more points they stand for; behind the guides, which they would hide."""
    from matplotlib.colors import to_rgb

    dense = np.log1p(number) / np.log1p(number.max())
    colours = np.column_stack([np.tile(to_rgb(own.colour), (len(x), 1)), 0.08 + 0.55 * dense])
    ax.scatter(x, y, s=3.2, c=colours, marker="s", linewidths=0, rasterized=True, zorder=1.3)


def thin_line(x: Array, y: Array) -> tuple[Array, Array]:
    """A line by the first, last, lowest and highest point of each column; gaps (NaN) stay."""
    if len(x) <= 4 * COLUMNS:
        return x, y
    keep = np.zeros(len(x), bool)
    known = np.isfinite(x) & np.isfinite(y)
    keep[1:] |= known[1:] != known[:-1]  # where a gap begins and ends
    keep[:-1] |= known[1:] != known[:-1]
    places = np.flatnonzero(known)
    if len(places):
        keep[places[_visible_places(x[places], y[places])]] = True
    return x[keep], y[keep]


def _visible_places(x: Array, y: Array) -> Array:
    """Where a line of known points touches the edges of its columns."""
    column = _grid_index(x, COLUMNS)
    starts = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    ends = np.append(starts[1:], len(x)) - 1
    group = np.repeat(np.arange(len(starts)), ends - starts + 1)
    extremes = [_first_at(y, edge.reduceat(y, starts)[group], group) for edge in (np.minimum, np.maximum)]
    return np.unique(np.concatenate([starts, ends, *extremes]))


def _first_at(y: Array, wanted: Array, group: Array) -> Array:
    """The first place in each group that holds the group's wanted value."""
    hits = np.flatnonzero(y == wanted)
    return hits[np.append(True, group[hits][1:] != group[hits][:-1])]


def thin_cloud(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """A cloud by one point of each occupied cell of a fine grid, and how many points each stands for."""
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    x, y = x[known], y[known]
    if len(x) <= 4 * COLUMNS:
        return x, y, np.ones(len(x))
    cells = _grid_index(x, GRID) * GRID + _grid_index(y, GRID)
    _, first, number = np.unique(cells, return_index=True, return_counts=True)
    return x[first], y[first], number


def unbroken_parts(known: Array) -> list[Array]:
    """The places that are known, from gap to gap."""
    places = np.flatnonzero(known)
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []


def _grid_index(side: Array, number: int) -> Array:
    low, high = side.min(), side.max()
    wide = high - low or 1.0
    return np.minimum((side - low) / wide * number, number - 1).astype(np.int64)
