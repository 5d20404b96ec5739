"""What the lab measures: coverage of intervals, rejections of tests, bias of estimators; as rows, tables and curves."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line, Style
from veracity.lab.worlds import UNKNOWN, Truth
from veracity.tables.cells import Number, align_decimals
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

TEXTS = ("method", "world", "learner", "by", "what", "interval")  # columns that stand at the left
HIGHEST_FLOOR = 0.8  # of the axis of coverage, so that what misses by little is seen beside what misses by much
LOWEST_CEILING = 0.2  # of the axis of false claims, where the level that a test is allowed can be seen
LEAST_VISIBLE_SHARE = 0.00005  # with four decimals
R = TypeVar("R")


class Rows(RowsResult[R]):
    """One row for each world, number of rows and method."""

    def __getitem__(self, place: int) -> R:
        return self.rows[place]

    def differing(self, *names: str) -> list[str]:
        """Return those of some fields in which the rows differ."""
        return [name for name in names if len({getattr(row, name) for row in self.rows}) > 1]


def make_table(titles: Iterable[str], rows: Iterable[Sequence[Any]], caption: str, notes: tuple[Note, ...]) -> Table:
    """Return rows of cells under their titles; texts stand at the left."""
    columns = tuple(Column(title, "left" if title in TEXTS else "right") for title in titles)
    return Table(columns, tuple(map(tuple, rows)), caption, notes)


def make_lines(
    rows: Iterable[R],
    name: Callable[[R], str],
    x: Callable[[R], float],
    y: str,
    within: tuple[float, float] = (-math.inf, math.inf),
    error: str = "error",
    style: Style = "line",
) -> tuple[Line, ...]:
    """Return a line for each name, of a field against `x`, with two Monte Carlo errors `within` what it can be."""
    kinds: dict[str, list[R]] = {}
    for row in rows:
        kinds.setdefault(name(row), []).append(row)
    lines = []
    for kind, members in kinds.items():
        ordered = sorted(members, key=x)
        values = np.array([getattr(row, y) for row in ordered], float)
        band: dict[str, Any] = {}
        if error:
            twice = 2 * np.array([getattr(row, error) for row in ordered], float)
            band = {"low": np.clip(values - twice, *within), "high": np.clip(values + twice, *within)}
        lines.append(Line(kind, np.array([x(row) for row in ordered], float), values, **band, style=style))
    return tuple(lines)


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
class Coverages(Rows[Covered]):
    """One row for each world, number of rows and interval."""

    rows: tuple[Covered, ...]
    notes: tuple[Note, ...] = ()

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Coverage among the samples with an interval says too much for a method that has none where it would miss."""
        names = dict.fromkeys(row.method for row in self.rows if row.refused >= LEAST_VISIBLE_SHARE)
        says = (
            f"{', '.join(names)}: the share of samples that is refused has no interval, and coverage is of the others"
        )
        return (*self.notes, Note("refused-samples", "caution", says)) if names else self.notes

    @property
    def _levels(self) -> str:
        return ", ".join(dict.fromkeys(f"{row.level:g}" for row in self.rows))

    def table(self) -> Table:
        fitted = ["learner", "by"] if any(row.by for row in self.rows) else []
        refused = ["refused"] if any(row.refused >= LEAST_VISIBLE_SHARE for row in self.rows) else []
        titles = ["method", "world", *fitted, "rows", "coverage", "error", "misses above", "misses below", *refused]
        fields = {"misses above": "low_misses", "misses below": "high_misses"}

        def cells(row: Covered) -> list[Any]:
            values = [getattr(row, fields.get(title, title)) for title in titles]
            shares = [Number(value, 4) if isinstance(value, float) else value for value in values]
            return [*shares, *align_decimals(row.width), row.trials, row.fits]

        caption = f"share of intervals that hold the truth, at {self._levels}"
        return make_table([*titles, "width", "trials", "fits"], map(cells, self.rows), caption, self.all_notes)

    def curve(self) -> Curve:
        """Coverage against rows; of one number of rows by several designs, width against fits of a sample."""
        by_fits = bool(self.differing("fits")) and not self.differing("rows")
        parts = ["method", *self.differing("world", "learner", *(() if by_fits else ("by",)))]

        def name(row: Covered) -> str:
            return ", ".join(getattr(row, part) for part in parts)

        if by_fits:
            lines = make_lines(self.rows, name, lambda row: row.fits / row.trials, "width", error="")
            return Curve("widths", f"Mean width at {self._levels}", "fits of a sample", "mean width", lines)
        lines = make_lines(self.rows, name, lambda row: row.rows, "coverage", within=(0, 1))
        title = f"Share of intervals that hold the truth, at {self._levels}"
        ends = np.array([min(row.rows for row in self.rows), max(row.rows for row in self.rows)], float)
        stated = sorted({row.level for row in self.rows})
        guides = tuple(Line(f"level {level:g}", ends, np.full(2, level)) for level in stated)
        lowest = min(HIGHEST_FLOOR, math.floor(10 * min(row.coverage - 2 * row.error for row in self.rows)) / 10)
        return Curve("coverages", title, "rows", "coverage", lines, guides, y_range=(max(lowest, 0.0), 1.0))


@dataclass(frozen=True)
class Rejected:
    """How often one method claimed something: where that is false its size, where it is true its power.

    Of a family it is the family-wise error, the false discovery rate, or the share of what is real that is found.
    `error` is the Monte Carlo standard error, 0 where every outcome was enumerated.
    """

    method: str
    world: str
    rows: int
    level: float
    what: str
    rejected: float
    error: float
    trials: int
    fits: int = 0
    refused: float = 0.0  # share of the samples without an answer
    cautioned: float = 0.0  # share of the answers with a caution
    by: str = ""
    effect: float = 0.0
    enumerated: bool = False

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "by" or value}

    def __str__(self) -> str:
        return f"{self.method}, {self.world}, {self.rows} rows: {self.what} {self.rejected:.1%} +- {self.error:.1%}"


@dataclass(frozen=True, eq=False, repr=False)
class Rejections(Rows[Rejected]):
    """One row for each world, effect, number of rows and method."""

    rows: tuple[Rejected, ...]
    notes: tuple[Note, ...] = ()

    @property
    def _levels(self) -> str:
        return ", ".join(dict.fromkeys(f"{1 - row.level:.3g}" for row in self.rows))

    def table(self) -> Table:
        titles = (
            "method",
            "world",
            "by",
            "rows",
            "what",
            "rejected",
            "error",
            "refused",
            "cautioned",
            "trials",
            "fits",
        )
        optional = ("by", "refused", "cautioned", "fits")
        shown = [title for title in titles if title not in optional or any(getattr(row, title) for row in self.rows)]
        values = ([getattr(row, title) for title in shown] for row in self.rows)
        cells = ([Number(value, 4) if isinstance(value, float) else value for value in row] for row in values)
        return make_table(
            shown, cells, f"share of samples in which something is claimed, at {self._levels}", self.notes
        )

    def curve(self) -> Curve:
        """The share against effects, or against rows where there is one effect, with two Monte Carlo errors."""
        by_effect = bool(self.differing("effect"))
        what = " or ".join(dict.fromkeys(row.what for row in self.rows))
        x_title = "by how much the first differs" if by_effect else "rows, or data sets"

        def parts(row: Rejected) -> tuple[str, str, str]:
            """The method, the world without what runs along the axis, and its size where effects do."""
            if not by_effect:
                return row.method, row.world, ""
            return row.method, re.sub(r"(, )?effect=[^,)]+", "", row.world).replace("()", ""), f"{row.rows} rows"

        every = list(map(parts, self.rows))
        differ = [place for place, texts in enumerate(zip(*every, strict=True)) if place == 0 or len(set(texts)) > 1]
        lines = make_lines(
            self.rows,
            lambda row: ", ".join(parts(row)[place] for place in differ),
            lambda row: row.effect if by_effect else row.rows,
            "rejected",
            within=(0, 1),
        )
        title = f"{what[0].upper()}{what[1:]} at {self._levels}"
        if "power" in what:
            return Curve("rejections", title, x_title, what, lines, y_range=(0.0, 1.0))
        ends = np.array([min(line.x[0] for line in lines), max(line.x[-1] for line in lines)])
        allowed = sorted({round(1 - row.level, 6) for row in self.rows})
        guides = tuple(Line(f"allowed {share:g}", ends, np.full(2, share)) for share in allowed)
        highest = max(LOWEST_CEILING, math.ceil(10 * max(row.rejected + 2 * row.error for row in self.rows)) / 10)
        return Curve("rejections", title, x_title, what, lines, guides, y_range=(0.0, min(highest, 1.0)))


@dataclass(frozen=True)
class Quality:
    """An estimator against the risk of its learner trained on all rows; mse = bias^2 + variance."""

    by: str
    truth: float
    mean: float
    variance: float
    trials: int
    truth_error: float = 0.0  # Monte Carlo standard error of the truth itself
    fits: int = 0
    world: str = ""
    learner: str = ""
    rows: int = 0
    refused: float = 0.0  # share of the samples without an estimate

    @property
    def bias(self) -> float:
        return self.mean - self.truth

    @property
    def spread(self) -> float:
        """Standard deviation of the estimates over samples."""
        return math.sqrt(self.variance)

    @property
    def mse(self) -> float:
        return self.bias**2 + self.variance

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the bias: of the mean of the estimates and of the truth."""
        return math.sqrt(self.variance / self.trials + self.truth_error**2)

    def to_json(self) -> dict[str, Any]:
        names = ("by", "world", "learner", "rows", "truth", "truth_error", "mean", "bias", "error", "spread", "mse")
        return {name: getattr(self, name) for name in (*names, "trials", "fits", "refused")}

    def __str__(self) -> str:
        return f"{self.by}: bias {self.bias:+.4f}, variance {self.variance:.5f}, mean squared error {self.mse:.5f}"


@dataclass(frozen=True, eq=False, repr=False)
class Qualities(Rows[Quality]):
    """One row for each world, learner, number of rows and estimator."""

    rows: tuple[Quality, ...]
    notes: tuple[Note, ...] = ()

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Samples that a design cannot split are no samples like the others."""
        names = dict.fromkeys(row.by for row in self.rows if row.refused)
        says = f"{', '.join(names)}: a share of the samples could not be split or has no estimate, and is left out"
        return (*self.notes, Note("refused-samples", "caution", says)) if names else self.notes

    def table(self) -> Table:
        refused = ["refused"] if any(row.refused for row in self.rows) else []
        figures = ["truth", "mean", "bias", "error", "spread", "mse"]
        titles = ["by", "world", "learner", "rows", *figures, *refused, "trials", "fits"]

        def cell(row: Quality, title: str) -> Any:
            value = getattr(row, title)
            return Number(value, 5 if title == "mse" else 4) if isinstance(value, float) else value

        rows = ([cell(row, title) for title in titles] for row in self.rows)
        caption = "estimates of risk less the risk of the learner trained on all rows"
        return make_table(titles, rows, caption, self.all_notes)

    def curve(self) -> Curve:
        """Bias against rows with two Monte Carlo errors, a line for each estimator."""
        parts = ["by", *self.differing("world", "learner")]
        lines = make_lines(
            sorted(self.rows, key=lambda row: row.rows),
            lambda row: ", ".join(getattr(row, part) for part in parts),
            lambda row: row.rows,
            "bias",
        )
        return Curve("bias", "Bias of estimates of risk", "rows", "bias", lines)
