"""The critical-difference diagram: mean ranks on a line, and bars over what is not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veracity.findings.ranking import Ranking
from veracity.plots.letters import break_lines
from veracity.plots.look import COLUMN, INK, PAGE, escape_math, figure, inches, look, picture_width
from veracity.plots.rank_layout import Join, RankLayout, RankName, RankNames, rank_layout, rank_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE, SMALL = 7.0, 6.0  # points of names and numbers, and of what is said below
LINE = 1.2 * SIZE / 72  # inches of a line of a name
FIRST, BAR = 0.1, 0.095  # inches from the axis to the first bar, and from bar to bar
EDGE = 0.07  # inches between the end of a leg and a name, and between a name and the edge
SHORTEST = 1.2  # inches of the axis
LINES = 3  # of a name: where a column would break one into more, the picture is two columns wide
BOLD = 3.0  # points of a bar


def critical_difference(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the diagram in inches down from its axis; names that are too long for its width are broken into lines."""
    layout = rank_layout(ranking)
    if ax is None:
        wide = picture_width(COLUMN if _break_names(layout, COLUMN).most_lines <= LINES else PAGE, width)
    else:
        wide = inches(ax)[0]
    names = _break_names(layout, wide)
    caption = break_lines(layout.says, 72 * (wide - 2 * EDGE) / SMALL)
    above = 0.25 if layout.critical_difference is None else 0.44
    first_name = FIRST + BAR * layout.rows + 0.05
    below = first_name + LINE * names.deep + 1.3 * SMALL / 72 * len(caption) + 0.06
    left, right = (side * SIZE / 72 + 2 * EDGE for side in (names.left, names.right))
    with look():
        place = figure(wide, above + below, None).add_axes((0, 0, 1, 1)) if ax is None else ax
        low, high = layout.axis
        unit = (high - low) / max(wide - left - right, wide / 4)  # ranks of an inch
        place.set_xlim(low - left * unit, high + right * unit)
        place.set_ylim(below, -above)
        place.set_axis_off()
        _draw_axis(place, layout)
        _draw_critical(place, layout)
        for join in layout.joins:
            _draw_join(place, join)
        for name in names.each:
            _draw_leg(place, layout, name, first_name + LINE * name.at)
        small: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": SMALL, "linespacing": 1.2}
        place.text(sum(place.get_xlim()) / 2, below - 0.03, escape_math("\n".join(caption)), **small)
    return place


def _break_names(layout: RankLayout, wide: float) -> RankNames:
    room = wide - min(SHORTEST, wide / 2) - 4 * EDGE
    return rank_names(layout, 72 * room / SIZE)


def _thin_stroke(**more: Any) -> dict[str, Any]:
    return {"color": INK, "linewidth": 0.8, **more}


def _draw_axis(ax: Axes, layout: RankLayout) -> None:
    low, high = layout.axis
    ax.plot([low, high], [0, 0], **_thin_stroke())
    for rank in range(int(low), int(high) + 1):
        ax.plot([rank, rank], [0, -0.05 if rank in layout.numbered_ranks else -0.03], **_thin_stroke())
    for rank in layout.numbered_ranks:
        ax.text(rank, -0.07, str(rank), ha="center", va="bottom", fontsize=SIZE)


def _draw_critical(ax: Axes, layout: RankLayout) -> None:
    """The critical difference as a length from the first rank on, as far as the axis goes."""
    if layout.critical_difference is None:
        return
    low, high = layout.axis
    end = min(low + layout.critical_difference, high)
    stops = [0, 1] if low + layout.critical_difference <= high else [0]
    ax.plot([low, end], [-0.24, -0.24], marker="|", markevery=stops, **_thin_stroke())
    ax.text((low + end) / 2, -0.27, layout.critical_says, ha="center", va="bottom", fontsize=SIZE)


def _draw_join(ax: Axes, join: Join) -> None:
    """A thick line; a thin one with dots where it does not join all that it passes."""
    y = FIRST + BAR * join.row
    thick = 1.0 if join.dots else BOLD
    ax.plot([join.low, join.high], [y, y], color="black", linewidth=thick, solid_capstyle="round", zorder=3)
    ax.plot(join.dots, [y] * len(join.dots), "o", color="black", markersize=BOLD + 0.4, markeredgewidth=0, zorder=3)


def _draw_leg(ax: Axes, layout: RankLayout, name: RankName, y: float) -> None:
    """Draw a line from the axis down, and out to the name."""
    leg = name.leg
    end = layout.axis[0] if leg.left else layout.axis[1]
    ax.plot([leg.at, leg.at, end], [0, y, y], **_thin_stroke(zorder=2))
    away, side = (-72 * EDGE / 2, "right") if leg.left else (72 * EDGE / 2, "left")
    heavy = "bold" if leg.name == layout.control else "normal"
    text: dict[str, Any] = {"textcoords": "offset points", "ha": side, "va": "center", "multialignment": side}
    says = escape_math("\n".join(name.lines))
    ax.annotate(says, (end, y), (away, 0), fontsize=SIZE, weight=heavy, linespacing=1.05, **text)
