"""The frame of a chart: ranges, scales, titles."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from veracity.findings.curve import Curve
from veracity.plots.letters import PlaceNames, break_lines, place_names
from veracity.plots.look import LOOK, TITLE, inches, one_line
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

MARGIN = 0.02
HEAVY = 1.1  # how much wider bold letters are
BEYOND = 1.1  # a title may be wider than the axes that make room for their numbers
TICK = LOOK["xtick.labelsize"]  # points of the letters at a tick
APART = 0.085  # of the axis, between two ticks
RATES = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)


def is_square(curve: Curve) -> bool:
    """Axes of the same range are drawn at the same scale."""
    return curve.x_range is not None and curve.x_range == curve.y_range


def set_frame(curve: Curve, ax: Axes) -> None:
    """Titles, and ranges where the curve names them."""
    ax.set_title("\n".join(title_lines(curve, inches(ax)[0] * BEYOND)))
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


def title_lines(curve: Curve, wide: float) -> tuple[str, ...]:
    """The title in lines that are at most so many inches wide."""
    return break_lines(one_line(curve.title), 72 * wide / (HEAVY * TITLE))


def names_depth(curve: Curve, ax: Axes) -> float:
    """Inches below the axes that names take beyond a line of numbers."""
    return _names_along(curve, ax).deeper * TICK / 72 if curve.x_names else 0.0


def _names_along(curve: Curve, ax: Axes) -> PlaceNames:
    return place_names(curve.x_names, 72 * inches(ax)[0] / TICK)


def with_margin(reach: tuple[float, float]) -> tuple[float, float]:
    """A little room, so that a line along the edge is seen whole."""
    room = MARGIN * (reach[1] - reach[0]) or 0.5
    return reach[0] - room, reach[1] + room


def _label_rates(axis: Axis) -> None:
    """Ticks of normal deviates named by the rates they stand for, in percent."""
    low, high = axis.get_view_interval()
    places = {NormalDist().inv_cdf(rate): f"{100 * rate:.6g}" for rate in RATES}
    shown: list[float] = []
    for place in sorted(places, key=abs):  # from one half outwards, as far as names do not touch
        if low <= place <= high and all(abs(place - other) >= APART * (high - low) for other in shown):
            shown.append(place)
    axis.set_ticks(sorted(shown), labels=[places[place] for place in sorted(shown)])


def clip_infinite(side: Array, reach: tuple[float, float] | None) -> Array:
    """Infinite places moved to the limit of the axis, or beyond it with the furthest other; without one, left out."""
    array = np.asarray(side, float)
    if not np.isinf(array).any():
        return array
    low, high = with_margin(reach) if reach is not None else (np.nan, np.nan)
    finite = array[np.isfinite(array)]
    low, high = finite.min(initial=low), finite.max(initial=high)
    return np.where(np.isposinf(array), high, np.where(np.isneginf(array), low, array))
