"""The scores of every split of runs, one row each, with the seconds that its fit took."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.export import write_columns
from veracity.findings.estimate import finite
from veracity.tables.cells import align_decimals
from veracity.tables.exports import arff
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

SHOWN = 30  # rows that a reader looks through
LEFT = ("data", "learner", "by", "score")
NAMED = (*LEFT[:3], "repeat", "fold", "score", "value", "seconds_fit", "seconds_predict")
# what Weka's Experimenter calls the columns; times by the clock on the wall
WEKA_TIMES = {"seconds_fit": "Elapsed_Time_training", "seconds_predict": "Elapsed_Time_testing"}


@dataclass(frozen=True)
class RunScore:
    """One score of one split; NaN where there is none, or where a time is not known."""

    data: str
    learner: str
    by: str
    repeat: int
    fold: int
    score: str
    value: float
    seconds_fit: float
    seconds_predict: float
    train: int  # rows
    test: int

    def to_json(self) -> dict[str, Any]:
        """The shape of one row in the JSON of `veracity scores`."""
        return {name: finite(cell) if isinstance(cell := getattr(self, name), float) else cell for name in NAMED}


@dataclass(frozen=True, repr=False)
class RunScores(RowsResult[RunScore]):
    """A row for each score of each split; printed, the first of them and then mean, deviation and count."""

    rows: tuple[RunScore, ...]
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """Every row; files for machines have the sizes of the splits too."""
        return self._table(self.rows)

    def _table(self, rows: Sequence[RunScore], caption: str = "") -> Table:
        columns = tuple(Column(name, "left" if name in LEFT else "right") for name in NAMED)
        cells = tuple(tuple(getattr(row, name) for name in NAMED) for row in rows)
        sizes = (("train", tuple(row.train for row in rows)), ("test", tuple(row.test for row in rows)))
        return Table(columns, cells, caption, self.notes, further=sizes)

    def summary(self) -> Table:
        """Mean, standard deviation and number of the scores of each data set, learner and design."""
        titles = ("data", "learner", "by", "score", "mean", "standard deviation", "splits", "without")
        columns = tuple(Column(title, "left" if title in LEFT else "right") for title in titles)
        cells: dict[tuple[str, ...], list[float]] = {}
        for row in self.rows:
            cells.setdefault((row.data, row.learner, row.by, row.score), []).append(row.value)
        body = tuple((*key, *_moments(values)) for key, values in cells.items())
        return Table(columns, body, "over the splits that have a score")

    @property
    def printed(self) -> tuple[Table, ...]:
        """Of many rows the first, with the way to all of them; then the averages."""
        cut = len(self.rows) > SHOWN
        caption = f"the first {SHOWN} of {len(self.rows)} rows; a file (.csv, .parquet, .arff) holds all" if cut else ""
        return self._table(self.rows[:SHOWN], caption), self.summary()

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity scores --json`."""
        return {"scores": [row.to_json() for row in self.rows], "notes": [note.to_json() for note in self.notes]}

    def to_parquet(self, path: str | Path) -> None:
        """All rows as one Parquet file; a score that does not exist is null."""
        names = (*NAMED, "train", "test")
        kinds = {name: float if name in ("value", *WEKA_TIMES) else int for name in names if name not in LEFT}
        write_columns({n: np.array([getattr(row, n) for row in self.rows], kinds.get(n, object)) for n in names}, path)

    def to_weka(self) -> str:
        """The text of a result file (.arff) as Weka's Experimenter writes it: runs and folds count from 1.

        Scores keep their names, one column each; where there is none, or an infinite one, stands a question mark.
        """
        designs = dict.fromkeys(row.by for row in self.rows)
        if len(designs) > 1:
            there = ", ".join(designs)
            raise BadInput(f"Weka's layout holds one design, and these are {there}: name one, `by=`")
        splits: dict[tuple[Any, ...], tuple[RunScore, dict[str, float]]] = {}
        for row in self.rows:
            splits.setdefault((row.data, row.repeat, row.fold, row.learner), (row, {}))[1][row.score] = row.value
        rows = [row for row, _ in splits.values()]
        columns: dict[str, Sequence[Any]] = {
            "Key_Dataset": [row.data for row in rows],
            "Key_Run": [str(row.repeat + 1) for row in rows],
            "Key_Fold": [str(row.fold + 1) for row in rows],
            "Key_Scheme": [row.learner for row in rows],
            "Key_Scheme_options": [""] * len(rows),
            "Key_Scheme_version_ID": ["0"] * len(rows),
            "Number_of_training_instances": [row.train for row in rows],
            "Number_of_testing_instances": [row.test for row in rows],
        }
        for score in dict.fromkeys(row.score for row in self.rows):
            columns[score] = [values.get(score, math.nan) for _, values in splits.values()]
        for name, title in WEKA_TIMES.items():
            columns[title] = [getattr(row, name) for row in rows]
        return arff(f"{next(iter(designs), '')} by veracity", columns)


def _moments(values: Sequence[float]) -> tuple[Any, ...]:
    """Mean, standard deviation, number of splits, and how many of them have no score."""
    there = [value for value in values if not math.isnan(value)]
    mean = statistics.fmean(there) if there else math.nan
    deviation = statistics.stdev(there) if len(there) > 1 and math.isfinite(mean) else None
    return (*align_decimals(mean, deviation), len(values), len(values) - len(there))
