"""What runs hold: fits that failed, by reason, and the scores of every split with the seconds that its fit took."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural, spell_out_controls, without_passwords
from veracity.evidence.export import write_columns
from veracity.evidence.runs import Runs
from veracity.records.fit import Outcome
from veracity.tables.cells import align_decimals
from veracity.tables.exports import arff
from veracity.tables.result import JsonFields, RowsResult
from veracity.tables.table import Table

MAX_PLACES_NAMED = 3  # failed splits that a table names
MAX_ROWS_SHOWN = 30  # scores that a reader looks through
TEXTS = ("data", "learner", "by", "score")
NAMED = ("data", "learner", "by", "repeat", "fold", "score", "value", "seconds_fit", "seconds_predict")
# what Weka's Experimenter calls the columns; times by the clock on the wall
WEKA_TIMES = {"seconds_fit": "Elapsed_Time_training", "seconds_predict": "Elapsed_Time_testing"}


class FailedPlace(NamedTuple):
    """A split whose fit failed."""

    data: str
    learner: str
    by: str
    split: int

    def __str__(self) -> str:
        return f"{self.learner} on {self.data}, split {self.split}"


@dataclass(frozen=True)
class FailureReason(JsonFields):
    """Why fits failed: once for all that failed so."""

    reason: str
    fits: int
    places: tuple[FailedPlace, ...]  # more than the fits where designs share them
    traceback: str  # of the first

    def json_fields(self) -> dict[str, Any]:
        return super().json_fields() | {"places": [place._asdict() for place in self.places]}


@dataclass(frozen=True, repr=False)
class Failures(RowsResult[FailureReason]):
    """The reasons, the most frequent first; the fits of a reason that is mended are tried again by a retry."""

    rows: tuple[FailureReason, ...]
    fits: int  # that were planned
    notes: tuple[Note, ...] = ()

    def sentence(self) -> str:
        """How many failed."""
        failed = sum(row.fits for row in self.rows)
        if not failed:
            return f"None of {plural(self.fits, 'fit')} failed."
        return f"{failed:,} of {plural(self.fits, 'fit')} failed, for {plural(len(self.rows), 'reason')}."

    def table(self) -> Table:
        """A line for each reason."""
        rows = []
        for row in self.rows:
            learners, data = ({getattr(place, name) for place in row.places} for name in ("learner", "data"))
            where = "; ".join(map(str, row.places[:MAX_PLACES_NAMED]))
            if len(row.places) > MAX_PLACES_NAMED:
                where += f"; and {len(row.places) - MAX_PLACES_NAMED} more"
            rows.append((row.fits, row.reason, len(learners), len(data), where))
        return Table.from_rows(("fits", "reason", "learners", "data sets", "where"), rows, self.sentence(), self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity failures --json`."""
        return {"fits": self.fits, "failures": self.rows}


@dataclass(frozen=True)
class RunScore(JsonFields):
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
    _json_names = NAMED


@dataclass(frozen=True, repr=False)
class RunScores(RowsResult[RunScore]):
    """A row for each score of each split; printed, the first of them and then mean, deviation and count."""

    rows: tuple[RunScore, ...]
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """Every row; files for machines have the sizes of the splits too."""
        return self._table(self.rows)

    def _table(self, rows: Sequence[RunScore], caption: str = "") -> Table:
        columns = {name: [getattr(row, name) for row in rows] for name in NAMED}
        sizes = (("train", tuple(row.train for row in rows)), ("test", tuple(row.test for row in rows)))
        return Table.from_columns(columns, caption, self.notes, further=sizes)

    def summary(self) -> Table:
        """Mean, standard deviation and number of the scores of each data set, learner and design."""
        cells: dict[tuple[str, ...], list[float]] = {}
        for row in self.rows:
            cells.setdefault((row.data, row.learner, row.by, row.score), []).append(row.value)
        rows = []
        for key, values in cells.items():
            known = [value for value in values if not math.isnan(value)]
            mean = statistics.fmean(known) if known else math.nan
            deviation = statistics.stdev(known) if len(known) > 1 and math.isfinite(mean) else None
            rows.append((*key, *align_decimals(mean, deviation), len(values), len(values) - len(known)))
        titles = (*TEXTS, "mean", "standard deviation", "splits", "without")
        return Table.from_rows(titles, rows, "over the splits that have a score")

    @property
    def printed(self) -> tuple[Table, ...]:
        """Of many rows the first, with the way to all of them; then the averages."""
        caption = f"the first {MAX_ROWS_SHOWN} of {len(self.rows)} rows; a file (.csv, .parquet, .arff) holds all"
        caption = caption if len(self.rows) > MAX_ROWS_SHOWN else ""
        return self._table(self.rows[:MAX_ROWS_SHOWN], caption), self.summary()

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity scores --json`."""
        return {"scores": self.rows}

    def to_parquet(self, path: str | Path) -> None:
        """All rows as one Parquet file; a score that does not exist is null."""
        names = (*NAMED, "train", "test")
        kinds = {name: float if name in ("value", *WEKA_TIMES) else int for name in names if name not in TEXTS}
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


@verb
def failures(runs: Runs) -> Failures:
    """Return the fits of these runs that failed, by reason, the most frequent first, each with its places.

    `veracity run --retry failed` tries them again. Passwords of addresses are left out of what is told.

    Parameters
    ----------
    runs
        Runs in a store, as evaluate and read_runs give them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> learners = {"nb": GaussianNB(), "broken": GaussianNB(var_smoothing=-1)}
    >>> runs = vc.evaluate(learners, *load_iris(return_X_y=True), by="kfold(k=5)")
    >>> print(vc.failures(runs).sentence())
    5 of 10 fits failed, for 1 reason.
    """
    if not isinstance(runs, Runs):
        raise BadInput(f"failures are those of runs, not of {type(runs).__name__}: give read_runs('results.db')")
    planned = runs.store.planned_keys()
    places: dict[str, list[FailedPlace]] = {}
    for data, learner, by in runs.places():
        for number, key in enumerate(planned[data, learner, by]):
            places.setdefault(key, []).append(FailedPlace(data, learner, by, number))
    by_reason: dict[str, list[Outcome]] = {}
    for outcome in runs.failures():
        if outcome.key in places:
            by_reason.setdefault(without_passwords(" ".join(outcome.reason.split())), []).append(outcome)
    rows = []
    for reason, outcomes in by_reason.items():
        failed = sorted(place for outcome in outcomes for place in places[outcome.key])
        traceback = without_passwords(spell_out_controls(outcomes[0].traceback, keep="\n"))
        rows.append(FailureReason(reason, len(outcomes), tuple(failed), traceback))
    rows.sort(key=lambda row: (-row.fits, row.reason))
    return Failures(tuple(rows), len(places), runs.selection_notes)
