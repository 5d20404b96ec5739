"""Pictures of the pairs of a ranking: differences with intervals, matrices of all pairs, the graph of who wins."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from veracity.core.words import percent
from veracity.findings.comparison import Comparison
from veracity.findings.interval import limits_of
from veracity.findings.ranking import Ranking
from veracity.plots.letters import cut
from veracity.plots.look import COLOURS, GREY, INK, axes_of, inches, look, names_width, one_line, write_below
from veracity.plots.rank_layout import difference_of, procedure
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ARROW = {"arrowstyle": "-|>", "color": COLOURS[0], "linewidth": 0.9, "mutation_scale": 8, "shrinkA": 8, "shrinkB": 8}
ROW = 0.17  # inches of a difference
LEAST = 1.0  # inches of the axis of differences at least
PAIR_NAME = 40  # characters of a pair
NAME = 24  # characters of a learner
LARGEST, SMALLEST = 7.0, 3.5  # points of the numbers
SHORT = 7  # characters of a name that stands upright above a column
ROOM_FOR_MEAN = 12  # characters of a mean score behind it
# the darker the smaller the p-value of a pair that differs, told apart in grey as well; then those that do not
STEPS = ((0.001, "#08519C"), (0.01, "#5A9BD0"), (1.0, "#BDD7EE"))
OPEN, NONE = "#F1F1F1", "#FFFFFF"
STRONGEST = 0.6  # share of full colour at the largest difference, so that black text stays legible


class PairRow(NamedTuple):
    """A pair, first minus second; limits where there are some, and whether it was concluded that they differ."""

    name: str
    difference: float
    low: float | None
    high: float | None
    differs: bool


def differences_of_ranking(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the differences of all pairs of a ranking; lines mark the critical difference where there is one."""
    rows = [PairRow(_pair(p.a, p.b), p.difference, p.low, p.high, p.rejected) for p in ranking.pairs]
    has_limits = any(row.low is not None for row in rows)
    limits = f"{percent(ranking.level)} intervals of each pair alone; " if has_limits else ""
    title = f"difference of {difference_of(ranking)}, first minus second"
    says = f"{limits}filled: differ ({procedure(ranking)})"
    return _draw_differences(rows, title, says, ax, width, ranking.critical_difference)


def differences(comparisons: Iterable[Comparison], ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the differences of comparisons."""
    every = tuple(comparisons)
    scores, tests = ([*dict.fromkeys(getattr(each, what) for each in every)] for what in ("score", "using"))
    one, rows = every[0], []
    for each in every:
        where = "".join(f"{place}: " for place in (each.score if len(scores) > 1 else "", each.data) if place)
        limits_of_row = limits_of(each.interval)
        rows.append(PairRow(where + _pair(each.a, each.b), each.difference, *limits_of_row, each.rejected))
    filled = "filled: the test concludes" if one.probabilities is None else ""
    level = next((each.interval.level for each in every if each.interval), None)
    limits = "" if level is None else f"{percent(level)} intervals"
    says = "; ".join(filter(None, (limits, filled)))
    title = f"difference of {', '.join(scores)}, first minus second"
    return _draw_differences(rows, title, f"{says} ({', '.join(tests)})", ax, width)


def _pair(a: str, b: str) -> str:
    half = PAIR_NAME // 2 - 2
    return " − ".join(cut(name, half, inside=False) for name in (a, b))


def _draw_differences(
    rows: Sequence[PairRow], title: str, says: str, ax: Axes | None, width: float | None, critical: float | None = None
) -> Axes:
    with look():
        place = axes_of(ax, width, LEAST + names_width([row.name for row in rows], PAIR_NAME), 0.75 + ROW * len(rows))
        place.axvline(0, color=INK, linewidth=0.9, zorder=1.5)
        for side in () if critical is None else (-critical, critical):
            place.axvline(side, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1.5)
        for number, row in enumerate(rows):
            _draw_row(place, row, number)
        size = min(7.0, 72 * inches(place)[1] / len(rows) / 1.3)
        place.set_yticks(range(len(rows)), [one_line(row.name, PAIR_NAME) for row in rows], fontsize=size)
        place.set_ylim(len(rows) - 0.4, -0.6)
        place.tick_params(axis="y", length=0)
        place.grid(axis="y", visible=False)
        beyond = "; dashed: critical difference" if critical is not None else ""
        write_below(place, title, says + beyond)
    return place


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


def p_values(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
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
    return place


def _p_cell(p: float, differs: bool) -> GridCell:
    if np.isnan(p):
        return GridCell("", NONE)
    colour = next(colour for limit, colour in STEPS if p <= limit) if differs else OPEN
    return GridCell(p_text(p), colour, differs, dark=colour == STEPS[0][1])


def p_text(p: float) -> str:
    """A p-value to three decimals."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def multi_comparison_matrix(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
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
    return place


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
    # points that let the text fit its cell, when the names have taken their room from the axes
    width, height = (1.2 * side for side in inches(ax))
    width, height = width - names_width(rows, NAME + ROOM_FOR_MEAN), height - 0.7 * names_width(names, NAME)
    fits = min(72 * width / k / (0.7 * wide), 72 * height / k / (1.5 * high))
    size = min(LARGEST, max(SMALLEST, fits))
    ax.set_xlim(0, k)
    ax.set_ylim(k, 0)
    for i in range(k):
        for j in range(k):
            here = cell(i, j)
            ax.add_patch(Rectangle((j, i), 1, 1, facecolor=here.colour, edgecolor="white", linewidth=1))
            weight, colour = ("bold" if here.bold else "normal"), ("white" if here.dark else "black")
            how: dict[str, Any] = {"fontsize": size, "weight": weight, "color": colour, "ha": "center", "va": "center"}
            ax.text(j + 0.5, i + 0.5, here.text, **how)
    places = [i + 0.5 for i in range(k)]
    upright = max(map(len, names)) <= SHORT
    turned: dict[str, Any] = {} if upright else {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(places, [one_line(name, NAME) for name in names], fontsize=7, **turned)
    ax.set_yticks(places, list(rows), fontsize=7)
    ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    ax.grid(False)
    ax.spines[:].set_visible(False)


def significance_graph(ranking: Ranking, ax: Axes | None = None, width: float | None = None) -> Axes:
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
            place.annotate("", tuple(places[j]), tuple(places[i]), arrowprops=ARROW, zorder=2)
        for number, name in enumerate(names):
            _draw_learner(place, places[number], number + 1, name, heavy=name == ranking.control)
        ways = "; so is what arrows reach" if transitive else ""
        drawn = f"arrow: significantly worse ({procedure(ranking)}){ways}"
        place.set(xlim=(-1.1, 1.1), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
        place.grid(False)
        place.spines[:].set_visible(False)
        says = drawn if differ.any() else f"no two learners differ ({procedure(ranking)})"
        write_below(place, says, side="center")
        place.xaxis.labelpad = 16  # below the names
    return place


def significant_wins(ranking: Ranking) -> Array:
    """Row better than column, significantly; in the order of mean ranks."""
    at = {name: number for number, name in enumerate(ranking.best_first)}
    wins = np.zeros((len(at), len(at)), bool)
    lower = "ranks" in difference_of(ranking) or ranking.matrix.better == "lower"
    for pair in ranking.pairs:
        if pair.rejected:  # by the difference that was judged; equals by their mean ranks
            ahead = -pair.difference if lower else pair.difference
            ahead = ahead or ranking.average_ranks[pair.b] - ranking.average_ranks[pair.a]
            winner, loser = (pair.a, pair.b) if ahead > 0 else (pair.b, pair.a)
            wins[at[winner], at[loser]] = True
    return wins


def is_transitive(differ: Array) -> bool:
    """Whether all that can be reached by arrows is also directly beaten."""
    return not (_two_step_ways(differ) & ~differ).any()


def remove_detours(differ: Array) -> Array:
    """The arrows that no way of two others replaces; the ways that remain reach what all arrows reached."""
    return differ & ~_two_step_ways(differ)


def _two_step_ways(differ: Array) -> Array:
    return (differ.astype(float) @ differ.astype(float)) > 0


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
