"""Numbers in a square, shaded by size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from markupsafe import Markup

from veracity.records.arrays import Array
from veracity.reports.svg.paper import drawing, tag, text

CELL, HIGH = 76, 30


def matrix(values: Array, names: Sequence[str], says: str, show: Callable[[float], str] | None = None) -> Markup:
    """Rows and columns of the same names; a cell is the darker the larger its share of its row."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shade = np.nan_to_num(values / np.nansum(values, axis=1, keepdims=True))
    return shaded(values, shade, names, says, show or (lambda value: f"{value:g}"))


def shaded(values: Array, shade: Array, names: Sequence[str], says: str, show: Callable[[float], str]) -> Markup:
    """The same with a shade between 0 and 1 for each cell."""
    widest = min(max(map(len, names), default=0), 20)
    left, top = 14 + 6.8 * widest, 24.0
    parts = []
    for i, name in enumerate(names):
        parts.append(text(left - 6, top + HIGH * (i + 0.5) + 4, _cut(name), "words", "end"))
        parts.append(text(left + CELL * (i + 0.5), top - 8, _cut(name, 12), "tick", "middle"))
        for j in range(len(names)):
            parts += _cell(left + CELL * j, top + HIGH * i, values[i, j], float(shade[i, j]), show)
    width, height = left + CELL * len(names) + 4, top + HIGH * len(names) + 4
    return drawing(width, height, f"{says}: {_spoken(values, names, show)}", parts)


def _cell(x: float, y: float, value: float, shade: float, show: Callable[[float], str]) -> list[Markup]:
    box = tag("rect", x=x, y=y, width=CELL, height=HIGH, class_="shade s0", fill_opacity=f"{0.05 + 0.4 * shade:.2f}")
    if np.isnan(value):
        return [box]
    return [box, text(x + CELL / 2, y + HIGH / 2 + 4, show(value), "cell", "middle")]


def _cut(name: str, most: int = 20) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _spoken(values: Array, names: Sequence[str], show: Callable[[float], str]) -> str:
    rows = zip(names, values, strict=True)
    return "; ".join(f"{name} {', '.join(show(v) for v in row.tolist() if v == v)}" for name, row in rows)
