"""The critical-difference diagram, its bars from the very p-values that are printed."""

from __future__ import annotations

from markupsafe import Markup

from veracity.records.standing import Standing
from veracity.reports.svg.paper import drawing, tag, text

WIDTH, LEFT, RIGHT, AXIS, ROW = 640.0, 150.0, 150.0, 40.0, 20.0


def ranks(found: Standing) -> Markup:
    """Mean ranks on a line, names at the sides, a bar for each group that cannot be told apart."""
    order = found.best_first
    k = len(order)
    across = {name: LEFT + (found.average_ranks[name] - 1) / max(k - 1, 1) * (WIDTH - LEFT - RIGHT) for name in order}
    parts = [tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=AXIS, y2=AXIS, class_="ink")]
    for rank in range(1, k + 1):
        x = LEFT + (rank - 1) / max(k - 1, 1) * (WIDTH - LEFT - RIGHT)
        parts += [
            tag("line", x1=x, x2=x, y1=AXIS - 6, y2=AXIS, class_="ink"),
            text(x, AXIS - 11, str(rank), "tick", "middle"),
        ]
    groups = [group for group in found.groups if len(group) > 1]
    bars = AXIS + 14
    for number, group in enumerate(groups):
        ends = [across[name] for name in group]
        y = bars + 11 * number
        parts.append(tag("line", x1=min(ends) - 3, x2=max(ends) + 3, y1=y, y2=y, class_="join"))
    below = bars + 11 * len(groups) + 8
    for number, name in enumerate(order):
        parts += _leg(name, across[name], found.average_ranks[name], number, k, below)
    height = below + ROW * ((k + 1) // 2) + 6
    names = ", ".join(f"{name} {found.average_ranks[name]:.3g}" for name in order)
    return drawing(WIDTH, height, f"critical-difference diagram; mean ranks: {names}", parts, "chart wide")


def _leg(name: str, x: float, rank: float, number: int, k: int, below: float) -> list[Markup]:
    """From the axis down and out to the name: the better half left, the others right."""
    half = (k + 1) // 2
    left = number < half
    y = below + ROW * (number if left else k - 1 - number) + 8
    end = LEFT - 8 if left else WIDTH - RIGHT + 8
    way = f"M{x:.1f} {AXIS:.1f}V{y:.1f}H{end:.1f}"
    words = f"{name} ({rank:.3g})" if left else f"({rank:.3g}) {name}"
    return [
        tag("path", d=way, class_="ink"),
        text(end - 4 if left else end + 4, y + 4, words, "words", "end" if left else "start"),
    ]
