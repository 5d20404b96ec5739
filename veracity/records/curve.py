"""A chart as data: lines, guides and named points, before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.arrays import Array

Style = Literal["line", "points", "bars", "band"]
Scale = Literal["linear", "normal"]


@dataclass(frozen=True, eq=False)
class Line:
    """One series. `threshold` is the decision threshold of each point where there is one; low and high bound y."""

    name: str
    x: Array
    y: Array
    threshold: Array | None = None
    low: Array | None = None
    high: Array | None = None
    style: Style = "line"


@dataclass(frozen=True)
class Mark:
    """One named point."""

    name: str
    x: float
    y: float
    threshold: float | None = None
    says: str = ""


@dataclass(frozen=True, eq=False)
class Curve:
    """A chart of one or several models. `facts` holds what the chart tells in numbers."""

    kind: str
    title: str
    x_title: str
    y_title: str
    lines: tuple[Line, ...]
    guides: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    scale: Scale = "linear"  # normal: both axes are normal deviates
    notes: tuple[Note, ...] = ()

    @property
    def only(self) -> Line:
        """The line of a chart that has one."""
        if len(self.lines) != 1:
            raise BadInput(
                f"this chart has {len(self.lines)} lines: take one of .lines ({', '.join(line.name for line in self.lines)})"
            )
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
