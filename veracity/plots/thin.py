"""Fewer points, same picture: ten million rows are drawn as what the eye can see of them."""

from __future__ import annotations

import numpy as np

from veracity.records.arrays import Array

COLUMNS = 1_000  # columns of a chart: no screen shows a line finer
GRID = 200  # cells along each side for clouds of points


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """A line by the first, last, lowest and highest point of each column; gaps (NaN) stay."""
    if len(x) <= 4 * COLUMNS:
        return x, y
    keep = np.zeros(len(x), bool)
    known = np.isfinite(x) & np.isfinite(y)
    keep[1:] |= known[1:] != known[:-1]  # where a gap begins and ends
    keep[:-1] |= known[1:] != known[:-1]
    places = np.flatnonzero(known)
    if len(places):
        keep[places[_seen(x[places], y[places])]] = True
    return x[keep], y[keep]


def _seen(x: Array, y: Array) -> Array:
    """Where a line of known points touches the edges of its columns."""
    column = _cell(x, COLUMNS)
    starts = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    ends = np.append(starts[1:], len(x)) - 1
    group = np.repeat(np.arange(len(starts)), ends - starts + 1)
    extremes = [_first_at(y, edge.reduceat(y, starts)[group], group) for edge in (np.minimum, np.maximum)]
    return np.unique(np.concatenate([starts, ends, *extremes]))


def _first_at(y: Array, wanted: Array, group: Array) -> Array:
    """The first place in each group that holds the group's wanted value."""
    hits = np.flatnonzero(y == wanted)
    return hits[np.append(True, group[hits][1:] != group[hits][:-1])]


def thinned_cloud(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """A cloud by one point of each occupied cell of a fine grid, and how many points each stands for."""
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    x, y = x[known], y[known]
    if len(x) <= 4 * COLUMNS:
        return x, y, np.ones(len(x))
    _, first, number = np.unique(_cell(x, GRID) * GRID + _cell(y, GRID), return_index=True, return_counts=True)
    return x[first], y[first], number


def runs(known: Array) -> list[Array]:
    """The places that are known, from gap to gap."""
    places = np.flatnonzero(known)
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []


def _cell(side: Array, number: int) -> Array:
    low, high = side.min(), side.max()
    wide = high - low or 1.0
    return np.minimum((side - low) / wide * number, number - 1).astype(np.int64)
