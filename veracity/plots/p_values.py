"""The adjusted p-values of all pairs as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veracity.findings.standing import Standing
from veracity.plots.grid import NAME, Cell, draw_cells
from veracity.plots.judged import procedure
from veracity.plots.look import axes_of, look, savable, set_says, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# the darker the smaller the p-value of a pair that differs, told apart in grey as well; then those that do not
STEPS = ((0.001, "#08519C"), (0.01, "#5A9BD0"), (1.0, "#BDD7EE"))
OPEN, NONE = "#F1F1F1", "#FFFFFF"


def p_values(standing: Standing, ax: Axes | None = None, width: float | None = None) -> Axes:
    """Draw the map, best learner first; pairs that differ are blue and bold."""
    names = standing.best_first
    at = [standing.learners.index(name) for name in names]
    p = standing.p_values()[np.ix_(at, at)]
    differ = {frozenset((pair.a, pair.b)) for pair in standing.pairs if pair.rejected}
    with look():
        place = axes_of(ax, width, *_needs(names))
        rows = [words(name, NAME) for name in names]
        draw_cells(place, names, rows, lambda i, j: _cell(p[i, j], {names[i], names[j]} in differ), wide=6)
        set_says(place, f"adjusted p-values; bold: differ ({procedure(standing)})")
    return savable(place)


def _needs(names: tuple[str, ...]) -> tuple[float, float]:
    """Inches across and down."""
    longest = 0.06 * min(max(map(len, names)), NAME)
    side = max(2.2, 0.42 * len(names))
    return side + longest + 0.3, 0.75 * side + 0.75 * longest + 0.5


def _cell(p: float, differs: bool) -> Cell:
    if np.isnan(p):
        return Cell("", NONE)
    colour = next(colour for limit, colour in STEPS if p <= limit) if differs else OPEN
    return Cell(shown(p), colour, differs, dark=colour == STEPS[0][1])


def shown(p: float) -> str:
    """A p-value to three decimals."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
