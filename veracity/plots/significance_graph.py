"""The graph of significant differences: an arrow from a learner to each that it is better than."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.findings.ranking import Ranking
from veracity.plots.look import COLOURS, INK, axes_of, look, savable, set_says, words
from veracity.plots.pair_differences import procedure, winner_first
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = 24  # characters of a name


def significance_graph(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the graph: learners around a circle, the best on top, then clockwise by mean rank.

    Where a way of two arrows always joins two that differ, an arrow that such a way replaces is left out.
    """
    names = ranking.best_first
    differ = beaten(ranking)
    transitive = is_transitive(differ)
    places = _places(len(names))
    with look():
        place = axes_of(ax, width, *_needs(names))
        for i, j in np.argwhere(without_detours(differ) if transitive else differ):
            _draw_arrow(place, places[i], places[j])
        for number, name in enumerate(names):
            _draw_learner(place, places[number], number + 1, name, heavy=name == ranking.control)
        _set_frame(place, _says(ranking, bool(differ.any()), transitive))
    return savable(place)


def beaten(ranking: Ranking) -> Array:
    """Row better than column, significantly; in the order of mean ranks."""
    at = {name: number for number, name in enumerate(ranking.best_first)}
    found = np.zeros((len(at), len(at)), bool)
    for pair in ranking.pairs:
        if pair.rejected:
            winner, loser = winner_first(ranking, pair)
            found[at[winner], at[loser]] = True
    return found


def is_transitive(differ: Array) -> bool:
    """Whether all that can be reached by arrows is also directly beaten."""
    return not (_in_two_steps(differ) & ~differ).any()


def without_detours(differ: Array) -> Array:
    """The arrows that no way of two others replaces; the ways that remain reach what all arrows reached."""
    kept: Array = differ & ~_in_two_steps(differ)
    return kept


def _in_two_steps(differ: Array) -> Array:
    steps: Array = (differ.astype(float) @ differ.astype(float)) > 0
    return steps


def _places(k: int) -> Array:
    angle = np.pi / 2 - 2 * np.pi * np.arange(k) / k
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _needs(names: tuple[str, ...]) -> tuple[float, float]:
    """Inches across and down."""
    longest = 0.056 * min(max(map(len, names)), NAME)
    circle = max(1.8, 0.22 * len(names))
    return circle + 2 * longest + 0.4, circle + 0.9


def _draw_arrow(ax: Axes, start: Array, end: Array) -> None:
    how: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS[0], "linewidth": 0.9, "mutation_scale": 8}
    how |= {"shrinkA": 8, "shrinkB": 8}
    ax.annotate("", tuple(end), tuple(start), arrowprops=how, zorder=2)


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
    ax.annotate(words(name, NAME), (x, y), away, **text)


def _set_frame(ax: Axes, says: str) -> None:
    ax.set_xlim(-1.1, 1.1)
    ax.set_ylim(-1.15, 1.15)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(False)
    ax.spines[:].set_visible(False)
    set_says(ax, says, side="center")
    ax.xaxis.labelpad = 16  # below the names


def _says(ranking: Ranking, some: bool, transitive: bool) -> str:
    if not some:
        return f"no two learners differ ({procedure(ranking)})"
    ways = "; so is what arrows reach" if transitive else ""
    return f"arrow: significantly worse ({procedure(ranking)}){ways}"
