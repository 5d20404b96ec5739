"""The multi-comparison matrix: for every two learners the mean difference, wins, ties and losses, and the p-value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.standing import Standing
from veracity.plots.grid import NAME, Cell, draw_cells
from veracity.plots.judged import procedure
from veracity.plots.look import COLOURS, axes_of, look, savable, set_says, words
from veracity.plots.p_values import NONE, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRONGEST = 0.6  # share of full colour at the largest difference, so that black text stays legible


class Duel(NamedTuple):
    """Row against column: the mean difference of their scores, data sets won, tied and lost."""

    difference: float
    wins: tuple[int, int, int]


def multi_comparison_matrix(standing: Standing, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the matrix, the best mean score first, for that order does not depend on who else is there.

    Blue where the learner of the row is better, orange where it is worse.
    """
    m = standing.matrix
    means = {name: _mean(m.values[:, m.column(name)]) for name in m.learners}
    worst = -np.inf if m.better == "higher" else np.inf
    names = sorted(means, key=lambda name: np.nan_to_num(means[name], nan=worst), reverse=m.better == "higher")
    duels = {(a, b): _duel(m.only(a, b)) for a in names for b in names if a != b}
    largest = max((abs(duel.difference) for duel in duels.values() if np.isfinite(duel.difference)), default=0.0)
    with look():
        place = axes_of(ax, width, *_needs(names))
        rows = [f"{words(name, NAME)}  {means[name]:.4g}" for name in names]
        cells = {
            pair: _cell(duel, _verdict(standing, *pair), largest, m.better == "lower") for pair, duel in duels.items()
        }
        draw_cells(place, names, rows, lambda i, j: cells.get((names[i], names[j]), Cell("", NONE)), wide=12, high=3)
        counted = f"mean difference of {m.score} (row minus column); wins / ties / losses of the row"
        set_says(place, counted, f"adjusted p; bold: differ ({procedure(standing)})")
    return savable(place)


def _needs(names: list[str]) -> tuple[float, float]:
    """Inches across and down."""
    longest = 0.06 * min(max(map(len, names)), NAME)
    return 0.75 * len(names) + longest + 0.7, 0.5 * len(names) + 0.75 * longest + 0.6


def _mean(scores: np.ndarray) -> float:
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else float("nan")


def _duel(two: ScoreMatrix) -> Duel:
    both = two.complete()
    return Duel(_mean(both.difference), both.wins)


def _verdict(standing: Standing, a: str, b: str) -> tuple[float, bool] | None:
    """The adjusted p-value of a pair and whether it differs, where it was tested."""
    found = next((pair for pair in standing.pairs if {pair.a, pair.b} == {a, b}), None)
    return None if found is None else (found.adjusted_p_value, found.rejected)


def _cell(duel: Duel, verdict: tuple[float, bool] | None, largest: float, lower: bool) -> Cell:
    from matplotlib.colors import to_hex, to_rgb

    ahead = -duel.difference if lower else duel.difference
    share = STRONGEST * min(1.0, abs(ahead) / largest) if largest and not np.isnan(ahead) else 0.0
    full = np.array(to_rgb(COLOURS[0] if ahead > 0 else COLOURS[5]))
    wins = " / ".join(map(str, duel.wins))
    p = "" if verdict is None else f"\np {shown(verdict[0])}".replace("p <", "p < ")
    bold = verdict is not None and verdict[1]
    return Cell(f"{_shown(duel.difference, largest)}\n{wins}{p}", to_hex(tuple(1 - share * (1 - full))), bold)


def _shown(difference: float, largest: float) -> str:
    """To three digits of the largest, so that all are of one length."""
    size = math.floor(math.log10(largest)) if largest else 0
    places = max(0, 2 - size)
    return f"{round(difference, places) + 0.0:+.{places}f}" if -4 <= size < 5 else f"{difference:+.2e}"
