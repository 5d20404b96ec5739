"""A table of cells with numbers in them, coloured, names at the side and above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from veracity.plots.look import inches, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST, SMALLEST = 7.0, 3.5  # points of the numbers
SHORT = 7  # characters of a name that stands upright above a column
NAME = 24  # characters of any name
LETTER = 0.056  # inches of a letter, about


class Cell(NamedTuple):
    """What stands in a cell, and how."""

    text: str
    colour: str
    bold: bool = False
    dark: bool = False  # whether the colour is, so that the text is white


def draw_cells(
    ax: Axes, names: Sequence[str], rows: Sequence[str], cell: Callable[[int, int], Cell], wide: float, high: float = 1
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
    width -= LETTER * max(map(len, rows))
    height -= 0.7 * LETTER * min(max(map(len, names)), NAME)
    fits = min(72 * width / len(names) / (0.7 * wide), 72 * height / len(names) / (1.5 * high))
    return min(LARGEST, max(SMALLEST, fits))


def _set_names(ax: Axes, names: Sequence[str], rows: Sequence[str]) -> None:
    places = [i + 0.5 for i in range(len(names))]
    upright = max(map(len, names)) <= SHORT
    turned: dict[str, Any] = {} if upright else {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(places, [words(name, NAME) for name in names], fontsize=7, **turned)
    ax.set_yticks(places, list(rows), fontsize=7)
    ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    ax.grid(False)
    ax.spines[:].set_visible(False)
