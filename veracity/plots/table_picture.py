"""Tables as a picture: what a terminal would show, in letters of one width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veracity.plots.letters import cut
from veracity.plots.look import SMALL, figure, look
from veracity.tables.formats import text
from veracity.tables.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 150  # rows that somebody looks at in a picture
LONGEST = 160  # letters of a line
WIDE, HIGH = 0.61 * SMALL / 72, 1.35 * SMALL / 72  # inches of a letter, and of a line
EDGE = 0.1


def fits_picture(tables: Sequence[Table]) -> bool:
    """Whether there is something to draw, and not more than can be read."""
    return bool(tables) and sum(len(table.rows) for table in tables) <= MOST


def table_picture(tables: Sequence[Table]) -> Axes:
    """All tables below each other, with their notes."""
    lines = [cut(line, LONGEST, inside=False) for line in "\n\n".join(map(text, tables)).splitlines()]
    wide, high = WIDE * max(map(len, lines)) + 2 * EDGE, HIGH * len(lines) + 2 * EDGE
    with look():
        axes = figure(wide, high, layout=None).add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        for number, line in enumerate(lines):
            place = (EDGE / wide, 1 - (EDGE + HIGH * number) / high)
            axes.text(*place, line, family="DejaVu Sans Mono", size=SMALL, va="top", parse_math=False)
    return axes
