"""The critical-difference diagram of a page, by the very layout that a figure has."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from veracity.plots.rank_layout import Join, Leg, RankLayout, rank_layout
from veracity.records.standing import Standing
from veracity.reports.svg.paper import LONGEST, Frame, drawing, tag, text

WIDTH, ROW, BAR = 640.0, 20.0, 11.0


def ranks(found: Standing) -> Markup:
    """Mean ranks on a line, names at the sides, a bar for each group that cannot be told apart."""
    layout = rank_layout(found)
    frame = _frame(layout)
    first = frame.top + 14
    below = first + BAR * layout.rows + 8
    parts = [*_axis(frame), *_critical(frame, layout.critical_difference)]
    for join in layout.joins:
        parts += _bar(frame, join, first + BAR * join.row)
    for leg in layout.legs:
        parts += _leg(frame, leg, below + ROW * leg.row + 8)
    names = ", ".join(f"{leg.name} {leg.rank:.3g}" for leg in layout.legs)
    says = f"critical-difference diagram; mean ranks: {names}; {layout.says}"
    return drawing(WIDTH, below + ROW * layout.name_rows + 6, says, parts, "chart wide")


def _frame(layout: RankLayout) -> Frame:
    """Ranks across, with room for the names at both sides; its top is the axis."""
    widest = (max(len(_label(leg)) for leg in layout.legs if leg.left is side) for side in (True, False))
    left, right = (max(100.0, 24 + 6.4 * min(LONGEST, letters)) for letters in widest)
    top = 40.0 if layout.critical_difference is None else 66.0
    return Frame(layout.axis, (0, 1), width=WIDTH, left=left, right=right, top=top)


def _axis(frame: Frame) -> Iterator[Markup]:
    y = frame.top
    yield tag("line", x1=frame.left, x2=WIDTH - frame.right, y1=y, y2=y, class_="ink")
    for rank in range(int(frame.x[0]), int(frame.x[1]) + 1):
        x = frame.across(rank)
        yield tag("line", x1=x, x2=x, y1=y - 6, y2=y, class_="ink")
        yield text(x, y - 11, str(rank), "tick", "middle")


def _critical(frame: Frame, difference: float | None) -> Iterator[Markup]:
    """The critical difference as a length, where there is one."""
    if difference is None:
        return
    start, end = frame.left, frame.across(frame.x[0] + difference)
    yield tag("path", d=f"M{start:.1f} 24V32M{start:.1f} 28H{end:.1f}M{end:.1f} 24V32", class_="ink")
    yield text((start + end) / 2, 18, f"CD = {difference:.3g}", "tick", "middle")


def _bar(frame: Frame, join: Join, y: float) -> Iterator[Markup]:
    """A thick line; a thin one with dots where it does not join all that it passes."""
    ends = {"x1": frame.across(join.low), "x2": frame.across(join.high), "y1": y, "y2": y}
    yield tag("line", **ends, class_="ink" if join.dots else "join")
    for dot in join.dots:
        yield tag("circle", cx=frame.across(dot), cy=y, r=3, class_="member")


def _label(leg: Leg) -> str:
    return f"{leg.name} ({leg.rank:.3g})" if leg.left else f"({leg.rank:.3g}) {leg.name}"


def _leg(frame: Frame, leg: Leg, y: float) -> Iterator[Markup]:
    """From the axis down and out to the name."""
    end = frame.left - 8 if leg.left else WIDTH - frame.right + 8
    yield tag("path", d=f"M{frame.across(leg.at):.1f} {frame.top:.1f}V{y:.1f}H{end:.1f}", class_="ink")
    yield text(end - 4 if leg.left else end + 4, y + 4, _label(leg), "words", "end" if leg.left else "start")
