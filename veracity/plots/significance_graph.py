"""The graph of significant differences: an arrow from a learner to each that it is better than."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.ranking import Ranking
from veracity.plots.look import COLOURS, INK, axes_of, look, make_savable, names_width, one_line, write_below
from veracity.plots.pair_differences import procedure, winner_and_loser
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veracity.plots.look import SavableAxes

NAME = 24  # characters of a name


def significance_graph(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the graph: learners around a circle, the best on top, then clockwise by mean rank.

    Where a way of two arrows always joins two that differ, an arrow that such a way replaces is left out.
    """
    names = ranking.best_first
    differ = significant_wins(ranking)
    transitive = is_transitive(differ)
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
    places = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    with look():
        circle = max(1.8, 0.22 * len(names))
        place = axes_of(ax, width, circle + 2 * names_width(names, NAME) + 0.4, circle + 0.9)
        for i, j in np.argwhere(remove_detours(differ) if transitive else differ):
            _draw_arrow(place, places[i], places[j])
        for number, name in enumerate(names):
            _draw_learner(place, places[number], number + 1, name, heavy=name == ranking.control)
        ways = "; so is what arrows reach" if transitive else ""
        drawn = f"arrow: significantly worse ({procedure(ranking)}){ways}"
        _set_frame(place, drawn if differ.any() else f"no two learners differ ({procedure(ranking)})")
    return make_savable(place)


def significant_wins(ranking: Ranking) -> Array:
    """Row better than column, significantly; in the order of mean ranks."""
    at = {name: number for number, name in enumerate(ranking.best_first)}
    wins = np.zeros((len(at), len(at)), bool)
    for pair in ranking.pairs:
        if pair.rejected:
            winner, loser = winner_and_loser(ranking, pair)
            wins[at[winner], at[loser]] = True
    return wins


def is_transitive(differ: Array) -> bool:
    """Whether all that can be reached by arrows is also directly beaten."""
    return not (_two_step_ways(differ) & ~differ).any()


def remove_detours(differ: Array) -> Array:
    """The arrows that no way of two others replaces; the ways that remain reach what all arrows reached."""
    direct: Array = differ & ~_two_step_ways(differ)
    return direct


def _two_step_ways(differ: Array) -> Array:
    steps: Array = (differ.astype(float) @ differ.astype(float)) > 0
    return steps


def _draw_arrow(ax: Axes, start: Array, end: Array) -> None:
    style: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS[0], "linewidth": 0.9, "mutation_scale": 8}
    ax.annotate("", tuple(end), tuple(start), arrowprops={**style, "shrinkA": 8, "shrinkB": 8}, zorder=2)


def _draw_learner(ax: Axes, at: Array, number: int, name: str, heavy: bool) -> None:
    """A numbered circle, and the name outside."""
    x, y = at.tolist()
    ax.plot([x], [y], "o", markersize=13, markerfacecolor="white", markeredgecolor=INK, clip_on=False, zorder=3)
    ax.text(x, y, str(number), ha="center", va="center", fontsize=7, zorder=4)
    side = "center" if abs(x) < 0.05 else "left" if x > 0 else "right"
    level = "center" if abs(x) >= 0.05 else "bottom" if y > 0 else "top"
    away = (0 if side == "center" else 10 * np.sign(x), 0 if level == "center" else 9 * np.sign(y))
    weight = "bold" if heavy else "normal"
    text: dict[str, Any] = {"textcoords": "offset points", "ha": side, "va": level, "fontsize": 7, "weight": weight}
    ax.annotate(one_line(name, NAME), (x, y), away, **text)


def _set_frame(ax: Axes, says: str) -> None:
    ax.set_xlim(-1.1, 1.1)
    ax.set_ylim(-1.15, 1.15)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(False)
    ax.spines[:].set_visible(False)
    write_below(ax, says, side="center")
    ax.xaxis.labelpad = 16  # below the names
