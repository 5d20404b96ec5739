"""Runs on several data sets as a matrix of scores."""

from __future__ import annotations

import numpy as np

from veracity.api.selection import selected
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.records.arrays import frozen
from veracity.records.run import Run
from veracity.records.score_matrix import ScoreMatrix
from veracity.records.split_scores import SplitScores
from veracity.risk.estimate import with_positive
from veracity.risk.made import estimator_of
from veracity.risk.resampling import Resampling
from veracity.running.runs import Runs

NEVER_RUN = (float("nan"), None)


def matrix_of(runs: Runs, choice: Choice, typed: str, by: str | None = None) -> ScoreMatrix:
    """One score per data set and learner, with its split scores; a learner that failed on a split has none there."""
    if by is None and len(runs.designs) > 1:
        raise BadInput(f"name the design to rank by: by={runs.designs[0]!r}; there are {', '.join(runs.designs)}")
    fits = (choice.entry.needs == "number", "numbers")
    names = [name for name in runs.names if (runs.kind(name) == fits[1]) == fits[0]]
    there = {(data, learner) for data, learner, design in runs.places() if by in (None, design, runs.typed(design))}
    cells = [
        [_cell(runs.run(one, name, by), choice) if (name, one) in there else NEVER_RUN for one in runs.learner_names]
        for name in names
    ]
    values = np.array([[value for value, _ in row] for row in cells]).reshape(len(names), len(runs.learner_names))
    splits = tuple(tuple(found for _, found in row) for row in cells)
    better, notes = choice.entry.better, selected(runs)
    return ScoreMatrix(frozen(values), tuple(runs.learner_names), tuple(names), better, typed, splits, notes)


def _cell(run: Run, choice: Choice) -> tuple[float, SplitScores | None]:
    run, _ = with_positive(run, choice)
    if run.predictions is None or not run.complete:
        return float("nan"), None
    choice.entry.check(run.predictions)
    r, estimator = Resampling(choice, run), estimator_of(run.design)
    if estimator.entry.parts is not None:  # its splits are of several kinds, and have no scores of their own
        return float(estimator(r).value), None
    splits = r.split_scores()
    over_splits = estimator.entry.default_interval(choice) == "corrected_t" and not np.isnan(splits.mean)
    return splits.mean if over_splits else float(estimator(r).value), splits  # the value that an estimate shows
