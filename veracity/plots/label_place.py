"""Where the name of a mark stands: beside it, and if it can be had on no line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

WAYS = tuple(((x, y), side) for x, side in ((8, "left"), (-8, "right")) for y in (-9, 6, -18, 15, -27))  # in points
STEP = 2.0  # pixels between the points of a line that are looked at


def move_off_lines(text: Annotation, ax: Axes) -> None:
    """Take the first place that covers nothing, or the one that covers least; the given one is the first."""
    drawn = [_points(line.get_transform().transform(line.get_xydata())) for line in ax.lines]
    points = np.concatenate([part for part in drawn if len(part) > 1] or [np.empty((0, 2))])
    whole = ax.get_window_extent()
    ways = (((float(text.xyann[0]), float(text.xyann[1])), str(text.get_horizontalalignment())), *WAYS)
    covered: list[float] = []
    for away, side in ways:
        _place(text, away, side)
        box = text.get_window_extent()
        inside = (points > (box.x0, box.y0)).all(1) & (points < (box.x1, box.y1)).all(1)
        out = box.x0 < whole.x0 or box.x1 > whole.x1 or box.y0 < whole.y0 or box.y1 > whole.y1
        covered.append(np.inf if out else float(inside.sum()))
    _place(text, *ways[int(np.argmin(covered))])


def _place(text: Annotation, away: tuple[float, float], side: str) -> None:
    text.xyann = away
    text.set_horizontalalignment(side)  # type: ignore[arg-type]


def _points(corners: Array) -> Array:
    """Points along a line on the screen, as close as pixels matter."""
    corners = corners[np.isfinite(corners).all(1)]
    if len(corners) < 2:
        return corners
    far = np.hypot(*np.diff(corners, axis=0).T)
    along = np.append(0.0, np.cumsum(far))
    at = np.arange(0.0, along[-1], STEP)
    return np.stack([np.interp(at, along, corners[:, axis]) for axis in (0, 1)], 1)
