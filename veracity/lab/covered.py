"""What coverage finds: one row for each world, learner, design, number of rows and interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line
from veracity.lab.worlds import UNKNOWN, Truth
from veracity.tables.cells import Number, align_decimals
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

LEFT = ("method", "world", "learner", "by")
HIGHEST_FLOOR = 0.8  # of the axis of coverage, so that what misses by little is seen beside what misses by much
SEEN = 0.00005  # the least share that four decimals show


@dataclass(frozen=True)
class Covered:
    """How often an interval held the truth, and on which side it missed; of a learner, the risk of models like its own.

    `error` is the Monte Carlo standard error of `coverage`, 0 where every outcome was enumerated.
    """

    method: str
    world: str
    rows: int
    level: float
    coverage: float
    low_misses: float  # share of the intervals that lie above the truth
    high_misses: float
    width: float  # mean
    trials: int
    fits: int = 0
    by: str = ""
    refused: float = 0.0  # share of the samples without an interval
    enumerated: bool = False
    at_all: float = math.nan  # of a learner: share of the intervals that hold its risk at all rows
    learner: str = ""
    truth: Truth = UNKNOWN  # what the intervals are held against
    target: str = ""  # of a learner: whether that is its risk at "its training rows" or at "all rows"

    @property
    def error(self) -> float:
        if self.enumerated:
            return 0.0
        return math.sqrt(self.coverage * (1 - self.coverage) / max(self.trials * (1 - self.refused), 1))

    def to_json(self) -> dict[str, Any]:
        names = ("method", "world", "rows", "level", "coverage", "error", "low_misses", "high_misses", "width")
        shape = {name: getattr(self, name) for name in (*names, "trials", "fits", "refused", "enumerated")}
        if not self.by:
            return shape
        truth = {"truth": self.truth.value, "truth_error": self.truth.error, "target": self.target}
        return {**shape, "by": self.by, "at_all": self.at_all, "learner": self.learner, **truth}

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        of_all = f" ({self.at_all:.1%} of all rows' risk)" if self.by else ""
        held = f"held {self.coverage:.1%} at {self.level:.0%}{of_all}"
        return f"{self.method}{by}, {self.rows} rows: {held}, mean width {self.width:.3f}"


@dataclass(frozen=True, eq=False, repr=False)
class Coverages(RowsResult[Covered]):
    """One row for each world, number of rows and interval."""

    rows: tuple[Covered, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Covered:
        return self.rows[place]

    def table(self) -> Table:
        designs = any(row.by for row in self.rows)
        fitted = ("learner", "by") if designs else ()
        titles = ("method", "world", *fitted, "rows", "coverage", "error", "misses above")
        refused = ("refused",) if self._refused else ()
        columns = (*titles, "misses below", *refused, "width", "trials", "fits")
        rows = tuple(self._cells(row, designs) for row in self.rows)
        levels = ", ".join(dict.fromkeys(f"{row.level:g}" for row in self.rows))
        caption = f"share of intervals that hold the truth, at {levels}"
        return Table(
            tuple(Column(title, "left" if title in LEFT else "right") for title in columns),
            rows,
            caption,
            self.notes + self._refused,
        )

    @property
    def _refused(self) -> tuple[Note, ...]:
        """Coverage among the samples with an interval says too much for a method that has none where it would miss."""
        names = dict.fromkeys(row.method for row in self.rows if row.refused >= SEEN)
        if not names:
            return ()
        says = (
            f"{', '.join(names)}: the share of samples that is refused has no interval, and coverage is of the others"
        )
        return (Note("refused-samples", "caution", says),)

    def _cells(self, row: Covered, designs: bool) -> tuple[Any, ...]:
        refused = (row.refused,) if self._refused else ()
        known = (row.coverage, row.error, row.low_misses, row.high_misses, *refused)
        shares = (Number(share, 4) for share in known)
        by = (row.learner, row.by) if designs else ()
        return (row.method, row.world, *by, row.rows, *shares, *align_decimals(row.width), row.trials, row.fits)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": [row.to_json() for row in self.rows],
            "notes": [note.to_json() for note in self.notes + self._refused],
        }

    def curve(self) -> Curve:
        """Coverage against rows; of one number of rows by several designs, width against fits of a sample."""
        by_fits = len({row.rows for row in self.rows}) == 1 and len({row.fits for row in self.rows}) > 1
        kinds: dict[str, list[Covered]] = {}
        for row in self.rows:
            kinds.setdefault(self._line_name(row, by_fits), []).append(row)
        lines = tuple(_line(name, rows, by_fits) for name, rows in kinds.items())
        levels = ", ".join(dict.fromkeys(f"{row.level:g}" for row in self.rows))
        if by_fits:
            return Curve("widths", f"Mean width at {levels}", "fits of a sample", "mean width", lines)
        title = f"Share of intervals that hold the truth, at {levels}"
        ends = np.array([min(row.rows for row in self.rows), max(row.rows for row in self.rows)], float)
        stated = sorted({row.level for row in self.rows})
        guides = tuple(Line(f"level {level:g}", ends, np.full(2, level)) for level in stated)
        lowest = min(HIGHEST_FLOOR, math.floor(10 * min(row.coverage - 2 * row.error for row in self.rows)) / 10)
        return Curve("coverages", title, "rows", "coverage", lines, guides, y_range=(max(lowest, 0.0), 1.0))

    def _line_name(self, row: Covered, by_fits: bool) -> str:
        """What tells a line from the others."""
        parts = ("method", "world", "learner") if by_fits else ("method", "world", "learner", "by")
        differ = [part for part in parts if part == "method" or len({getattr(one, part) for one in self.rows}) > 1]
        return ", ".join(getattr(row, part) for part in differ)


def _line(name: str, rows: list[Covered], by_fits: bool) -> Line:
    """With two Monte Carlo errors of a share."""
    along = {id(row): row.fits / row.trials if by_fits else float(row.rows) for row in rows}
    ordered = sorted(rows, key=lambda row: along[id(row)])
    x = np.array([along[id(row)] for row in ordered])
    if by_fits:
        return Line(name, x, np.array([row.width for row in ordered]))
    y, error = (np.array([getattr(row, field) for row in ordered]) for field in ("coverage", "error"))
    return Line(name, x, y, low=np.clip(y - 2 * error, 0, 1), high=np.clip(y + 2 * error, 0, 1))
