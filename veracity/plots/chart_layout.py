"""What drawings of a chart by matplotlib and as SVG share: ranges, legends, and points as fine as can be seen."""

from __future__ import annotations

import numpy as np

from veracity.findings.curve import Curve, Mark
from veracity.plots.letters import break_name
from veracity.records.arrays import Array

MARGIN = 0.02  # of the range of an axis, at each end
MODELS_TOGETHER = 2  # whose intervals and bins can be told apart on one chart
LONGEST_LABEL = 160  # characters of one entry of a legend
COLUMNS = 1_000  # columns of a chart: no screen shows a line finer
GRID = 200  # cells along each side for clouds of points


def is_square(curve: Curve) -> bool:
    """Return whether both axes have the same range, and so are drawn at the same scale."""
    return curve.x_range is not None and curve.x_range == curve.y_range


def with_margin(reach: tuple[float, float]) -> tuple[float, float]:
    """Widen a range a little, so that a line along the edge is seen whole."""
    room = MARGIN * (reach[1] - reach[0]) or 0.5
    return reach[0] - room, reach[1] + room


def is_crowded(curve: Curve) -> bool:
    """Return whether a calibration chart has more models than can show their intervals side by side."""
    return curve.kind == "calibration" and len(curve.lines) > MODELS_TOGETHER


def line_labels(curve: Curve) -> list[str]:
    """Return the name of each line, what is said of it, and what its own mark says."""
    labels = []
    for line in curve.lines:
        own = [mark.says for mark in curve.marks if mark.name == line.name]
        says = ", ".join(filter(None, (line.says, *own)))
        labels.append(f"{line.name} ({says})" if says else line.name)
    return labels


def mark_labels(curve: Curve) -> list[str]:
    """Return what the other marks say."""
    return [f"{mark.name}: {mark.says}" for mark in legend_marks(curve)]


def break_label(label: str, wide: float) -> str:
    """Break one entry of a legend into lines where the room ends."""
    return "\n".join(break_name(label, LONGEST_LABEL, wide))


def legend_marks(curve: Curve) -> list[Mark]:
    """Return marks that say something and are not told with a line of their name."""
    lines = {line.name for line in curve.lines}
    return [mark for mark in curve.marks if mark.says and mark.name not in lines]


def thin_line(x: Array, y: Array) -> tuple[Array, Array]:
    """Thin a line to the first, last, lowest and highest point of each column; gaps (NaN) stay."""
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
    places = [starts, ends]
    for edge in (np.minimum, np.maximum):
        hits = np.flatnonzero(y == edge.reduceat(y, starts)[group])
        places.append(hits[np.append(True, group[hits][1:] != group[hits][:-1])])  # the first of each column
    return np.unique(np.concatenate(places))


def thin_cloud(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """Thin a cloud to one point of each occupied cell of a fine grid, and count the points that each stands for."""
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    x, y = x[known], y[known]
    if len(x) <= 4 * COLUMNS:
        return x, y, np.ones(len(x))
    cells = _grid_index(x, GRID) * GRID + _grid_index(y, GRID)
    _, first, number = np.unique(cells, return_index=True, return_counts=True)
    return x[first], y[first], number


def unbroken_parts(known: Array) -> list[Array]:
    """Return the places that are known, from gap to gap."""
    places = np.flatnonzero(known)
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []


def _grid_index(side: Array, number: int) -> Array:
    low, high = side.min(), side.max()
    wide = high - low or 1.0
    return np.minimum((side - low) / wide * number, number - 1).astype(np.int64)
