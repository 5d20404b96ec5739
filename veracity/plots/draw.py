"""Which pictures there are of results, and the one renderer of every chart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.comparison import Comparison
from veracity.findings.curve import Curve, Mark
from veracity.plots.bin_sizes import TITLE_AT, add_bin_sizes, draw_bins, is_crowded
from veracity.plots.chart_frame import clip_infinite, is_square, names_depth, set_frame, title_lines
from veracity.plots.critical_difference import critical_difference
from veracity.plots.label_place import move_off_lines
from veracity.plots.legend import add_legend, legend_height, mark_pen
from veracity.plots.look import COLUMN, TITLE, Pen, figure, guide_pen, look, make_savable, one_line, pen, picture_width
from veracity.plots.pair_differences import differences, differences_of_ranking
from veracity.plots.pair_matrices import multi_comparison_matrix, p_values
from veracity.plots.posterior_plots import posterior_density, posterior_triangle
from veracity.plots.significance_graph import significance_graph
from veracity.plots.strokes import draw_guide, draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veracity.plots.look import SavableAxes

BESIDE, AROUND = 0.6, 0.66  # inches beside a chart, and above and below it without its legend
FLAT = 0.66  # height of a chart that is not square, as a share of its width
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


def draw(curve: Curve, ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the chart on `ax`, or on a figure of its own; the axes come back and can save their figure."""
    wide = picture_width(COLUMN, width) if ax is None else None
    with look():
        place = _own_axes(curve, wide or COLUMN) if ax is None else ax
        pens = _pens(curve)
        set_frame(curve, place)
        for guide in curve.guides:
            own = pens[guide.name]  # in the colour of the line that it belongs to
            draw_guide(place, curve, guide, Pen(pens[guide.of].colour, own.dashes) if guide.of in pens else own)
        _draw_lines(place, curve, pens)
        for mark in curve.marks:
            _draw_mark(place, curve, mark, pens)
        add_legend(place, curve, pens, wide)
    return make_savable(place)


def _draw_lines(ax: Axes, curve: Curve, pens: Mapping[str, Pen]) -> None:
    if is_crowded(curve):
        draw_bins(ax, curve, pens)
        return
    for line in curve.lines:
        draw_line(ax, curve, line, pens[line.name])
    if curve.kind == "calibration":
        add_bin_sizes(ax, curve, pens)


def _own_axes(curve: Curve, wide: float) -> Axes:
    """Axes of a figure with room for the legend below the chart."""
    side = wide - BESIDE
    strip = (TITLE_AT - 1) * side if curve.kind == "calibration" and not is_crowded(curve) else 0.0
    tall = side + strip if is_square(curve) else FLAT * side
    titles = len(title_lines(curve, side)) - 1
    whole = figure(wide, tall + AROUND + 1.2 * TITLE / 72 * titles + legend_height(curve, wide))
    place = whole.add_subplot()
    whole.set_figheight(whole.get_figheight() + names_depth(curve, place))
    return place


def _pens(curve: Curve) -> dict[str, Pen]:
    """A pen for every line, and a grey one for every name that only guides have."""
    lines = {line.name: pen(*place) for line, place in zip(curve.lines, _pen_places(curve), strict=True)}
    names = dict.fromkeys(guide.name for guide in curve.guides)
    return {name: guide_pen(number) for number, name in enumerate(names)} | lines


def _pen_places(curve: Curve) -> list[tuple[int, int]]:
    """The number of each line's colour and of its dashes: its own one, or that of its hue and its place there."""
    hues: dict[str, list[str]] = {}
    for line in curve.lines:
        hues.setdefault(line.hue or line.name, []).append(line.name)
    if len(hues) == len(curve.lines):
        return [(number, number) for number in range(len(curve.lines))]
    order = list(hues)
    return [(order.index(hue), hues[hue].index(line.name)) for line in curve.lines for hue in (line.hue or line.name,)]


def _draw_mark(ax: Axes, curve: Curve, mark: Mark, pens: Mapping[str, Pen]) -> None:
    """A ring; its name beside it, unless it is the name of a line, which the legend tells."""
    from matplotlib.patheffects import withStroke

    own = mark_pen(mark, pens)
    x, y = (float(clip_infinite(np.array(v), r)) for v, r in ((mark.x, curve.x_range), (mark.y, curve.y_range)))
    ring: dict[str, Any] = {"markerfacecolor": "white", "markersize": 5.5, "markeredgewidth": 1.3, "zorder": 4}
    ax.plot([x], [y], own.marker, color=own.colour, clip_on=False, **ring)
    if mark.name in {line.name for line in curve.lines}:
        return
    above = -10 if any(line.name == mark.of and line.y[-1] < line.y[0] for line in curve.lines) else 3
    away, side = ((-8, above), "right") if x > np.mean(ax.get_xlim()) else ((8, -9), "left")
    text = ax.annotate(one_line(mark.name), (x, y), away, textcoords="offset points", ha=side, fontsize=7, zorder=5)
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    move_off_lines(text, ax)


def kinds_of_comparison(comparison: Comparison) -> Kinds:
    """All, and first of a posterior the one that shows what it knows."""
    posterior = comparison.posterior
    usual = "differences" if posterior is None else "posterior_density" if posterior.law else "posterior_triangle"
    return {usual: OF_COMPARISON[usual], **OF_COMPARISON}
