"""A chart as data: lines, guides and named points, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.tables.result import JsonFields, Result

Style = Literal["line", "step", "points", "bars", "band"]
Scale = Literal["linear", "normal"]
COLUMNS = ("x", "y", "threshold", "low", "high")  # numbers of each point of a line


@dataclass(frozen=True, eq=False, repr=False)
class Line(JsonFields):
    """One series. `threshold` is the decision threshold of each point where there is one; low and high bound y."""

    name: str
    x: Array
    y: Array
    threshold: Array | None = None
    low: Array | None = None
    high: Array | None = None
    style: Style = "line"  # step: y holds from its own x to the x of the next point
    says: str = ""  # what to add to the name, such as "AUC 0.857"
    of: str = ""  # the line that a guide belongs to
    path: tuple[Array, Array] | None = None  # the way through the points where it is not straight between them
    hue: str = ""  # lines of one hue have one colour and differ in their dashes

    _json_names = ("name", *COLUMNS)

    def json_fields(self) -> dict[str, Any]:
        return {name: column for name, column in super().json_fields().items() if column is not None}

    def __repr__(self) -> str:
        return f"Line({self.name!r}, {len(self.x)} points)"


@dataclass(frozen=True)
class Mark(JsonFields):
    """One named point."""

    name: str
    x: float
    y: float
    threshold: float | None = None
    says: str = ""
    of: str = ""  # the line it belongs to
    _json_names = ("name", "x", "y", "threshold", "says")


def point_marks(lines: Iterable[Line]) -> tuple[Mark, ...]:
    """A mark at every point of lines that have few: where they lie is part of what was measured."""
    every = ((line.name, x, y) for line in lines for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True))
    return tuple(Mark(name, x, y, of=name) for name, x, y in every if not math.isnan(y))


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Result):
    """A chart of one or several models. `facts` holds what the chart tells in numbers.

    Attributes
    ----------
    kind
        What kind it is.
    title
        What it shows.
    x_title
        What the horizontal axis is.
    y_title
        What the vertical axis is.
    lines
        A line for each model.
    guides
        Lines to compare with, such as that of chance.
    marks
        Named points.
    facts
        Further numbers by name.
    x_range
        The ends of the horizontal axis.
    y_range
        The ends of the vertical axis.
    scale
        'linear', or 'normal' for axes of normal quantiles.
    notes
        What a reader should know: cautions and remarks.
    log_x
        Whether the horizontal axis is logarithmic.
    log_y
        Whether the vertical axis is logarithmic.
    x_names
        Names of the places, where these are no numbers.
    threshold
        Thresholds of the single line.
    x
        X of the single line.
    y
        Y of the single line.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.curve(p, "roc").x
    array([0. , 0. , 0. , 0.5, 0.5, 1. ])
    """

    kind: str
    title: str
    x_title: str
    y_title: str
    lines: tuple[Line, ...]
    guides: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    scale: Scale = "linear"  # normal: both axes are normal deviates
    notes: tuple[Note, ...] = ()
    log_x: bool = False  # whether an axis is drawn on a logarithmic scale
    log_y: bool = False
    x_names: tuple[str, ...] = ()  # what stands at x = 1, 2, ... where that is no number
    _json_names = ("kind", "title", "x_title", "x_names", "y_title", "lines", "guides", "marks", "facts")

    @property
    def only(self) -> Line:
        """The line of a chart that has one."""
        if len(self.lines) != 1:
            names = ", ".join(line.name for line in self.lines)
            raise BadInput(f"this chart has {len(self.lines)} lines: take one of .lines ({names})")
        return self.lines[0]

    @property
    def x(self) -> Array:
        return self.only.x

    @property
    def y(self) -> Array:
        return self.only.y

    @property
    def threshold(self) -> Array | None:
        return self.only.threshold

    @verb
    def line(self, name: str) -> Line:
        """The line of this name."""
        for line in self.lines:
            if line.name == name:
                return line
        raise BadInput(f"no line is called {name!r}: there are {', '.join(line.name for line in self.lines)}")

    def columns(self) -> dict[str, Array]:
        """All points of all lines as one long table; a threshold that does not exist is NaN."""
        if not self.lines:
            return {"name": np.array([], str), "x": np.array([]), "y": np.array([]), "threshold": np.array([])}
        sizes = [len(line.x) for line in self.lines]
        thresholds = [np.full(len(line.x), np.nan) if line.threshold is None else line.threshold for line in self.lines]
        return {
            "name": np.repeat([line.name for line in self.lines], sizes),
            "x": np.concatenate([line.x for line in self.lines]),
            "y": np.concatenate([line.y for line in self.lines]),
            "threshold": np.concatenate(thresholds),
        }

    def json_fields(self) -> dict[str, Any]:
        return {name: value for name, value in super().json_fields().items() if name != "x_names" or value}

    @property
    def json_notes(self) -> tuple[Note, ...]:
        """The notes, and which numbers have no place in JSON."""
        notes, codes = list(self.notes), {note.code for note in self.notes}
        for code, test in (("infinite", np.isinf), ("undefined", np.isnan)):
            columns = ((f"{name} of {line.name}", getattr(line, name)) for line in self.lines for name in COLUMNS)
            where = [place for place, column in columns if column is not None and test(np.asarray(column, float)).any()]
            if where and code not in codes:
                notes.append(Note(code, "remark", f"null stands for a number that is {code} in {', '.join(where)}"))
        return tuple(notes)

    def __repr__(self) -> str:
        return f"Curve({self.kind!r}, {', '.join(map(repr, self.lines))})"
