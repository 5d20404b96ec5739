"""The names of a critical-difference diagram: whole, in as many lines as the room at both sides asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veracity.plots.letters import broken, cut, wide
from veracity.plots.rank_layout import Leg, RankLayout

LONGEST = 160  # characters of a name
BETWEEN = 0.45  # lines between two names
FEWEST = 6.0  # letters of a line, however little room there is


@dataclass(frozen=True)
class RankName:
    """A learner's name and mean rank, and how many lines its middle stands below the first."""

    leg: Leg
    lines: tuple[str, ...]
    at: float


@dataclass(frozen=True)
class RankNames:
    """The names, the room that they take at each side in sizes of their letters, and all their lines."""

    each: tuple[RankName, ...]
    left: float
    right: float
    deep: float

    @property
    def most_lines(self) -> int:
        return max(len(name.lines) for name in self.each)


def rank_names(layout: RankLayout, room: float) -> RankNames:
    """Names at both sides that take no more than this room together; a side that needs little leaves it the other."""
    sides = [
        sorted((leg for leg in layout.legs if leg.left is left), key=lambda leg: leg.row) for left in (True, False)
    ]
    needs = [max((wide(_label(leg)) for leg in side), default=0.0) for side in sides]
    most = [max(FEWEST, min(need, max(room / 2, room - other))) for need, other in zip(needs, needs[::-1], strict=True)]
    placed = [_placed(side, limit) for side, limit in zip(sides, most, strict=True)]
    each = tuple(name for names, _ in placed for name in names)
    taken = [max((wide(line) for name in names for line in name.lines), default=0.0) for names, _ in placed]
    return RankNames(each, taken[0], taken[1], max(deep for _, deep in placed))


def _label(leg: Leg) -> str:
    name = cut(" ".join(leg.name.split()), LONGEST)
    return f"{name} ({leg.rank:.2f})" if leg.left else f"({leg.rank:.2f}) {name}"


def _placed(legs: Sequence[Leg], most: float) -> tuple[list[RankName], float]:
    """One side from the top down, and where it ends."""
    names, end = [], 0.0
    for leg in legs:
        lines = broken(_label(leg), most)
        names.append(RankName(leg, lines, end + len(lines) / 2))
        end += len(lines) + BETWEEN
    return names, end
