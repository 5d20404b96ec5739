"""A cell for every two learners: the map of adjusted p-values, and the multi-comparison matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from veracity.findings.comparison import Comparison
from veracity.findings.ranking import Ranking
from veracity.plots.look import COLOURS, axes_of, inches, look, make_savable, names_width, one_line, write_below
from veracity.plots.pair_differences import procedure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veracity.plots.look import SavableAxes

LARGEST, SMALLEST = 7.0, 3.5  # points of the numbers
SHORT = 7  # characters of a name that stands upright above a column
NAME = 24  # characters of any name
ROOM_FOR_MEAN = 12  # characters of a mean score behind it
# the darker the smaller the p-value of a pair that differs, told apart in grey as well; then those that do not
STEPS = ((0.001, "#08519C"), (0.01, "#5A9BD0"), (1.0, "#BDD7EE"))
OPEN, NONE = "#F1F1F1", "#FFFFFF"
STRONGEST = 0.6  # share of full colour at the largest difference, so that black text stays legible


def p_values(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the map, best learner first; pairs that differ are blue and bold."""
    names = ranking.best_first
    at = [ranking.learners.index(name) for name in names]
    p = ranking.p_values()[np.ix_(at, at)]
    differ = {frozenset((pair.a, pair.b)) for pair in ranking.pairs if pair.rejected}
    with look():
        longest, side = names_width(names, NAME), max(2.2, 0.42 * len(names))
        place = axes_of(ax, width, side + longest + 0.3, 0.75 * side + 0.75 * longest + 0.5)
        rows = [one_line(name, NAME) for name in names]
        draw_cells(place, names, rows, lambda i, j: _p_cell(p[i, j], {names[i], names[j]} in differ), wide=6)
        write_below(place, f"adjusted p-values; bold: differ ({procedure(ranking)})")
    return make_savable(place)


def _p_cell(p: float, differs: bool) -> GridCell:
    if np.isnan(p):
        return GridCell("", NONE)
    colour = next(colour for limit, colour in STEPS if p <= limit) if differs else OPEN
    return GridCell(p_text(p), colour, differs, dark=colour == STEPS[0][1])


def p_text(p: float) -> str:
    """A p-value to three decimals."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def multi_comparison_matrix(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> SavableAxes:
    """Draw the matrix, the best mean score first, for that order does not depend on who else is there.

    Blue where the learner of the row is better, orange where it is worse.
    """
    m = ranking.matrix
    means = {name: _mean(m.values[:, m.column(name)]) for name in m.learners}
    worst = -np.inf if m.better == "higher" else np.inf
    names = sorted(means, key=lambda name: np.nan_to_num(means[name], nan=worst), reverse=m.better == "higher")
    duels = {(a, b): m.only(a, b).complete() for a in names for b in names if a != b}
    differences = {pair: _mean(both.difference) for pair, both in duels.items()}
    largest = max((abs(size) for size in differences.values() if np.isfinite(size)), default=0.0)
    with look():
        longest = names_width(names, NAME)
        place = axes_of(ax, width, 0.75 * len(names) + longest + 0.7, 0.5 * len(names) + 0.75 * longest + 0.6)
        rows = [f"{one_line(name, NAME)}  {means[name]:.4g}" for name in names]
        judged = {frozenset((pair.a, pair.b)): pair for pair in ranking.pairs}
        cells = {
            pair: _duel_cell(differences[pair], both.wins, judged.get(frozenset(pair)), largest, m.better == "lower")
            for pair, both in duels.items()
        }
        empty = GridCell("", NONE)
        draw_cells(place, names, rows, lambda i, j: cells.get((names[i], names[j]), empty), wide=12, high=3)
        says = f"mean difference of {m.score} (row minus column); wins / ties / losses of the row"
        write_below(place, says, f"adjusted p; bold: differ ({procedure(ranking)})")
    return make_savable(place)


def _mean(scores: np.ndarray) -> float:
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else float("nan")


def _duel_cell(
    difference: float, wins: tuple[int, int, int], pair: Comparison | None, largest: float, lower: bool
) -> GridCell:
    """Row against column: the mean difference of their scores, data sets won, tied and lost, and the verdict."""
    from matplotlib.colors import to_hex, to_rgb

    ahead = -difference if lower else difference
    share = STRONGEST * min(1.0, abs(ahead) / largest) if largest and not np.isnan(ahead) else 0.0
    full = np.array(to_rgb(COLOURS[0] if ahead > 0 else COLOURS[5]))
    adjusted_p = None if pair is None else pair.adjusted_p_value
    p = "" if adjusted_p is None else f"\np {p_text(adjusted_p)}".replace("p <", "p < ")
    says = f"{_difference_text(difference, largest)}\n{' / '.join(map(str, wins))}{p}"
    return GridCell(says, to_hex(tuple(1 - share * (1 - full))), pair is not None and pair.rejected)


def _difference_text(difference: float, largest: float) -> str:
    """To three digits of the largest, so that all are of one length."""
    size = math.floor(math.log10(largest)) if largest else 0
    places = max(0, 2 - size)
    return f"{round(difference, places) + 0.0:+.{places}f}" if -4 <= size < 5 else f"{difference:+.2e}"


class GridCell(NamedTuple):
    """What stands in a cell, and how."""

    text: str
    colour: str
    bold: bool = False
    dark: bool = False  # whether the colour is, so that the text is white


def draw_cells(
    ax: Axes,
    names: Sequence[str],
    rows: Sequence[str],
    cell: Callable[[int, int], GridCell],
    wide: float,
    high: float = 1,
) -> None:
    """One cell for every two of `names`, at whose side `rows` stand; text is `wide` characters and `high` lines."""
    from matplotlib.patches import Rectangle

    k = len(names)
    size = _size(ax, names, rows, wide, high)
    ax.set_xlim(0, k)
    ax.set_ylim(k, 0)
    for i in range(k):
        for j in range(k):
            here = cell(i, j)
            ax.add_patch(Rectangle((j, i), 1, 1, facecolor=here.colour, edgecolor="white", linewidth=1))
            weight, colour = ("bold" if here.bold else "normal"), ("white" if here.dark else "black")
            how: dict[str, Any] = {"fontsize": size, "weight": weight, "color": colour, "ha": "center", "va": "center"}
            ax.text(j + 0.5, i + 0.5, here.text, **how)
    _set_names(ax, names, rows)


def _size(ax: Axes, names: Sequence[str], rows: Sequence[str], wide: float, high: float) -> float:
    """Points that let the text fit its cell, when the names have taken their room from the axes."""
    width, height = (1.2 * side for side in inches(ax))
    width -= names_width(rows, NAME + ROOM_FOR_MEAN)
    height -= 0.7 * names_width(names, NAME)
    fits = min(72 * width / len(names) / (0.7 * wide), 72 * height / len(names) / (1.5 * high))
    return min(LARGEST, max(SMALLEST, fits))


def _set_names(ax: Axes, names: Sequence[str], rows: Sequence[str]) -> None:
    places = [i + 0.5 for i in range(len(names))]
    upright = max(map(len, names)) <= SHORT
    turned: dict[str, Any] = {} if upright else {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(places, [one_line(name, NAME) for name in names], fontsize=7, **turned)
    ax.set_yticks(places, list(rows), fontsize=7)
    ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    ax.grid(False)
    ax.spines[:].set_visible(False)
