"""What every chart is drawn with: a frame that places numbers, and elements whose text is always escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from markupsafe import Markup
from markupsafe import escape as escape_markup

from veracity.core.words import spell_out_controls
from veracity.plots.chart_layout import unbroken_parts
from veracity.plots.letters import cut
from veracity.records.arrays import Array

MAX_DEVIATION_TENTHS = 4  # of a pixel, by which a line may run beside its points
LONGEST = 40  # characters of a name in a chart
Place = TypeVar("Place", float, Array)
WIDE = 480.0  # pixels of a picture that has half of a row of the page for itself
THIRD = 320.0  # and of one that has a third; a phone shows either whole


@dataclass(frozen=True)
class Frame:
    """The range of each axis and the room for it, in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: float = THIRD
    height: float = 250
    left: float = 50
    right: float = 12
    top: float = 10
    bottom: float = 44

    @property
    def across(self) -> float:
        """Pixels of the horizontal axis."""
        return self.width - self.left - self.right

    def x_of(self, value: Place) -> Place:
        low, high = self.x
        return self.left + (value - low) / (high - low) * self.across

    def y_of(self, value: Place) -> Place:
        low, high = self.y
        return self.height - self.bottom - (value - low) / (high - low) * (self.height - self.top - self.bottom)


def escape(value: object) -> Markup:
    """Words as an element holds them."""
    return value if isinstance(value, Markup) else escape_markup(spell_out_controls(str(value), keep="\n"))


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """One element; text given as attribute or inside is escaped unless it is an element already."""
    given = ""
    for key, value in attributes.items():
        text_of_value = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else escape(value)
        given += f' {key.rstrip("_").replace("_", "-")}="{text_of_value}"'
    content = "".join(map(escape, inside))
    return Markup(f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>")


def text(x: float, y: float, says: str, kind: str = "", anchor: str = "start", longest: int = LONGEST) -> Markup:
    """Words at a place; long ones are cut, and whole in their tooltip."""
    line = spell_out_controls(" ".join(str(says).split()))
    short = cut(line, longest, inside=False)
    more = [tag("title", escape(line))] if short != line else []
    return tag("text", escape(short), *more, x=x, y=y, class_=kind or "words", text_anchor=anchor)


def path(frame: Frame, x: Array, y: Array, kind: str, close: bool = False) -> Markup:
    """Return a line through places; what is undefined leaves gaps."""
    steps = []
    for part in unbroken_parts(np.isfinite(x) & np.isfinite(y)):
        tenths = np.rint(10 * np.stack([frame.x_of(x[part]), frame.y_of(y[part])], axis=1)).astype(int)  # of a pixel
        moves = np.append(True, (np.diff(tenths, axis=0) != 0).any(axis=1))
        steps.append(_steps(_simplify(tenths[moves].tolist())))
    return tag("path", d="".join(steps) + ("z" if close else ""), class_=kind)


def _simplify(points: list[list[int]]) -> list[list[int]]:
    """Leave out points within `MAX_DEVIATION_TENTHS` of the line through those that stay (Douglas and Peucker 1973)."""
    xy = np.asarray(points, float)
    keep = np.zeros(len(xy), bool)
    keep[[0, -1]] = True
    pending = [(0, len(xy) - 1)]
    while pending:
        first, last = pending.pop()
        if last - first < 2:
            continue
        start, along, inner = xy[first], xy[last] - xy[first], xy[first + 1 : last]
        length = along @ along
        share = np.clip((inner - start) @ along / length, 0, 1) if length else np.zeros(len(inner))
        distance = np.hypot(*(inner - start - share[:, None] * along).T)  # to the segment from first to last
        furthest = int(distance.argmax())
        if distance[furthest] > MAX_DEVIATION_TENTHS:
            middle = first + 1 + furthest
            keep[middle] = True
            pending += [(first, middle), (middle, last)]
    return [points[number] for number in np.flatnonzero(keep)]


def _steps(corners: list[list[int]]) -> str:
    """As the shortest text: a start, then how far right and down from corner to corner."""
    (x, y), parts = corners[0], []
    parts.append(f"M{_tenths(x)} {_tenths(y)}")
    for across, down in ((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)):
        gap = "" if down < 0 else " "
        far = f"l{_tenths(across)}{gap}{_tenths(down)}" if across and down else ""
        parts.append(far or (f"h{_tenths(across)}" if across else f"v{_tenths(down)}"))
    return "".join(parts)


def _tenths(number: int) -> str:
    whole, rest = divmod(abs(number), 10)
    return f"{'-' * (number < 0)}{whole or ('' if rest else 0)}{f'.{rest}' if rest else ''}"


class Drawing(Markup):
    """A whole picture as SVG."""

    width: float  # pixels


def drawing(width: float, height: float, says: str, inside: Iterable[Markup], kind: str = "chart") -> Drawing:
    """Return the picture as a whole, with the words that a screen reader says for it."""
    size = {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    found = Drawing(tag("svg", *inside, **size, role="img", aria_label=says, class_=kind))
    found.width = width
    return found


def window(frame: Frame, inside: Iterable[Markup]) -> Markup:
    """What lies inside the axes; the rest of a line that leaves them is not seen."""
    wide, high = frame.width - frame.left - frame.right, frame.height - frame.top - frame.bottom
    view = f"{frame.left - 6:g} {frame.top - 6:g} {wide + 12:g} {high + 12:g}"
    place = {"x": frame.left - 6, "y": frame.top - 6, "width": wide + 12, "height": high + 12}
    return tag("svg", *inside, viewBox=view, **place)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers inside a range, about so many."""
    if not high > low:
        return [low]
    rough = (high - low) / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(step * number, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def axes(
    frame: Frame, x_title: str, y_title: str, x_ticks: dict[float, str], y_ticks: dict[float, str], turned: bool = False
) -> list[Markup]:
    """Grid lines, the numbers or names at them, and the titles of both axes; names below may be turned upright."""
    bottom, left = frame.height - frame.bottom, frame.left
    parts = []
    for value, label in x_ticks.items():
        at = frame.x_of(value)
        parts += [tag("line", x1=at, x2=at, y1=frame.top, y2=bottom, class_="grid")]
        if turned:  # a name that ends at its tick and is read from below
            turn = f"translate({at + 4:.1f} {bottom + 7:.1f}) rotate(-90)"
            parts += [tag("g", text(0, 0, label, "tick", "end"), transform=turn)]
        else:
            parts += [text(at, bottom + 15, label, "tick", "middle")]
    for value, label in y_ticks.items():
        at = frame.y_of(value)
        parts += [tag("line", x1=left, x2=frame.width - frame.right, y1=at, y2=at, class_="grid")]
        parts += [text(left - 6, at + 4, label, "tick", "end")]
    middle = (left + frame.width - frame.right) / 2
    if x_title:
        parts += [text(middle, frame.height - 8, x_title, "axis", "middle")]
    if y_title:
        turn = f"translate(12 {(frame.top + bottom) / 2:.1f}) rotate(-90)"
        parts += [tag("g", text(0, 0, y_title, "axis", "middle"), transform=turn)]
    return parts


def numbered_ticks(low: float, high: float, about: int = 5) -> dict[float, str]:
    """Ticks with their numbers."""
    return {value: f"{value:g}" for value in ticks(low, high, about)}


def range_of(*columns: Array | None, room: float = 0.03) -> tuple[float, float]:
    """The range of all finite numbers, with a little room."""
    known = [column[np.isfinite(column)] for column in columns if column is not None]
    every = np.concatenate(known) if known else np.array([])
    if not len(every):
        return 0.0, 1.0
    low, high = float(every.min()), float(every.max())
    wide = (high - low) or abs(high) or 1.0
    return low - room * wide, high + room * wide
