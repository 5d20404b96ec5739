"""A mean loss and the parts that it is the sum of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.notes import Note, unique
from veracity.findings.curve import Curve, Line, point_marks
from veracity.findings.estimate import finite
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals
from veracity.tables.result import RowsResult, TableResult
from veracity.tables.table import Column, Table
from veracity.tables.formats import text

NAMED = {"squared": "squared loss", "domingos": "0-1 loss (Domingos)", "kohavi_wolpert": "0-1 loss (Kohavi, Wolpert)"}


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(TableResult):
    """Means over test rows; `rows` holds the four columns loss, bias, variance, noise of each row.

    `noise` is None where nobody knows it: the bias then contains it.
    """

    learner: str
    kind: str  # squared, domingos or kohavi_wolpert
    loss: float
    bias: float  # squared, for squared loss
    variance: float
    noise: float | None
    draws: int
    by: str
    rows: Array
    notes: tuple[Note, ...] = ()

    @property
    def parts(self) -> dict[str, float]:
        """The parts by name; they sum to the loss."""
        squared = " squared" if self.kind != "domingos" else ""
        bias = f"bias{squared}" if self.noise is not None else f"bias{squared} and noise"
        found = {bias: self.bias, "variance": self.variance}
        return found if self.noise is None else {**found, "noise": self.noise}

    def table(self) -> Table:
        names, values = zip(*self.parts.items(), strict=True)
        numbers = align_decimals(self.loss, *values)
        shares = (f"{100 * (value / self.loss):.0f} %" if self.loss else "" for value in values)
        rows = tuple(zip(("loss", *names), numbers, ("100 %", *shares), strict=True))
        columns = (Column("part", "left"), Column("value"), Column("share"))
        return Table(columns, rows, self.sentence, self.notes)

    @property
    def sentence(self) -> str:
        """The whole in words."""
        (first, value), *others = self.parts.items()
        more = "".join(f" {'-+'[part >= 0]} {abs(part):.4g} {name}" for name, part in others)
        whole = f"{self.loss:.4g} = {value:.4g} {first}{more}"
        return f"The mean {NAMED[self.kind]} of {self.learner} over {self.by} is {whole}."

    def __str__(self) -> str:
        return text(self.table())

    def to_json(self) -> dict[str, Any]:
        return {
            "learner": self.learner,
            "kind": self.kind,
            "by": self.by,
            "draws": self.draws,
            "rows": len(self.rows),
            "loss": finite(self.loss),
            "bias": finite(self.bias),
            "variance": finite(self.variance),
            "noise": finite(self.noise),
            "notes": [note.to_json() for note in self.notes],
        }


@dataclass(frozen=True, eq=False, repr=False)
class Decompositions(RowsResult[Decomposition]):
    """A loss and its parts for each value of a parameter, from the same training sets: bias against variance."""

    learner: str
    parameter: str
    values: tuple[Any, ...]
    rows: tuple[Decomposition, ...]

    def __getitem__(self, place: int) -> Decomposition:
        return self.rows[place]

    @property
    def notes(self) -> tuple[Note, ...]:
        return unique(tuple(note for row in self.rows for note in row.notes))

    @property
    def best(self) -> Any:
        """The value of the smallest loss on these rows, which choosing makes optimistic."""
        return self.values[int(np.argmin([row.loss for row in self.rows]))]

    def table(self) -> Table:
        names = tuple(self.rows[0].parts)
        columns = (Column(self.parameter), Column("loss"), *map(Column, names))
        rows = tuple(
            (str(value), *align_decimals(row.loss, *row.parts.values()))
            for value, row in zip(self.values, self.rows, strict=True)
        )
        caption = f"The mean {NAMED[self.rows[0].kind]} of {self.learner} over {self.rows[0].by}, by {self.parameter}"
        return Table(columns, rows, caption, self.notes)

    def curve(self) -> Curve:
        """The chart as data: the loss and each of its parts against the parameter."""
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values)
        x = np.array(self.values, float) if numbers else np.arange(1.0, len(self.values) + 1)
        order = np.argsort(x)
        columns = {"loss": [row.loss for row in self.rows]}
        columns |= {name: [row.parts[name] for row in self.rows] for name in self.rows[0].parts}
        lines = tuple(Line(name, x[order], np.array(column)[order]) for name, column in columns.items())
        wide = numbers and len(x) > 2 and x.min() > 0 and x.max() / x.min() >= 100
        about: dict[str, Any] = {"notes": self.notes, "log_x": bool(wide), "facts": {"best": self.best}}
        if min(map(min, columns.values())) >= 0:  # parts of a sum are seen from 0 on
            about["y_range"] = (0.0, 1.05 * max(map(max, columns.values())) or 1.0)
        if not numbers:
            about |= {"x_names": tuple(map(str, self.values)), "x_range": (0.5, len(x) + 0.5)}
        kind = NAMED[self.rows[0].kind]
        title = f"Bias and variance of {self.learner}"
        return Curve("bias_variance", title, self.parameter, f"Mean {kind}", lines, marks=point_marks(lines), **about)

    def to_json(self) -> dict[str, Any]:
        each = [{"value": value, **row.to_json()} for value, row in zip(self.values, self.rows, strict=True)]
        rows = [{name: part for name, part in row.items() if name != "notes"} for row in each]
        notes = [note.to_json() for note in self.notes]
        return {"learner": self.learner, "parameter": self.parameter, "values": rows, "notes": notes}
