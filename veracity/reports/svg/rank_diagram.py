"""The critical-difference diagram of a page, by the very layout that a figure has."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from veracity.findings.ranking import Ranking
from veracity.plots.rank_layout import Join, RankLayout, RankName, rank_layout, rank_names
from veracity.reports.svg.paper import WIDE, Drawing, Frame, drawing, tag, text

BAR = 11.0
SIZE, LINE = 12.0, 14.0  # pixels of a letter, and from line to line of a name
SHORTEST = 150.0  # pixels of the axis
EDGE = 10.0  # pixels between the axis and a name, and between a name and the edge


def rank_diagram(ranking: Ranking) -> Drawing:
    """Mean ranks on a line, names at the sides, a bar for each group that cannot be told apart."""
    layout = rank_layout(ranking)
    names = rank_names(layout, (WIDE - SHORTEST - 4 * EDGE) / SIZE)
    left, right = (max(60.0, 2 * EDGE + SIZE * side) for side in (names.left, names.right))  # room for names
    top = 40.0 if layout.critical_difference is None else 66.0
    frame = Frame(layout.axis, (0, 1), width=WIDE, left=left, right=right, top=top)  # its top is the axis
    first = frame.top + 14
    below = first + BAR * layout.rows + 4
    parts = [*_axis(frame, layout.numbered_ranks), *_critical(frame, layout)]
    for join in layout.joins:
        parts += _bar(frame, join, first + BAR * join.row)
    for name in names.each:
        parts += _leg(frame, name, below + LINE * name.at)
    spoken = ", ".join(f"{leg.name} {leg.rank:.2f}" for leg in layout.legs)
    says = f"critical-difference diagram; mean ranks: {spoken}; {layout.says}"
    return drawing(WIDE, below + LINE * names.deep + 4, says, parts, "chart wide")


def _axis(frame: Frame, numbered_ranks: tuple[int, ...]) -> Iterator[Markup]:
    y = frame.top
    yield tag("line", x1=frame.left, x2=WIDE - frame.right, y1=y, y2=y, class_="ink")
    for rank in range(int(frame.x[0]), int(frame.x[1]) + 1):
        x = frame.x_of(rank)
        yield tag("line", x1=x, x2=x, y1=y - (6 if rank in numbered_ranks else 3), y2=y, class_="ink")
    for rank in numbered_ranks:
        yield text(frame.x_of(rank), y - 11, str(rank), "tick", "middle")


def _critical(frame: Frame, layout: RankLayout) -> Iterator[Markup]:
    """The critical difference as a length from the first rank on, as far as the axis goes."""
    if layout.critical_difference is None:
        return
    low, high = frame.x
    start, end = frame.left, frame.x_of(min(low + layout.critical_difference, high))
    stop = f"M{end:.1f} 24V32" if low + layout.critical_difference <= high else ""
    yield tag("path", d=f"M{start:.1f} 24V32M{start:.1f} 28H{end:.1f}{stop}", class_="ink")
    yield text((start + end) / 2, 18, layout.critical_says, "tick", "middle")


def _bar(frame: Frame, join: Join, y: float) -> Iterator[Markup]:
    """A thick line; a thin one with dots where it does not join all that it passes."""
    ends = {"x1": frame.x_of(join.low), "x2": frame.x_of(join.high), "y1": y, "y2": y}
    yield tag("line", **ends, class_="ink" if join.dots else "join")
    for dot in join.dots:
        yield tag("circle", cx=frame.x_of(dot), cy=y, r=3, class_="member")


def _leg(frame: Frame, name: RankName, y: float) -> Iterator[Markup]:
    """From the axis down and out to the name."""
    leg = name.leg
    end = frame.left - EDGE / 2 if leg.left else WIDE - frame.right + EDGE / 2
    yield tag("path", d=f"M{frame.x_of(leg.at):.1f} {frame.top:.1f}V{y:.1f}H{end:.1f}", class_="ink")
    x, side = (end - 4, "end") if leg.left else (end + 4, "start")
    first = y + 4 - LINE * (len(name.lines) - 1) / 2
    for number, line in enumerate(name.lines):
        yield text(x, first + LINE * number, line, "words", side, longest=len(line))
