"""How every figure looks, said in one place; nothing global is changed."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import BytesIO
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from veracity.core.errors import BadInput
from veracity.core.words import spell_out_controls
from veracity.plots.letters import cut, text_width
from veracity.tables.formats import text as table_text
from veracity.tables.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    class SavableAxes(Axes):
        """Axes that save their figure; for type checkers, since each object is given its `savefig` when it is drawn."""

        def savefig(self, fname: Any, **options: Any) -> None: ...


# Okabe and Ito's colours, told apart by colour-blind readers; dashes tell lines apart in grey as well
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (4, 1.5, 1, 1.5)), (0, (1.5, 1.2)), (0, (9, 2, 2, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY, PALE, INK = "#757575", "#E6E6E6", "#222222"
GUIDES: tuple[Any, ...] = ((0, (4, 3)), (0, (1.2, 1.8)), (0, (7, 2, 1.2, 2)), (0, (12, 3)))
TITLE = 9.0  # points of the letters of a title
LOOK: Any = {  # typed loosely: matplotlib spells out every key
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlepad": 6,
    "axes.titlesize": TITLE,
    "axes.titleweight": "bold",
    "font.family": ["DejaVu Sans"],
    "font.size": 8,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "legend.borderaxespad": 0.6,
    "legend.fontsize": 7,
    "legend.framealpha": 0.9,
    "legend.edgecolor": "none",
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.4,
    "text.color": INK,
    "text.usetex": False,
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 7,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 7,
}
COLUMN, PAGE = 3.5, 7.1  # inches: the width of a column of a paper, and of two
THIN = 0.9  # width of a guide
SMALL = 7.0  # points of names, and of what is said below a picture
LONGEST = 60  # characters of a name in a figure
MAX_TABLE_ROWS = 150  # that somebody looks at in a picture
LONGEST_TABLE_LINE = 160  # letters
LETTER_WIDTH, LINE_HEIGHT = 0.61 * SMALL / 72, 1.35 * SMALL / 72  # inches, of a table
TABLE_EDGE = 0.1  # inches around a table


@dataclass(frozen=True)
class Pen:
    """The colour and dashes of one line, and the marker of its points."""

    colour: str
    dashes: Any
    marker: str = "o"


def pen(number: int, stroke: int | None = None) -> Pen:
    """The pen of this number: colours go round, dashes too, so that 35 lines differ; or with dashes of another one."""
    other = number if stroke is None else stroke
    return Pen(COLOURS[number % len(COLOURS)], DASHES[other % len(DASHES)], MARKERS[other % len(MARKERS)])


def guide_pen(number: int) -> Pen:
    """The pen of a guide: always grey."""
    return Pen(GREY, GUIDES[number % len(GUIDES)])


def look() -> AbstractContextManager[Any]:
    """The look, for the time of a `with` block."""
    import matplotlib

    return matplotlib.rc_context(LOOK)


def picture_width(needs: float, width: Any = None) -> float:
    """Return the inches of a picture: as asked, else a column, two where it needs them, and more only where it must."""
    if width is None:
        return next((usual for usual in (COLUMN, PAGE) if needs <= usual), needs)
    if isinstance(width, bool) or not isinstance(width, Real) or not 0 < float(width) < math.inf:
        raise BadInput(f"width is a number of inches above 0, such as {PAGE}, not {width!r}")
    return float(width)


def figure(width: float, height: float, layout: Literal["constrained"] | None = "constrained") -> Figure:
    """A figure that needs no window and no pyplot; by itself it makes room for what stands beside its axes."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=200, layout=layout)


def axes_of(ax: Axes | None, width: float | None, needs: float, height: float) -> Axes:
    """The axes given, else those of a figure of this width and height; `needs` is what is legible at least."""
    return figure(picture_width(needs, width), height).add_subplot() if ax is None else ax


def make_savable(ax: Axes) -> SavableAxes:
    """Let axes save their figure, as in `plot(...).savefig("x.pdf")`, and show it in a notebook."""

    def png() -> bytes:
        picture = BytesIO()
        ax.figure.canvas.figure.savefig(picture, format="png")
        return picture.getvalue()

    axes: Any = ax
    axes.savefig, axes._repr_png_ = ax.figure.canvas.figure.savefig, png
    return axes


def inches(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes."""
    box = ax.get_position()
    width, height = ax.figure.canvas.figure.get_size_inches()
    return float(box.width * width), float(box.height * height)


def write_below(ax: Axes, *lines: str, side: Literal["center", "right"] = "right") -> None:
    """What a picture shows, in small print below it, broken where the width of axes with names beside them ends."""
    wide = max(20, int(1.2 * inches(ax)[0] * 72 / (0.56 * SMALL)))
    broken = [part for line in lines for part in textwrap.wrap(one_line(line, 4 * wide), wide)]
    ax.set_xlabel("\n".join(broken), fontsize=SMALL, loc=side, multialignment=side, linespacing=1.3)


def one_line(text: str, longest: int = LONGEST) -> str:
    """Text of any origin as it shall be read: no mathematics, one line, not too long."""
    line = " ".join(str(text).split())
    return escape_math(cut(line, longest, inside=False))


def names_width(names: Iterable[str], longest: int) -> float:
    """Inches that the longest of some names takes in small letters, when it is cut to so many characters."""
    return SMALL / 72 * max(text_width(cut(" ".join(name.split()), longest, inside=False)) for name in names)


def escape_math(text: str) -> str:
    """Text that matplotlib does not read as mathematics."""
    return spell_out_controls(text, keep="\n").replace("$", r"\$")


def fits_picture(tables: Sequence[Table]) -> bool:
    """Return whether there are tables to draw, and not more than can be read."""
    return bool(tables) and sum(len(table.rows) for table in tables) <= MAX_TABLE_ROWS


def table_picture(tables: Sequence[Table]) -> Axes:
    """Draw tables below each other, with their notes, as a terminal would show them."""
    text = "\n\n".join(map(table_text, tables))
    lines = [cut(line, LONGEST_TABLE_LINE, inside=False) for line in text.splitlines()]
    wide = LETTER_WIDTH * max(map(len, lines)) + 2 * TABLE_EDGE
    high = LINE_HEIGHT * len(lines) + 2 * TABLE_EDGE
    with look():
        axes = figure(wide, high, layout=None).add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        for number, line in enumerate(lines):
            place = (TABLE_EDGE / wide, 1 - (TABLE_EDGE + LINE_HEIGHT * number) / high)
            axes.text(*place, line, family="DejaVu Sans Mono", size=SMALL, va="top", parse_math=False)
    return axes
