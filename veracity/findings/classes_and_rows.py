"""Predictions in detail: scores of each class with averages over classes, and the rows that a model got most wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.findings.estimates import Estimate, group_notes, short_notes
from veracity.findings.interval import limits_of
from veracity.tables.cells import NumberWithin, align_decimals
from veracity.tables.result import JsonFields, RowsResult, find_row
from veracity.tables.table import Table

WIDE, NARROW = 0.05, 0.005  # intervals of shares: wider ones are written with two decimals, narrower ones with four


@dataclass(frozen=True)
class ClassScores(JsonFields):
    """One line of the table: a class, or an average over all of them."""

    label: str
    estimates: tuple[Estimate, ...]
    support: float  # rows of the class
    average: str = ""  # which average, where it is one
    data: str = ""
    learner: str = ""
    by: str = ""

    def __getitem__(self, score: str) -> Estimate:
        """The estimate of one score, by its name or by what was typed."""
        for row in self.estimates:
            if score in (row.asked, row.score, row.typed):
                return row
        raise BadInput(f"there is no {score!r} of {self.label}: there are {', '.join(self.scores)}")

    @property
    def scores(self) -> tuple[str, ...]:
        return tuple(row.asked for row in self.estimates)

    @property
    def rows(self) -> float:
        """The support, whole where rows count once each."""
        return int(self.support) if self.support.is_integer() else self.support

    @property
    def labels(self) -> tuple[str, ...]:
        """Every text by which the table can be asked for this line."""
        return tuple(filter(None, (self.data, self.learner, self.by, self.label, self.average)))

    def json_fields(self) -> dict[str, Any]:
        return {**{row.asked: row for row in self.estimates}, "support": self.rows}


@dataclass(frozen=True, repr=False)
class PerClass(RowsResult[ClassScores]):
    """A table of classes, indexed by a class, with several models or data sets by these too.

    Attributes
    ----------
    rows
        The rows of the table.
    level
        The level of intervals and tests.
    notes
        What a reader should know: cautions and remarks.
    json_notes
        The notes that stand in the JSON.
    scores
        The scores by name.

    Examples
    --------
    >>> vc.per_class(vc.Counts([[8, 2], [1, 9]]))[1]["recall"].value
    0.9
    """

    rows: tuple[ClassScores, ...]
    level: float = 0.95
    notes: tuple[Note, ...] = ()

    def __getitem__(self, key: Any) -> ClassScores:
        return find_row(self.rows, [*map(str, key if isinstance(key, tuple) else (key,))], lambda row: row.labels)

    @property
    def scores(self) -> tuple[str, ...]:
        return self.rows[0].scores

    def table(self) -> Table:
        """What names a line, each score with its limits, and the rows of the class; machines get every number."""
        model = "learner" if any(row.by for row in self.rows) else "model"
        columns: dict[str, list[Any]] = {}
        for title, name in (("data", "data"), (model, "learner"), ("by", "by")):
            if any(getattr(row, name) for row in self.rows):
                columns[title] = [getattr(row, name) for row in self.rows]
        columns["class"] = [row.label for row in self.rows]
        columns |= {score: self._column(score) for score in self.scores}
        columns["support"] = [row.rows for row in self.rows]
        further = [
            (f"{score} {part}", tuple(getattr(row[score].interval, part, None) for row in self.rows))
            for score in self.scores
            for part in ("low", "high", "method")
        ]
        further.append(("level", (self.level,) * len(self.rows)))
        notes = short_notes(self._noted(), self.notes)
        return Table.from_columns(columns, self._caption(), notes, further=tuple(further))

    def _column(self, score: str) -> list[NumberWithin]:
        """The cells of one score, all shares with the same decimals, as many as their intervals deserve."""
        estimates = [row[score] for row in self.rows]
        numbers = [(row.value, *limits_of(row.interval)) for row in estimates]
        share = all(0 <= one <= 1 for each in numbers for one in each if one is not None and math.isfinite(one))
        widths = [row.interval.width for row in estimates if row.interval is not None and row.interval.width > 0]
        narrowest = min(widths, default=0.0)
        places = 2 if narrowest >= WIDE else 3 if narrowest >= NARROW else 4
        return [NumberWithin.of(*each, places) if share else NumberWithin(*align_decimals(*each)) for each in numbers]

    def _caption(self) -> str:
        """How each interval was made and at which level; the same for a class as for any other."""
        of_classes = [row for row in self.rows if not row.average]
        means = [one for row in self.rows if row.average for one in row.estimates]
        by: dict[str, list[str]] = {}
        for name, estimates in (*((name, [row[name] for row in of_classes]) for name in self.scores), ("means", means)):
            methods = dict.fromkeys(one.interval.method for one in estimates if one.interval is not None)
            by.setdefault(" or ".join(methods), []).append(name)
        parts = [f"{', '.join(names)} by {method}" for method, names in by.items() if method]
        intervals = f"intervals of level {self.level:g}, each by itself" if parts else "no intervals"
        return "; ".join(["each class against all others", intervals, *parts])

    def _noted(self) -> list[Estimate]:
        """The estimates under the name of their class, for notes to say of which they are."""
        return [
            replace(one, data=" ".join(filter(None, (row.data, row.learner))), learner=row.label)
            for row in self.rows
            for one in row.estimates
        ]

    @property
    def json_notes(self) -> tuple[Note, ...]:
        return group_notes(self._noted(), self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return scores by class, and by average; under the data set and the learner, or the model, if several."""
        parts: dict[tuple[str, ...], dict[str, dict[str, ClassScores]]] = {}
        for row in self.rows:
            part = parts.setdefault((row.data, row.learner, row.by), {"per_class": {}, "averages": {}})
            part["averages" if row.average else "per_class"][row.average or row.label] = row
        if not any(row.by and row.data for row in self.rows):
            models = {learner: part for (_, learner, _), part in parts.items()}
            return models[""] if set(models) == {""} else {"models": models}
        designs = {by for _, _, by in parts}
        out: dict[str, dict[str, Any]] = {}
        for (data, learner, by), part in parts.items():
            out.setdefault(data, {})[learner if len(designs) == 1 else f"{learner} by {by}"] = part
        return {"estimates": out}


@dataclass(frozen=True)
class WorstRow(JsonFields):
    """One row: its place, the user's id of it, the truth, what was said, and how wrong that was."""

    index: int
    row: Any
    truth: Any
    said: Any
    loss: float
    probability: float | None = None  # the one given to the truth, where there are probabilities
    _json_names = ("row", "truth", "said", "loss", "probability")

    def json_fields(self) -> dict[str, Any]:
        return {name: value for name, value in super().json_fields().items() if (name, value) != ("probability", None)}


@dataclass(frozen=True, repr=False)
class Worst(RowsResult[WorstRow]):
    """Rows by falling loss, rows of equal loss in their own order; `loss` says what the loss is."""

    loss: str
    rows: tuple[WorstRow, ...]
    of: int  # all rows
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """Row, truth, what was said, the probability of the truth where there is one, and the loss."""
        columns: dict[str, list[Any]] = {
            "row": [row.row for row in self.rows],
            "truth": [row.truth for row in self.rows],
            "said": [row.said for row in self.rows],
        }
        if any(row.probability is not None for row in self.rows):
            columns["probability of the truth"] = [align_decimals(row.probability)[0] for row in self.rows]
        columns[self.loss] = [align_decimals(row.loss)[0] for row in self.rows]
        return Table.from_columns(columns, f"the {len(self)} most wrong of {self.of} rows", self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity worst --json`."""
        return {"loss": self.loss, "rows": self.of, "worst": self.rows}
