"""The frontier for learners: how often intervals fall short of their level, how wide they are, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

import numpy as np

from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line
from veracity.records.arrays import Array
from veracity.tables.cells import Number
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

LEVEL = 0.95
ENOUGH = 1_000  # samples
REFERENCE = ("conservative_t", "repeated_kfold(k=10, repeats=5)")  # whose width is 1
FAR_OFF = ("naive_t",)
DESIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "kfold(k=10)",
        ("conservative_t", "corrected_t", "cv_wald", "cv_wald(form='within_fold')", "naive_t", "percentile(draws=999)"),
    ),
    ("repeated_kfold(k=10, repeats=5)", ("conservative_t", "corrected_t", "naive_t")),
    ("repeated_kfold(k=10, repeats=10)", ("conservative_t", "corrected_t", "naive_t")),
    ("repeated_holdout(repeats=25, test=0.1)", ("conservative_t", "corrected_t", "naive_t")),
    ("five_by_two", ("conservative_t", "corrected_t", "naive_t")),
    ("leave_one_out", ("cv_wald",)),
    ("paired_subsampling(outer=10, inner=15)", ("conservative_z",)),
    ("nested_cv_bates(k=10, repeats=10)", ("nested_cv",)),
    ("loo_bootstrap(draws=200)", ("loo_bootstrap_se",)),
)


class FrontierCell(NamedTuple):
    """One interval by one design, for one learner in one world."""

    method: str
    by: str
    world: str
    learner: str
    rows: int
    covered: float
    width: float
    fits: float  # of one sample
    refused: float
    trials: int


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
        """Whether it is as good in all three and better in one."""
        ours, theirs = ((one.short, one.width, one.fits) for one in (self, other))
        return ours != theirs and all(a <= b for a, b in zip(ours, theirs, strict=True))

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(RowsResult[FrontierPoint]):
    """All intervals and designs, those that fall short least first."""

    rows: tuple[FrontierPoint, ...]
    notes: tuple[Note, ...] = ()

    @property
    def best(self) -> tuple[FrontierPoint, ...]:
        """Those that no other beats in all of shortness, width and fits."""
        return tuple(one for one in self.rows if not any(other.dominates(one) for other in self.rows))

    def table(self) -> Table:
        titles = ("interval", "by", "fits", "short", "error", "held", "worst", "width", "refused", "frontier")
        columns = tuple(Column(title, "left" if title in titles[:2] else "right") for title in titles)
        best = set(self.best)
        cells = tuple(
            (
                *(row.method, row.by, Number(row.fits, 0)),
                *(Number(value, 3) for value in (row.short, row.error, row.held, row.worst)),
                *(Number(row.width, 2), Number(row.refused, 3), "yes" if row in best else ""),
            )
            for row in self.rows
        )
        return Table(columns, cells, "by how much coverage falls below .95, over worlds nobody tuned on", self.notes)

    def to_json(self) -> dict[str, Any]:
        return {"rows": [row.to_json() for row in self.rows], "notes": [note.to_json() for note in self.notes]}

    def curve(self, along: Literal["fits", "width"] = "fits") -> Curve:
        """By how much coverage falls short, against fits or against width, with two Monte Carlo errors.

        What takes splits for independent lies so far off that nothing else could be told apart beside it.
        """
        kinds: dict[str, list[FrontierPoint]] = {}
        for row in sorted(self.rows, key=lambda row: float(getattr(row, along))):
            if row.method not in FAR_OFF and "form=" not in row.method:  # these are told by the table
                kinds.setdefault(row.method.partition("(")[0], []).append(row)
        lines = tuple(_line(name, along, rows) for name, rows in sorted(kinds.items()))  # of one colour in all pictures
        x_title = {"fits": "fits of a sample", "width": "width over that of the default"}[along]
        title, y_title = "The frontier for learners", "coverage below .95, mean over worlds"
        return Curve("frontier", title, x_title, y_title, lines, log_x=along == "fits")


def frontier() -> Frontier:
    """The frontier as it was measured and ships, with a note on how much that was."""
    cells = shipped_cells()
    cases = {place(cell) for cell in cells}
    trials = [cell.trials for cell in cells]
    samples, most = min(trials), max(trials)
    number = f"{samples}" if samples == most else f"{samples} to {most}"
    says = f"{len(cases)} cases that chose nothing, of {number} samples each: python -m bench.frontier measures more"
    return replace(make_frontier(cells), notes=(Note("frontier", "remark" if samples >= ENOUGH else "caution", says),))


@cache
def shipped_cells() -> tuple[FrontierCell, ...]:
    """The figures of every cell."""
    text = files("veracity.lab").joinpath("measured", "frontier.json").read_text("utf-8")
    found = json.loads(text)
    return tuple(FrontierCell(*row) for row in found["measured"])


def make_frontier(cells: Iterable[FrontierCell]) -> Frontier:
    """Each interval by each design over all cells."""
    gathered: dict[tuple[str, str], list[FrontierCell]] = {}
    for cell in cells:
        gathered.setdefault((cell.method, cell.by), []).append(cell)
    reference = {place(cell): cell.width for cell in gathered[REFERENCE]}
    points = [_point(group, reference) for group in gathered.values()]
    return Frontier(tuple(sorted(points, key=lambda point: (round(point.short, 4), point.width))))


def _line(name: str, along: str, rows: list[FrontierPoint]) -> Line:
    x, y, error = (np.array([getattr(row, field) for row in rows], float) for field in (along, "short", "error"))
    return Line(name, x, y, low=np.clip(y - 2 * error, 0, 1), high=y + 2 * error, style="points")


def place(cell: FrontierCell) -> tuple[str, str, int]:
    """The case that a cell belongs to."""
    return cell.world, cell.learner, cell.rows


def _variance_of_missed(covered: Array, answers: Array) -> Array:
    """Of what coverage lacks, 0 where it lacks nothing: that of a normal law cut at the level.

    A cell that happens to hold its level could as well have fallen short. The deviation is that of two answers more on
    either side, since a share of 1 is not without error.
    """
    from scipy.special import ndtr

    share = (covered * answers + 2) / (answers + 4)
    deviation = np.sqrt(share * (1 - share) / answers)
    short = (LEVEL - covered) / deviation
    below, density = ndtr(short), np.exp(-(short**2) / 2) / np.sqrt(2 * np.pi)
    mean = short * below + density
    found: Array = deviation**2 * ((short**2 + 1) * below + short * density - mean**2).clip(0)
    return found


def _point(cells: list[FrontierCell], reference: dict[tuple[str, str, int], float]) -> FrontierPoint:
    there = [cell for cell in cells if cell.refused < 1]
    covered = np.array([cell.covered for cell in there], float)
    missed = np.maximum(LEVEL - covered, 0.0)
    errors = _variance_of_missed(covered, np.array([cell.trials * (1 - cell.refused) for cell in there]))
    widths = [cell.width / reference[place(cell)] for cell in there if place(cell) in reference]
    low = there[int(covered.argmin())]
    return FrontierPoint(
        cells[0].method,
        cells[0].by,
        float(np.mean([cell.fits for cell in there])),
        float(missed.mean()),
        float(np.sqrt(errors.sum()) / len(there)),
        float(covered.mean()),
        low.covered,
        f"{low.learner}, {low.world}, {low.rows} rows",
        float(np.exp(np.mean(np.log(widths)))),
        float(np.mean([cell.refused for cell in cells])),
        len(there),
    )
