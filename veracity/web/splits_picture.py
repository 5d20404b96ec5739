"""The picture of a design: a line for each split, with the rows that train and those that test, to scale."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from veracity.records.arrays import Array
from veracity.records.design import Design, Split
from veracity.reports.svg.paper import drawing, tag, text

MAX_SPLITS, MAX_CELLS = 20, 150  # of a picture; a cell stands for one row, or for several neighbours
LINE_PX, BAR_PX, LEFT_PX, WIDTH_PX = 11, 9, 70, 480
KINDS = ("bar s1", "bar s0 faint")  # of test rows, which stand below, and of training rows


def splits_picture(design: Design, rows: int, name: str) -> Markup:
    """Draw the splits in the order of the data; a cell of several rows is painted as high as their share."""
    shown = design.splits[:MAX_SPLITS]
    edges = np.linspace(0, rows, min(rows, MAX_CELLS) + 1).astype(int)
    at = LEFT_PX + (WIDTH_PX - LEFT_PX - 10) * edges / rows
    ways = dict.fromkeys(KINDS, "")
    parts = [text(LEFT_PX, 12, f"rows of {name}, in their order", "tick")]
    for number, split in enumerate(shown):
        bottom = 20.0 + LINE_PX * number + BAR_PX
        parts.append(text(LEFT_PX - 6, bottom, f"split {number + 1}", "tick", "end"))
        tests, trains = _shares(split, rows, edges)
        for kind, low, high in zip(KINDS, (np.zeros_like(tests), tests), (tests, tests + trains), strict=True):
            ways[kind] += _bars(at, bottom - BAR_PX * low, bottom - BAR_PX * high)
    parts += [tag("path", d=way, class_=kind) for kind, way in ways.items() if way]
    more = f"; {len(design.splits) - MAX_SPLITS} more splits follow" if len(design.splits) > MAX_SPLITS else ""
    says = f"{len(design.splits)} splits of {rows} rows by {design.name}: blue rows train, orange rows test{more}"
    return drawing(WIDTH_PX, 28 + LINE_PX * len(shown), says, parts)


def _shares(split: Split, rows: int, edges: Array) -> tuple[Array, Array]:
    """Return the share of the rows of each cell that test, and of those that only train."""
    tests, trains = np.zeros(rows, bool), np.zeros(rows, bool)
    tests[split.test], trains[split.train] = True, True
    if (tests & ~trains).any():  # of a bootstrap the rows that were drawn are predicted too, and test nothing
        tests &= ~trains
    sizes = np.diff(edges)
    return np.add.reduceat(tests, edges[:-1]) / sizes, np.add.reduceat(trains & ~tests, edges[:-1]) / sizes


def _bars(at: Array, low: Array, high: Array) -> str:
    """Return the outline of each stretch of cells that are painted alike."""
    changes = np.flatnonzero((np.diff(low) != 0) | (np.diff(high) != 0)) + 1
    begins, ends = np.r_[0, changes], np.r_[changes, len(low)]
    return "".join(
        f"M{at[begin]:.2f} {low[begin]:.2f}V{high[begin]:.2f}H{at[end]:.2f}V{low[begin]:.2f}z"
        for begin, end in zip(begins, ends, strict=True)
        if low[begin] > high[begin]
    )
