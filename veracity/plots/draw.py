"""Draw every chart by matplotlib: frame, guides, lines, marks and legend; and which pictures results have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve, Line, Mark
from veracity.findings.ranking import Ranking
from veracity.plots.chart_layout import (
    break_label,
    is_crowded,
    is_square,
    legend_marks,
    line_labels,
    mark_labels,
    thin_cloud,
    thin_line,
    unbroken_parts,
    with_margin,
)
from veracity.plots.critical_difference import critical_difference
from veracity.plots.letters import PlaceNames, break_lines, place_names
from veracity.plots.look import (
    COLUMN,
    GREY,
    LOOK,
    THIN,
    TITLE,
    Pen,
    escape_math,
    figure,
    guide_pen,
    inches,
    look,
    one_line,
    pen,
    picture_width,
)
from veracity.plots.pair_pictures import (
    differences,
    differences_of_ranking,
    multi_comparison_matrix,
    p_values,
    significance_graph,
)
from veracity.plots.posterior_plots import posterior_density, posterior_triangle
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation

BESIDE, AROUND = 0.6, 0.66  # inches beside a chart, and above and below it without its legend
FLAT = 0.66  # height of a chart that is not square, as a share of its width
HEAVY = 1.1  # how much wider bold letters are
BEYOND = 1.1  # a title may be wider than the axes that make room for their numbers
TICK = LOOK["xtick.labelsize"]  # points of the letters at a tick
TICKS_APART = 0.085  # of the axis, between two rates
RATES = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)
BAND_STROKE = 3.0  # points of the stroke that is the band of a single place
MAX_BARS = 50  # limits at so few places are bars, at more a band
JOINED_ROWS = 10  # rows of a bin, from which on a line goes through it: below, where it lies is chance
STRIP = (0.0, 1.02, 1.0, 0.12)  # the bars of bins above a chart, in its own width and height
TITLE_AT = 1.14
BIN_WIDTH = 0.025  # of a bar, which stands above the point it belongs to
SMALLEST_AREA, LARGEST_AREA = 2.0, 60.0  # square points of the area of a point
ABOUT_BINS = f"area: rows of the bin; lines join bins of {JOINED_ROWS} or more; a model alone shows its intervals"
WIDEST_LEGEND = 26.0  # sizes of the letters, where the legend stands inside the chart
HANDLE = 4.0  # sizes of the letters of a handle and the space beside it
LEGEND_SIZE, LEGEND_LINE = 7.0, 1.35 * 7.0 / 72  # points of the letters, and inches from line to line
BELOW = 0.4  # inches from the axis to the legend: the ticks and the title of the axis stand between
LABEL_WAYS = tuple(((x, y), side) for x, side in ((8, "left"), (-8, "right")) for y in (-9, 6, -18, 15, -27))  # points
Kinds = Mapping[str, Callable[..., Any]]
OF_RANKING: Kinds = {
    "critical_difference": critical_difference,
    "significance_graph": significance_graph,
    "p_values": p_values,
    "differences": differences_of_ranking,
    "multi_comparison_matrix": multi_comparison_matrix,
}
OF_COMPARISONS: Kinds = {"differences": differences}
OF_COMPARISON: Kinds = {
    "differences": lambda comparison, ax=None, width=None: differences((comparison,), ax, width),
    "posterior_density": posterior_density,
    "posterior_triangle": posterior_triangle,
}


def draw(curve: Curve, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the chart on `ax`, or on a figure of its own with room for the legend below; the axes come back."""
    wide = picture_width(COLUMN, width) if ax is None else None
    with look():
        place = _own_axes(curve, wide or COLUMN) if ax is None else ax
        pens = _pens(curve)
        _set_frame(curve, place)
        for guide in curve.guides:  # behind all others, in the colour of the line that it belongs to, but fainter
            own = pens[guide.name]
            own = Pen(pens[guide.of].colour, own.dashes) if guide.of in pens else own
            if guide.style == "band":
                _draw_band(place, curve, guide, own)
            else:
                thin: dict[str, Any] = {"linewidth": THIN, "alpha": 0.5 if guide.of else 1.0, "zorder": 1.5}
                place.plot(*_points(curve, guide), color=own.colour, linestyle=own.dashes, **thin)
        if is_crowded(curve):
            _draw_bins(place, curve, pens)
        else:
            for line in curve.lines:
                _draw_line(place, curve, line, pens[line.name])
            if curve.kind == "calibration":
                _add_bin_sizes(place, curve, pens)
        for mark in curve.marks:
            _draw_mark(place, curve, mark, pens)
        _add_legend(place, curve, pens, wide)
    return place


def pictures_of(result: Ranking | Comparison | Comparisons) -> Kinds:
    """Return the pictures of a result, the usual one first: of a posterior the one that shows what it knows."""
    if not isinstance(result, Comparison):
        return OF_RANKING if isinstance(result, Ranking) else OF_COMPARISONS
    posterior = result.posterior
    usual = "differences" if posterior is None else "posterior_density" if posterior.law else "posterior_triangle"
    return {usual: OF_COMPARISON[usual], **OF_COMPARISON}


def _own_axes(curve: Curve, wide: float) -> Axes:
    """Axes of a figure with room for the legend below the chart."""
    side = wide - BESIDE
    strip = (TITLE_AT - 1) * side if curve.kind == "calibration" and not is_crowded(curve) else 0.0
    tall = side + strip if is_square(curve) else FLAT * side
    titles = len(_title_lines(curve, side)) - 1
    labels = _legend_labels(curve, wide)
    legend = LEGEND_LINE * sum(label.count("\n") + 1 for label in labels) + 0.2 if labels else 0.0
    whole = figure(wide, tall + AROUND + 1.2 * TITLE / 72 * titles + legend)
    place = whole.add_subplot()
    whole.set_figheight(whole.get_figheight() + _names_along(curve, place).deeper * TICK / 72)
    return place


def _pens(curve: Curve) -> dict[str, Pen]:
    """Return a pen for every line, and a grey one for every name that only guides have.

    Lines of one hue have one colour and differ in their dashes.
    """
    guides = dict.fromkeys(guide.name for guide in curve.guides)
    pens = {name: guide_pen(number) for number, name in enumerate(guides)}
    hues: dict[str, list[str]] = {}
    for line in curve.lines:
        hues.setdefault(line.hue or line.name, []).append(line.name)
    for number, names in enumerate(hues.values()):
        for place, name in enumerate(names):
            pens[name] = pen(number) if len(hues) == len(curve.lines) else pen(number, place)
    return pens


def _set_frame(curve: Curve, ax: Axes) -> None:
    """Titles, and ranges where the curve names them."""
    ax.set_title("\n".join(_title_lines(curve, inches(ax)[0] * BEYOND)))
    ax.set_xlabel(one_line(curve.x_title))
    ax.set_ylabel(one_line(curve.y_title))
    if curve.log_x:
        ax.set_xscale("log")
    if curve.log_y:
        ax.set_yscale("log")
    if curve.x_range is not None:
        ax.set_xlim(*with_margin(curve.x_range))
    if curve.y_range is not None:
        ax.set_ylim(*with_margin(curve.y_range))
    if curve.x_names:
        along = _names_along(curve, ax)
        labels = list(map(one_line, along.names.values()))
        ax.xaxis.set_ticks(list(along.names), labels=labels, rotation=90 if along.upright else 0)
    if is_square(curve):
        ax.set_box_aspect(1)
    if curve.scale == "normal":
        _label_rates(ax.xaxis)
        _label_rates(ax.yaxis)


def _title_lines(curve: Curve, wide: float) -> tuple[str, ...]:
    """The title in lines that are at most so many inches wide."""
    return break_lines(one_line(curve.title), 72 * wide / (HEAVY * TITLE))


def _names_along(curve: Curve, ax: Axes) -> PlaceNames:
    return place_names(curve.x_names, 72 * inches(ax)[0] / TICK) if curve.x_names else PlaceNames({})


def _label_rates(axis: Axis) -> None:
    """Ticks of normal deviates named by the rates they stand for, in percent."""
    low, high = axis.get_view_interval()
    places = {NormalDist().inv_cdf(rate): f"{100 * rate:.6g}" for rate in RATES}
    shown: list[float] = []
    for place in sorted(places, key=abs):  # from one half outwards, as far as names do not touch
        if low <= place <= high and all(abs(place - other) >= TICKS_APART * (high - low) for other in shown):
            shown.append(place)
    axis.set_ticks(sorted(shown), labels=[places[place] for place in sorted(shown)])


def _clip_infinite(side: Array, reach: tuple[float, float] | None) -> Array:
    """Infinite places moved to the limit of the axis, or beyond it with the furthest other; without one, left out."""
    array = np.asarray(side, float)
    if not np.isinf(array).any():
        return array
    low, high = with_margin(reach) if reach is not None else (np.nan, np.nan)
    finite = array[np.isfinite(array)]
    low, high = finite.min(initial=low), finite.max(initial=high)
    return np.where(np.isposinf(array), high, np.where(np.isneginf(array), low, array))


def _draw_line(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
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
    return thin_line(_clip_infinite(x, curve.x_range), _clip_infinite(y, curve.y_range))


def _draw_limits(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    if line.low is None or line.high is None:
        return
    if len(line.x) > MAX_BARS:
        _draw_band(ax, curve, line, own)
        return
    reach = np.stack([line.y - line.low, line.high - line.y]).clip(min=0)  # rounding may leave a limit inside
    bars: dict[str, Any] = {"markersize": 4.5, "elinewidth": 1.0, "capsize": 2.5, "alpha": 0.8, "zorder": 2.4}
    ax.errorbar(line.x, line.y, reach, fmt=own.marker, color=own.colour, **bars)


def _draw_band(ax: Axes, curve: Curve, line: Line, own: Pen) -> None:
    """Filled from gap to gap; between two gaps, a single place has no width of its own and gets a stroke."""
    assert line.low is not None and line.high is not None  # what makes it a band
    x, low = thin_line(line.x, _clip_infinite(line.low, curve.y_range))
    upper, high = thin_line(line.x, _clip_infinite(line.high, curve.y_range))
    high = np.interp(x, upper, high)
    ax.fill_between(x, low, high, color=own.colour, alpha=0.15, linewidth=0, zorder=1.2)
    alone = [one[0] for one in unbroken_parts(np.isfinite(low) & np.isfinite(high)) if len(one) == 1]
    if alone:
        ax.vlines(x[alone], low[alone], high[alone], color=own.colour, alpha=0.3, linewidth=BAND_STROKE, zorder=1.2)


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
    from matplotlib.colors import to_rgb

    _draw_limits(ax, curve, line, own)
    x, y, number = thin_cloud(_clip_infinite(line.x, curve.x_range), _clip_infinite(line.y, curve.y_range))
    if len(number) and number.max() > 1:
        # small squares, the denser the more points they stand for; behind the guides, which they would hide
        dense = np.log1p(number) / np.log1p(number.max())
        colours = np.column_stack([np.tile(to_rgb(own.colour), (len(x), 1)), 0.08 + 0.55 * dense])
        ax.scatter(x, y, s=3.2, c=colours, marker="s", linewidths=0, rasterized=True, zorder=1.3)
        return
    alpha = float(np.clip(200 / max(len(x), 1), 0.3, 0.8))
    ax.plot(x, y, own.marker, color=own.colour, markersize=3.5, markeredgewidth=0, alpha=alpha)


def _add_bin_sizes(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Bars of the number of rows per bin, one for each model."""
    from matplotlib.colors import to_rgba

    strip = ax.inset_axes(STRIP, sharex=ax)
    most = 0.0
    for name, bins in curve.facts["bins"].items():
        rows = np.array([each.rows for each in bins])
        own = pens[name]
        edge = {"edgecolor": own.colour, "linestyle": own.dashes}
        strip.bar([each.confidence for each in bins], rows, BIN_WIDTH, color=to_rgba(own.colour, 0.3), **edge)
        most = max(most, float(rows.max()))
    strip.set_ylim(0, 1.1 * most)
    strip.set_yticks([most], labels=[f"{most:,.0f} rows"])
    strip.tick_params(axis="x", labelbottom=False, length=0)
    ax.set_title(ax.get_title(loc="left"), y=TITLE_AT)


def _draw_bins(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    """Points whose areas are the numbers of rows, without intervals; a line through those with enough of them."""
    every: dict[str, Any] = {name: np.array([each.rows for each in bins]) for name, bins in curve.facts["bins"].items()}
    most = max(float(rows.max()) for rows in every.values())
    full: dict[str, Any] = {"alpha": 0.75, "linewidths": 0, "clip_on": False, "zorder": 2.6}
    for line in curve.lines:
        own, rows = pens[line.name], every[line.name]
        area = np.maximum(SMALLEST_AREA, LARGEST_AREA * rows / most)
        ax.scatter(line.x, line.y, area, own.colour, marker=own.marker, **full)
        through = rows >= JOINED_ROWS
        how: dict[str, Any] = {"color": own.colour, "linestyle": own.dashes, "linewidth": THIN}
        ax.plot(line.x[through], line.y[through], zorder=2.5, **how)


def _draw_mark(ax: Axes, curve: Curve, mark: Mark, pens: Mapping[str, Pen]) -> None:
    """A ring; its name beside it, unless it is the name of a line, which the legend tells."""
    from matplotlib.patheffects import withStroke

    own = _mark_pen(mark, pens)
    x, y = (float(_clip_infinite(np.array(v), r)) for v, r in ((mark.x, curve.x_range), (mark.y, curve.y_range)))
    ring: dict[str, Any] = {"markerfacecolor": "white", "markersize": 5.5, "markeredgewidth": 1.3, "zorder": 4}
    ax.plot([x], [y], own.marker, color=own.colour, clip_on=False, **ring)
    if mark.name in {line.name for line in curve.lines}:
        return
    above = -10 if any(line.name == mark.of and line.y[-1] < line.y[0] for line in curve.lines) else 3
    away, side = ((-8, above), "right") if x > np.mean(ax.get_xlim()) else ((8, -9), "left")
    text = ax.annotate(one_line(mark.name), (x, y), away, textcoords="offset points", ha=side, fontsize=7, zorder=5)
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    _move_off_lines(text, ax)


def _move_off_lines(text: Annotation, ax: Axes) -> None:
    """Take the first place that covers no line, or the one that covers the fewest; the given one is the first."""
    drawn = [line.get_transform().transform_path(line.get_path()) for line in ax.lines]
    whole = ax.get_window_extent()
    ways = (((float(text.xyann[0]), float(text.xyann[1])), str(text.get_horizontalalignment())), *LABEL_WAYS)
    covered: list[float] = []
    for away, side in ways:
        text.xyann = away
        text.set(horizontalalignment=side)
        box = text.get_window_extent()
        out = box.x0 < whole.x0 or box.x1 > whole.x1 or box.y0 < whole.y0 or box.y1 > whole.y1
        covered.append(np.inf if out else sum(path.intersects_bbox(box, filled=False) for path in drawn))
    best, side = ways[int(np.argmin(covered))]
    text.xyann = best
    text.set(horizontalalignment=side)


def _legend_labels(curve: Curve, across: float | None) -> list[str]:
    """Return what a legend says, in lines as wide as there is room; nothing where there is one thing to tell."""
    labels = [*line_labels(curve), *(guide.name for guide in _guides(curve)), *mark_labels(curve)]
    labels += [ABOUT_BINS] if is_crowded(curve) else []
    if len(labels) < 2 and not any(mark.says for mark in curve.marks):
        return []
    room = WIDEST_LEGEND if across is None else 72 * (across - BESIDE) / LEGEND_SIZE - HANDLE
    return [break_label(label, room) for label in labels]


def _add_legend(ax: Axes, curve: Curve, pens: Mapping[str, Pen], across: float | None) -> None:
    """Name lines, then guides, then what the marks say: below a chart so many inches across, where no line is hidden.

    On axes of somebody else's figure, whose other parts could lie below, it stands inside.
    """
    from matplotlib.patches import Patch
    from matplotlib.transforms import ScaledTranslation

    labels = _legend_labels(curve, across)
    if not labels:
        return
    handles: list[Artist] = [_line_handle(curve, line, pens[line.name]) for line in curve.lines]
    for guide in _guides(curve):
        own = pens[guide.name]
        band = guide.style == "band"
        handles.append(Patch(color=own.colour, alpha=0.3, linewidth=0) if band else _handle(own, wide=THIN))
    handles += [_handle(_mark_pen(mark, pens), rings=True) for mark in legend_marks(curve)]
    handles += [_handle(Pen(GREY, "none"), rings=False)] if is_crowded(curve) else []
    place: dict[str, Any] = {}
    if across is not None:
        below = BELOW + _names_along(curve, ax).deeper * TICK / 72
        anchor = ax.transAxes + ScaledTranslation(0, -below, ax.figure.canvas.figure.dpi_scale_trans)
        place = {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "bbox_transform": anchor}
        place |= {"borderaxespad": 0.0, "borderpad": 0.0, "labelspacing": 0.25}
    legend = ax.legend(handles, [" "] * len(handles), **place)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(escape_math(label))  # set afterwards: a name that begins with _ would be left out


def _guides(curve: Curve) -> list[Line]:
    """Each name once, unless a mark beside the guide tells it."""
    marked = {mark.name for mark in curve.marks}
    return list({guide.name: guide for guide in curve.guides if guide.name not in marked}.values())


def _line_handle(curve: Curve, line: Line, own: Pen) -> Line2D:
    if line.style == "points":
        return _handle(own, rings=False)
    handle = _handle(own, wide=THIN if is_crowded(curve) else None)
    if any(mark.name == line.name for mark in curve.marks):
        handle.set(marker=own.marker, markerfacecolor="white")
    if is_crowded(curve):
        handle.set(marker=own.marker, markersize=4.5, markeredgewidth=0)
    return handle


def _mark_pen(mark: Mark, pens: Mapping[str, Pen]) -> Pen:
    """The pen of the line that a mark belongs to, or of its name."""
    return pens.get(mark.of) or pens.get(mark.name) or Pen("black", "-")


def _handle(own: Pen, rings: bool | None = None, wide: float | None = None) -> Line2D:
    """A piece of line, or a marker: a ring for a mark, full for one of many points."""
    from matplotlib.lines import Line2D

    if rings is None:
        return Line2D([], [], color=own.colour, linestyle=own.dashes, linewidth=wide)
    face = "white" if rings else own.colour
    return Line2D([], [], color=own.colour, linestyle="none", marker=own.marker, markerfacecolor=face)
