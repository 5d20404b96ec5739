"""The critical-difference diagram: mean ranks on a line, and bars over what is not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veracity.plots.look import INK, figure, inches, look, savable, words
from veracity.plots.rank_layout import Join, Leg, RankLayout, rank_layout
from veracity.records.standing import Standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMN = 3.5  # inches: the width of a column of a paper
NAME, SAYS = 26, 72  # characters of a name, and of a line of what is said below
ROW, BAR = 0.165, 0.095  # inches of a name and of a bar
LETTER = 0.056  # inches of a letter, about
SHORTEST = 1.3  # inches of the axis
BOLD = 3.0  # points of a bar


def critical_difference(standing: Standing, ax: Axes | None = None) -> Axes:
    """Draw the diagram; on a figure of its own it is a column wide unless names need more."""
    layout = rank_layout(standing)
    with look():
        place = _own_axes(layout) if ax is None else ax
        _set_frame(place, layout)
        _draw_axis(place, layout)
        for join in layout.joins:
            _draw_join(place, join)
        for leg in layout.legs:
            _draw_leg(place, layout, leg)
    return savable(place)


def _label(leg: Leg) -> str:
    name = words(leg.name, NAME)
    return f"{name} ({leg.rank:.2f})" if leg.left else f"({leg.rank:.2f}) {name}"


def _margins(layout: RankLayout) -> tuple[float, float]:
    """Inches for the names at both sides."""
    sides = ([_label(leg) for leg in layout.legs if leg.left is left] for left in (True, False))
    left, right = (LETTER * max(map(len, side), default=0) + 0.14 for side in sides)
    return left, right


def _said(layout: RankLayout) -> list[str]:
    import textwrap

    return textwrap.wrap(words(layout.says, 3 * SAYS), SAYS)


def _deep(layout: RankLayout) -> float:
    """Inches below the axis."""
    return 0.1 + BAR * layout.rows + ROW * layout.name_rows + 0.12 + 0.12 * len(_said(layout))


def _above(layout: RankLayout) -> float:
    """Inches above the axis."""
    return 0.25 if layout.critical_difference is None else 0.44


def _own_axes(layout: RankLayout) -> Axes:
    width = max(COLUMN, SHORTEST + sum(_margins(layout)))
    return figure(width, _above(layout) + _deep(layout), None).add_axes((0, 0, 1, 1))


def _set_frame(ax: Axes, layout: RankLayout) -> None:
    """Across: ranks, with room for names at both sides. Down: inches from the axis."""
    low, high = layout.axis
    left, right = _margins(layout)
    unit = (high - low) / max(inches(ax)[0] - left - right, SHORTEST / 2)  # ranks of an inch
    ax.set_xlim(low - left * unit, high + right * unit)
    ax.set_ylim(_deep(layout), -_above(layout))
    ax.set_axis_off()


def _draw_axis(ax: Axes, layout: RankLayout) -> None:
    low, high = layout.axis
    thin: dict[str, Any] = {"color": INK, "linewidth": 0.8}
    ax.plot([low, high], [0, 0], **thin)
    step = max(1, round((high - low) / 8))
    for rank in range(int(low), int(high) + 1):
        ax.plot([rank, rank], [0, -0.05], **thin)
        if (rank - int(low)) % step == 0:
            ax.text(rank, -0.07, str(rank), ha="center", va="bottom", fontsize=7)
    if layout.critical_difference is not None:
        ax.plot([low, low + layout.critical_difference], [-0.24, -0.24], marker="|", markersize=5, **thin)
        says = f"CD = {layout.critical_difference:.3g}"
        ax.text(low + layout.critical_difference / 2, -0.27, says, ha="center", va="bottom", fontsize=7)
    middle = sum(ax.get_xlim()) / 2
    below = _deep(layout) - 0.03
    ax.text(middle, below, "\n".join(_said(layout)), ha="center", va="bottom", fontsize=6, linespacing=1.2)


def _draw_join(ax: Axes, join: Join) -> None:
    """A thick line; a thin one with dots where it does not join all that it passes."""
    y = 0.1 + BAR * join.row
    thick = 1.0 if join.dots else BOLD
    ax.plot([join.low, join.high], [y, y], color="black", linewidth=thick, solid_capstyle="round", zorder=3)
    ax.plot(join.dots, [y] * len(join.dots), "o", color="black", markersize=BOLD + 0.4, markeredgewidth=0, zorder=3)


def _draw_leg(ax: Axes, layout: RankLayout, leg: Leg) -> None:
    """From the axis down, and out to the name."""
    low, high = layout.axis
    y = 0.1 + BAR * layout.rows + ROW * (leg.row + 0.5)
    end = low if leg.left else high
    ax.plot([leg.at, leg.at, end], [0, y, y], color=INK, linewidth=0.8, zorder=2)
    away, side = (-3, "right") if leg.left else (3, "left")
    heavy = "bold" if leg.name == layout.control else "normal"
    text: dict[str, Any] = {"textcoords": "offset points", "ha": side, "va": "center", "fontsize": 7, "weight": heavy}
    ax.annotate(_label(leg), (end, y), (away, 0), **text)
