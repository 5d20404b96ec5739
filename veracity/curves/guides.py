"""What stands beside the lines of orderings: chance, perfection, and the points of crisp models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veracity.curves.classes import Series
from veracity.findings.curve import Line, Mark

UNIT = (0.0, 1.0)
Polyline = tuple[tuple[float, ...], tuple[float, ...]]


def diagonal(name: str = "chance") -> Line:
    """From (0, 0) to (1, 1)."""
    return Line(name, np.array(UNIT), np.array(UNIT))


def guides(found: tuple[Series, ...], shape: Callable[[Series], Polyline], name: str) -> tuple[Line, ...]:
    """A guide that depends on the numbers of rows: one for all lines where they agree, else one for each."""
    shapes = {one.name: shape(one) for one in found}
    if len(set(shapes.values())) == 1:
        shapes = {"": shapes[found[0].name]}
    return tuple(Line(name, np.array(x, float), np.array(y, float), of=of) for of, (x, y) in shapes.items())


def crisp_marks(found: tuple[Series, ...], lines: tuple[Line, ...], point: int = 1) -> tuple[Mark, ...]:
    """The one place where a crisp model stands, where it can be shown."""
    crisp = [line for one, line in zip(found, lines, strict=True) if one.crisp]
    marks = [Mark(line.name, float(line.x[point]), float(line.y[point]), of=line.name) for line in crisp]
    return tuple(mark for mark in marks if np.isfinite([mark.x, mark.y]).all())


def inverted(marks: tuple[Mark, ...]) -> tuple[tuple[Line, ...], tuple[Mark, ...]]:
    """Of each crisp point below the diagonal of a ROC chart, what swapping its labels would give."""
    below = [mark for mark in marks if mark.y < mark.x]
    mirrored = tuple(Mark(f"{mark.name} inverted", 1 - mark.x, 1 - mark.y, of=mark.of) for mark in below)
    lines = tuple(Line(m.name, np.array([0.0, m.x, 1.0]), np.array([0.0, m.y, 1.0]), of=m.of) for m in mirrored)
    return lines, mirrored
