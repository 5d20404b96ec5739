"""The scores of every split of runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.run_results import RunScore, RunScores
from veracity.records.arrays import Array
from veracity.risk.estimate_run import check_readable, with_positive
from veracity.risk.fold_scores import main_splits, split_scores
from veracity.risk.incomplete import incomplete_notes
from veracity.scores import scores
from veracity.scores.default import default_score_of


def scores_of_runs(runs: Runs, names: Sequence[Any], by: str | None = None) -> RunScores:
    """One row per data set, learner, design, split and score; a split without one has a row too.

    What cannot be had of one run leaves its values empty and is said; what cannot be had of any is refused.
    """
    names = names[0] if len(names) == 1 and isinstance(names[0], (list, tuple)) else names
    asked = list(names) or list(runs.asked_scores) or [default_score_of(runs)]
    choices = {scores.label(name): scores.choose(name) for name in asked}
    wanted = runs.designs if by is None else [runs.design_name(by)]
    rows: list[RunScore] = []
    notes: list[Note] = list(runs.selection_notes)
    refusals: list[VeracityError] = []
    tried = 0
    for run in (run for run in runs if run.design.name in wanted):
        notes += incomplete_notes(run)
        suited = {typed: one for typed, one in choices.items() if one.suits(runs.kind(run.data))}
        for typed, choice in suited.items():
            tried += run.predictions is not None
            try:
                values = _values(run, choice)
            except (BadInput, Refused) as why:
                refusals.append(why)
                values = np.full(len(run.design.main_splits), math.nan)
                says = f"{run.learner} on {run.data}: {why.says}"
                notes.append(Note("score-undefined", "caution", says))
            else:
                notes += _undefined_notes(run, choice, typed, values)
            rows += _rows(run, typed, values)
    if not rows:
        raise BadInput(f"{', '.join(choices)}: no data set here has a target that this is for")
    if refusals and len(refusals) == tried:
        raise refusals[0]
    return RunScores(tuple(rows), unique(tuple(notes)))


def _values(run: Run, choice: Choice) -> Array:
    """The score of each main split, NaN where it failed or has none."""
    run, _ = with_positive(run, choice)
    values = np.full(len(run.design), math.nan)
    if run.predictions is not None:
        check_readable(run, choice)
        numbers = main_splits(run)
        values[numbers] = split_scores(choice, run, numbers).values
    return values[list(run.design.main_splits)]


def _undefined_notes(run: Run, choice: Choice, typed: str, values: Array) -> tuple[Note, ...]:
    """How many splits that succeeded have no score."""
    number = int(np.isnan(values).sum()) - (len(values) - len(main_splits(run)))
    if not number:
        return ()
    says = f"{typed} is undefined in {number} of {plural(len(values), 'split')}, where {choice.undefined}"
    return (Note("undefined", "remark", f"{run.learner} on {run.data}: {says}"),)


def _rows(run: Run, typed: str, values: Array) -> Iterator[RunScore]:
    for number, value in zip(run.design.main_splits, values.tolist(), strict=True):
        split = run.design.splits[number]
        fit, predict = (math.nan, math.nan) if run.seconds is None else run.seconds[number].tolist()
        place = (run.data, run.learner, run.design.name, split.repeat, split.fold)
        yield RunScore(*place, typed, value, fit, predict, split.learned_from, len(split.test))
