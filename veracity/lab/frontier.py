"""The frontier for learners: how often intervals fall short of their level, how wide they are, and what they cost."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Literal

from veracity.core.notes import Note
from veracity.findings.curve import Curve
from veracity.lab.results import Rows, make_lines, make_table
from veracity.tables.cells import Number
from veracity.tables.table import Table

MIN_SAMPLES = 1_000  # of a case, below which its figures come with a caution
FAR_OFF = ("naive_t",)


@dataclass(frozen=True)
class FrontierPoint:
    """One interval by one design over all judging worlds.

    `short` is by how much coverage falls below the level, on average over cells, 0 where it does not: by chance alone
    an interval that holds 95 % in every cell falls short by .009 where cells have 100 samples, by .003 where they have
    1,000. `width` is the geometric mean of widths over that of the default by ten folds five times.
    """

    method: str
    by: str
    fits: float
    short: float
    error: float  # Monte Carlo standard error of `short`
    held: float  # mean coverage
    worst: float  # the lowest
    where: str  # that it was found in
    width: float
    refused: float
    cells: int

    def dominates(self, other: FrontierPoint) -> bool:
        """Return whether it is as good in all three and better in one."""
        ours, theirs = ((one.short, one.width, one.fits) for one in (self, other))
        return ours != theirs and all(a <= b for a, b in zip(ours, theirs, strict=True))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Rows[FrontierPoint]):
    """All intervals and designs, those that fall short least first."""

    rows: tuple[FrontierPoint, ...]
    notes: tuple[Note, ...] = ()

    @property
    def best(self) -> tuple[FrontierPoint, ...]:
        """Those that no other beats in all of shortness, width and fits."""
        return tuple(one for one in self.rows if not any(other.dominates(one) for other in self.rows))

    def table(self) -> Table:
        digits = {"fits": 0, "short": 3, "error": 3, "held": 3, "worst": 3, "width": 2, "refused": 3}
        best = set(self.best)
        rows = (
            [
                *(row.method, row.by),
                *(Number(getattr(row, title), places) for title, places in digits.items()),
                "yes" if row in best else "",
            ]
            for row in self.rows
        )
        caption = "by how much coverage falls below .95, over worlds nobody tuned on"
        return make_table(("interval", "by", *digits, "frontier"), rows, caption, self.notes)

    def curve(self, along: Literal["fits", "width"] = "fits") -> Curve:
        """By how much coverage falls short, against fits or against width, with two Monte Carlo errors.

        What takes splits for independent lies so far off that nothing else could be told apart beside it.
        """
        near = [row for row in self.rows if row.method not in FAR_OFF and "form=" not in row.method]
        lines = make_lines(
            sorted(near, key=lambda row: row.method.partition("(")[0]),  # of one colour in all pictures
            lambda row: row.method.partition("(")[0],
            lambda row: float(getattr(row, along)),
            "short",
            within=(0, 1),
            style="points",
        )
        x_title = {"fits": "fits of a sample", "width": "width over that of the default"}[along]
        title, y_title = "The frontier for learners", "coverage below .95, mean over worlds"
        return Curve("frontier", title, x_title, y_title, lines, log_x=along == "fits")


def frontier() -> Frontier:
    """The frontier as it was measured and ships, with a note on how much that was."""
    found = json.loads(files("veracity.lab").joinpath("measured", "frontier.json").read_text("utf-8"))
    samples, most = found["samples"]
    number = f"{samples}" if samples == most else f"{samples} to {most}"
    says = (
        f"{found['cases']} cases that chose nothing, of {number} samples each: python -m bench.frontier measures more"
    )
    note = Note("frontier", "remark" if samples >= MIN_SAMPLES else "caution", says)
    return Frontier(tuple(FrontierPoint(**point) for point in found["measured"]), (note,))
