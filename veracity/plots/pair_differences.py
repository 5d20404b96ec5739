"""Differences of pairs with their intervals, one below the other; what they are of and how they were judged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from veracity.core.index import own_name
from veracity.core.spelling import read
from veracity.core.words import percent
from veracity.findings.comparison import Comparison
from veracity.findings.interval import limits_of
from veracity.findings.ranking import Ranking
from veracity.plots.letters import cut
from veracity.plots.look import (
    COLOURS,
    GREY,
    INK,
    axes_of,
    inches,
    look,
    make_savable,
    names_width,
    one_line,
    write_below,
)
from veracity.posthoc import posthocs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veracity.plots.look import SavableAxes

ROW = 0.17  # inches
LEAST = 1.0  # inches of the axis at least
NAME = 40  # characters of a pair


class PairRow(NamedTuple):
    """A pair, first minus second; limits where there are some, and whether it was concluded that they differ."""

    name: str
    difference: float
    low: float | None
    high: float | None
    differs: bool


def differences_of_ranking(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the differences of all pairs of a ranking; lines mark the critical difference where there is one."""
    rows = [PairRow(_pair(p.a, p.b), p.difference, p.low, p.high, p.rejected) for p in ranking.pairs]
    limits = (
        f"{percent(ranking.level)} intervals of each pair alone; " if any(row.low is not None for row in rows) else ""
    )
    title = f"difference of {difference_of(ranking)}, first minus second"
    says = f"{limits}filled: differ ({procedure(ranking)})"
    return _draw(rows, title, says, ax, width, ranking.critical_difference)


def differences(comparisons: Iterable[Comparison], ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the differences of comparisons."""
    every = tuple(comparisons)
    scores, tests = ([*dict.fromkeys(getattr(each, what) for each in every)] for what in ("score", "using"))
    rows, one = [_row(each, len(scores) > 1) for each in every], every[0]
    filled = "filled: the test concludes" if one.probabilities is None else ""
    level = next((each.interval.level for each in every if each.interval), None)
    limits = "" if level is None else f"{percent(level)} intervals"
    says = "; ".join(filter(None, (limits, filled)))
    title = f"difference of {', '.join(scores)}, first minus second"
    return _draw(rows, title, f"{says} ({', '.join(tests)})", ax, width)


def _row(one: Comparison, several: bool) -> PairRow:
    where = "".join(f"{place}: " for place in (one.score if several else "", one.data) if place)
    return PairRow(where + _pair(one.a, one.b), one.difference, *limits_of(one.interval), one.rejected)


def _pair(a: str, b: str) -> str:
    half = NAME // 2 - 2
    return " − ".join(cut(name, half, inside=False) for name in (a, b))


def _draw(
    rows: Sequence[PairRow], title: str, says: str, ax: Axes | None, width: float | None, critical: float | None = None
) -> SavableAxes:
    with look():
        place = axes_of(ax, width, LEAST + names_width([row.name for row in rows], NAME), 0.75 + ROW * len(rows))
        place.axvline(0, color=INK, linewidth=0.9, zorder=1.5)
        for side in () if critical is None else (-critical, critical):
            place.axvline(side, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1.5)
        for number, row in enumerate(rows):
            _draw_row(place, row, number)
        _set_frame(place, rows)
        beyond = "; dashed: critical difference" if critical is not None else ""
        write_below(place, title, says + beyond)
    return make_savable(place)


def _draw_row(ax: Axes, row: PairRow, y: int) -> None:
    """A point, filled where the two differ, and a line for its interval, open at an end that is infinite."""
    colour = COLOURS[0] if row.differs else INK
    face = colour if row.differs else "white"
    if row.low is not None and row.high is not None:
        far: Any = {"color": colour, "linewidth": 1.4, "solid_capstyle": "butt"}
        low, high = (limit if math.isfinite(limit) else row.difference for limit in (row.low, row.high))
        ax.plot([low, high], [y, y], **far)
        for limit, end, marker in ((row.low, low, "<"), (row.high, high, ">")):
            if math.isinf(limit):
                ax.plot([end], [y], marker, color=colour, markersize=9)
    if math.isfinite(row.difference):
        ax.plot([row.difference], [y], "o", color=colour, markerfacecolor=face, markersize=4.5, zorder=3)


def _set_frame(ax: Axes, rows: Sequence[PairRow]) -> None:
    size = min(7.0, 72 * inches(ax)[1] / len(rows) / 1.3)
    ax.set_yticks(range(len(rows)), [one_line(row.name, NAME) for row in rows], fontsize=size)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)


def difference_of(ranking: Ranking) -> str:
    """Mean ranks of some kind, mean scores, or the score itself."""
    name = own_name("posthocs", read(ranking.judged_by).name)
    return ranking.matrix.score if name is None else posthocs[name].about


def winner_and_loser(ranking: Ranking, pair: Comparison) -> tuple[str, str]:
    """The better learner of a pair, then the other, by the difference that was judged; equals by their mean ranks."""
    lower = "ranks" in difference_of(ranking) or ranking.matrix.better == "lower"
    ahead = -pair.difference if lower else pair.difference
    ahead = ahead or ranking.average_ranks[pair.b] - ranking.average_ranks[pair.a]
    return (pair.a, pair.b) if ahead > 0 else (pair.b, pair.a)


def procedure(ranking: Ranking) -> str:
    """The test of pairs and the adjustment, or the one that does both, and the level."""
    both = dict.fromkeys((ranking.judged_by, ranking.then))
    return f"{', '.join(both)}, {1 - ranking.level:.2g}"
