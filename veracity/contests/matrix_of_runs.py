"""Runs on several data sets as a matrix of scores."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.records.arrays import freeze
from veracity.risk.design_for import estimator_of
from veracity.risk.entry import SPLITS
from veracity.risk.estimate_run import with_positive
from veracity.risk.incomplete import skipped_notes
from veracity.risk.resampling import Resampling


class RunScore(NamedTuple):
    """A learner on a data set."""

    value: float = math.nan
    splits: SplitScores | None = None
    skipped: int = 0  # splits in which the score is undefined
    tried: int = 0


def matrix_of_runs(runs: Runs, choice: Choice, typed: str, by: str | None = None) -> ScoreMatrix:
    """One score per data set and learner, with its split scores; a learner that failed on a split has none there."""
    if by is None and len(runs.designs) > 1:
        raise BadInput(f"name the design to rank by: by={runs.designs[0]!r}; there are {', '.join(runs.designs)}")
    by = runs.design_name(by)
    names = [name for name in runs.names if choice.entry.suits(runs.kind(name))]
    there = {(data, learner) for data, learner, design in runs.places() if design == by}
    cells = []
    for name in names:
        own = runs.read_together(name, by, [one for one in runs.learner_names if (name, one) in there])
        scored = {run.learner: _score_run(run, choice) for run in own}
        cells.append([scored.get(one, RunScore()) for one in runs.learner_names])
    values = np.array([[cell.value for cell in row] for row in cells]).reshape(len(names), len(runs.learner_names))
    splits = tuple(tuple(cell.splits for cell in row) for row in cells)
    better, notes = (
        choice.entry.better,
        runs.selection_notes + _skipped_notes(choice, [cell for row in cells for cell in row]),
    )
    return ScoreMatrix(freeze(values), tuple(runs.learner_names), tuple(names), better, typed, splits, notes)


def _skipped_notes(choice: Choice, cells: list[RunScore]) -> tuple[Note, ...]:
    """All together: test parts of one class alone are the same for every learner."""
    number, tried = (sum(part) for part in zip(*((cell.skipped, cell.tried) for cell in cells), strict=True))
    return skipped_notes(choice, number, tried)


def _score_run(run: Run, choice: Choice) -> RunScore:
    run, _ = with_positive(run, choice)
    if run.predictions is None or not run.complete:
        return RunScore()
    choice.entry.check(run.predictions)
    r, estimator = Resampling(choice, run), estimator_of(run.design)
    if estimator.entry.parts is not None:  # its splits are of several kinds, and have no scores of their own
        return RunScore(float(estimator(r).value), None, r.skipped_splits, len(r.main_splits))
    splits = r.split_scores()
    over_splits = estimator.entry.default_interval(choice) == SPLITS and not np.isnan(splits.mean)
    value = splits.mean if over_splits else float(estimator(r).value)  # the one that an estimate shows
    return RunScore(value, splits, r.skipped_splits, len(r.main_splits))
