"""How far an estimator of risk is off, by simulation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line
from veracity.lab.batches import Trials
from veracity.lab.learner_coverage import VERSION, learner_text, notes_of
from veracity.lab.measuring import Keeping, Progress
from veracity.lab.simulate import Learner, check_simulation, learner_truth, named_world, names_of
from veracity.lab.worlds import World
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores
from veracity.tables.cells import Number
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table


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
class Qualities(RowsResult[Quality]):
    """One row for each world, learner, number of rows and estimator."""

    rows: tuple[Quality, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Quality:
        return self.rows[place]

    def table(self) -> Table:
        refused = ("refused",) if any(row.refused for row in self.rows) else ()
        figures = ("rows", "truth", "mean", "bias", "error", "spread", "mse", *refused, "trials", "fits")
        titles = ("by", "world", "learner", *figures)
        columns = tuple(Column(title, "left" if title in titles[:3] else "right") for title in titles)
        cells = tuple(tuple(_cell(row, title) for title in titles) for row in self.rows)
        return Table(columns, cells, "estimates of risk less the risk of the learner trained on all rows", self._told)

    @property
    def _told(self) -> tuple[Note, ...]:
        """Samples that a design cannot split are no samples like the others."""
        names = dict.fromkeys(row.by for row in self.rows if row.refused)
        says = f"{', '.join(names)}: a share of the samples could not be split or has no estimate, and is left out"
        return (*self.notes, Note("refused-samples", "caution", says)) if names else self.notes

    def to_json(self) -> dict[str, Any]:
        return {"rows": [row.to_json() for row in self.rows], "notes": [note.to_json() for note in self._told]}

    def curve(self) -> Curve:
        """Bias against rows with two Monte Carlo errors, a line for each estimator."""
        parts = [part for part in ("world", "learner") if len({getattr(row, part) for row in self.rows}) > 1]
        kinds: dict[str, list[Quality]] = {}
        for row in sorted(self.rows, key=lambda row: row.rows):
            kinds.setdefault(", ".join(getattr(row, part) for part in ("by", *parts)), []).append(row)
        lines = tuple(_line(name, rows) for name, rows in kinds.items())
        return Curve("bias", "Bias of estimates of risk", "rows", "bias", lines)


def _cell(row: Quality, title: str) -> Any:
    value = getattr(row, title)
    return Number(value, 5 if title == "mse" else 4) if isinstance(value, float) else value


def _line(name: str, rows: list[Quality]) -> Line:
    x, y, error = (np.array([getattr(row, field) for row in rows], float) for field in ("rows", "bias", "error"))
    return Line(name, x, y, low=y - 2 * error, high=y + 2 * error)


@dataclass(frozen=True)
class BiasQuestion:
    """What an estimator of risk finds for a learner in a world."""

    world: World
    name: str  # of the world
    learner: Learner
    by: str
    rows: int
    seed: int

    @property
    def key(self) -> str:
        return repr(("bias", self.name + self.world.digest, learner_text(self.learner), self.by, self.rows, VERSION))

    def ask(self, numbers: range) -> Any:
        """The estimate of each trial, NaN where there is none, and how many fits they took."""
        request = EstimateRequest(scores.choose(self.world.score), self.world.score, Confidence())
        trials = Trials(self.world, self.by, self.rows, self.seed)
        values, fits = [math.nan] * len(numbers), 0
        for batch in trials.batches(self.learner, numbers):
            fits += len(batch.trials) * len(batch.tests.design)
            for trial, run in batch.runs():
                values[trial - numbers.start] = float(estimate_run(run, request).value)
        refused = next((why.says for why in trials.refusals.values()), "")
        return {"values": values, "fits": fits, "refused": refused}


def bias(
    world: World | str,
    learner: Learner,
    *,
    by: str | Sequence[str],
    rows: int | Sequence[int],
    trials: int = 1000,
    seed: int = 0,
    store: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Qualities:
    """Bias, spread and mean squared error of estimators of risk, against the risk of the learner at all rows.

    `store` names a file that keeps what is measured, so that what was interrupted goes on; `workers` processes fit.
    """
    place, name = named_world(world, World)
    check_simulation(learner, trials=trials)
    keeping, found = Keeping(store, workers, progress), []
    for size in rows if isinstance(rows, Iterable) else (rows,):
        check_simulation(rows=size)
        for one in names_of("by", by):
            found.append(_quality(BiasQuestion(place, name, learner, one, size, seed), trials, keeping))
    return Qualities(tuple(found), notes_of(place))


def _quality(question: BiasQuestion, trials: int, keeping: Keeping) -> Quality:
    answers = keeping.answers(question, trials)
    values = np.concatenate([np.array(answer["values"], float) for answer in answers])
    there = values[~np.isnan(values)]
    if not len(there):
        why = next((answer["refused"] for answer in answers if answer["refused"]), "it is undefined")
        raise Refused(f"{question.by} has no estimate in any sample: {why}", "always-refused")
    truth = learner_truth(question.world, question.learner, question.rows, seed=question.seed)
    return Quality(
        question.by,
        truth.value,
        float(there.mean()),
        float(there.var()),
        len(there),
        truth.error,
        sum(answer["fits"] for answer in answers),
        question.name,
        learner_text(question.learner),
        question.rows,
        1 - len(there) / len(values),
    )


def quality(world: World | str, learner: Learner, by: str, rows: int, trials: int = 200, seed: int = 0) -> Quality:
    """Bias, variance and mean squared error of an estimator of risk, against the risk of the learner at all rows."""
    return bias(world, learner, by=by, rows=rows, trials=trials, seed=seed)[0]
