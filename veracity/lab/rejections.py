"""How often tests reject: one row for each world, effect, number of rows and method."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line
from veracity.tables.cells import Number
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

LEFT = ("method", "world", "by", "what")
TITLES = ("method", "world", "by", "rows", "what", "rejected", "error", "refused", "cautioned", "trials", "fits")
LOWEST_CEILING = 0.2  # of the axis of false claims, where the level that a test is allowed can be seen
OPTIONAL = ("by", "refused", "cautioned", "fits")


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
class Rejections(RowsResult[Rejected]):
    """One row for each world, effect, number of rows and method."""

    rows: tuple[Rejected, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Rejected:
        return self.rows[place]

    def table(self) -> Table:
        columns = [t for t in TITLES if t not in OPTIONAL or any(getattr(row, t) for row in self.rows)]
        cells = tuple(tuple(_cell(row, title) for title in columns) for row in self.rows)
        heads = tuple(Column(title, "left" if title in LEFT else "right") for title in columns)
        return Table(heads, cells, f"share of samples in which something is claimed, at {self._levels}", self.notes)

    @property
    def _levels(self) -> str:
        return ", ".join(dict.fromkeys(f"{1 - row.level:.3g}" for row in self.rows))

    def to_json(self) -> dict[str, Any]:
        return {"rows": [row.to_json() for row in self.rows], "notes": [note.to_json() for note in self.notes]}

    def curve(self) -> Curve:
        """The share against effects, or against rows where there is one effect, with two Monte Carlo errors."""
        along = "effect" if len({row.effect for row in self.rows}) > 1 else "rows"
        what = " or ".join(dict.fromkeys(row.what for row in self.rows))
        x_title = {"effect": "by how much the first differs", "rows": "rows, or data sets"}[along]
        told = [_name_parts(row, along) for row in self.rows]
        differ = [place for place, texts in enumerate(zip(*told, strict=True)) if place == 0 or len(set(texts)) > 1]
        kinds: dict[str, list[Rejected]] = {}
        for row, parts in zip(self.rows, told, strict=True):
            kinds.setdefault(", ".join(parts[place] for place in differ), []).append(row)
        lines = tuple(_line(name, along, rows) for name, rows in kinds.items())
        title = f"{what[0].upper()}{what[1:]} at {self._levels}"
        if "power" in what:
            return Curve("rejections", title, x_title, what, lines, y_range=(0.0, 1.0))
        ends = np.array([min(line.x[0] for line in lines), max(line.x[-1] for line in lines)])
        allowed = sorted({round(1 - row.level, 6) for row in self.rows})
        guides = tuple(Line(f"allowed {share:g}", ends, np.full(2, share)) for share in allowed)
        highest = max(LOWEST_CEILING, math.ceil(10 * max(row.rejected + 2 * row.error for row in self.rows)) / 10)
        return Curve("rejections", title, x_title, what, lines, guides, y_range=(0.0, min(highest, 1.0)))


def _name_parts(row: Rejected, along: str) -> tuple[str, str, str]:
    """The method, the world without what runs along the axis, and its size where effects do."""
    world = re.sub(r"(, )?effect=[^,)]+", "", row.world).replace("()", "") if along == "effect" else row.world
    return row.method, world, f"{row.rows} rows" if along == "effect" else ""


def _cell(row: Rejected, title: str) -> Any:
    value = getattr(row, title)
    return Number(value, 4) if isinstance(value, float) else value


def _line(name: str, along: str, rows: list[Rejected]) -> Line:
    ordered = sorted(rows, key=lambda row: getattr(row, along))
    x, y, error = (np.array([getattr(row, field) for row in ordered], float) for field in (along, "rejected", "error"))
    return Line(name, x, y, low=np.clip(y - 2 * error, 0, 1), high=np.clip(y + 2 * error, 0, 1))
