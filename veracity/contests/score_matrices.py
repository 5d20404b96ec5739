"""Runs on several data sets, and graded models, as a matrix of scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.core.words import brief, plural
from veracity.evidence.align_models import pair_by_item
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import check_same_rows
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.records.arrays import freeze, python_value
from veracity.records.design import Design
from veracity.risk.designs import estimator_of
from veracity.risk.estimate_run import check_readable, point_estimate, with_positive
from veracity.risk.fold_scores import Resampling, skipped_notes
from veracity.risk.interval_evidence import check_evidence
from veracity.scores import scores
from veracity.scores.entry import choice_for_models
from veracity.scores.times import OF_A_MACHINE

NOT_RANKED = "not-ranked"  # the code of the note about learners that have no score at all


class RunScore(NamedTuple):
    """A learner on a data set."""

    value: float = math.nan
    splits: SplitScores | None = None
    skipped: int = 0  # splits in which the score is undefined
    tried: int = 0
    why: str = "no result of it is stored"  # there is no value
    without: str = ""  # why tests of split scores cannot read the splits


def matrix_of_runs(runs: Runs, choice: Choice, typed: str, by: str | None = None) -> ScoreMatrix:
    """One score per data set and learner, with its split scores; a learner that failed on a split has none there.

    A learner that has no score at all is left out, and that is said.
    """
    if by is None and len(runs.designs) > 1:
        raise BadInput(f"name the design to rank by: by={runs.designs[0]!r}; there are {', '.join(runs.designs)}")
    by = runs.design_name(by)
    names = [name for name in runs.names if choice.suits(runs.kind(name))]
    if not names:
        raise BadInput(f"{choice} is for a target of {choice.target_kind}, which no data set here has")
    there = {(data, learner) for data, learner, design in runs.places() if design == by}
    cells = []
    for name in names:
        own = runs.read_together(name, by, [one for one in runs.learner_names if (name, one) in there])
        scored = {run.learner: _score_run(run, choice) for run in own}
        cells.append([scored.get(one, RunScore()) for one in runs.learner_names])
    values = np.array([[cell.value for cell in row] for row in cells]).reshape(len(names), len(runs.learner_names))
    splits = tuple(tuple(cell.splits for cell in row) for row in cells)
    notes = runs.selection_notes + ((OF_A_MACHINE,) if choice.reads == "time" else ())
    notes += _skipped_notes(choice, [cell for row in cells for cell in row])
    matrix = ScoreMatrix(freeze(values), tuple(runs.learner_names), tuple(names), choice.better, typed, splits, notes)
    matrix = replace(matrix, without_splits=next((one.without for row in cells for one in row if one.without), ""))
    return _without_empty(matrix, cells)


def _without_empty(matrix: ScoreMatrix, cells: Sequence[Sequence[RunScore]]) -> ScoreMatrix:
    """The learners that have a score; where fewer than two have one, there is nothing to set against each other."""
    empty = {
        name: column[0].why
        for name, column in zip(matrix.learners, zip(*cells, strict=True), strict=True)
        if all(math.isnan(cell.value) for cell in column)
    }
    if not empty:
        return matrix
    others = [name for name in matrix.learners if name not in empty]
    says = "; ".join(f"{name} has no {matrix.score} and is left out: {why}" for name, why in empty.items())
    if len(others) < 2:
        raise Refused(f"fewer than two learners can be ranked: {says}", NOT_RANKED)
    notes = (*matrix.notes, Note(NOT_RANKED, "caution", says))
    return replace(matrix.only(*others), notes=notes, absent=tuple(empty.items()))


def _skipped_notes(choice: Choice, cells: list[RunScore]) -> tuple[Note, ...]:
    """All together: test parts of one class alone are the same for every learner."""
    return skipped_notes(choice, sum(cell.skipped for cell in cells), sum(cell.tried for cell in cells))


def _score_run(run: Run, choice: Choice) -> RunScore:
    run, _ = with_positive(run, choice)
    if run.predictions is None or not run.complete:
        return RunScore(why=f"the first of its failures is {run.reason}" if run.reason else "some splits are missing")
    try:
        check_readable(run, choice)
        return _score_complete(run, choice)
    except (BadInput, Refused) as why:
        return RunScore(why=why.says)


def _score_complete(run: Run, choice: Choice) -> RunScore:
    r = Resampling(choice, run)
    by_time = choice.reads == "time"
    value = r.split_scores().mean if by_time else float(point_estimate(r, estimator_of(run.design)).value)
    without, scores = why_no_splits(run.design), r.split_scores()
    undefined = scores.undefined if math.isnan(value) else 0
    why = f"in {undefined} of {plural(len(scores), 'split')} {choice.undefined}" if undefined else ""
    splits = None if without else scores
    return RunScore(value, splits, r.skipped_splits, len(r.main_splits), why or "it is undefined", without)


def why_no_splits(design: Design) -> str:
    """Return why tests of split scores cannot read the splits of a design; empty where they can."""
    try:
        check_evidence(design, SplitScores, "a test of split scores")
    except Refused as why:
        return why.says
    return ""


def matrix_of_grades(models: Mapping[str, Predictions], score: MethodLike | None, better: str | None) -> ScoreMatrix:
    """Return what each item gives for a score, one column per model; of items in groups the mean of each group."""
    models = pair_by_item(models)
    one, *others = models.values()
    for other in others:
        check_same_rows(one, other)
    choice = choice_for_models(scores.choose("mean" if score is None else score), *models.values())
    if better not in (None, choice.better):
        raise BadInput(f"of grades {choice.better} is better: leave out `better={better!r}`")
    for p in models.values():
        choice.check(p)
    values = np.column_stack([choice.row_values(p) for p in models.values()])
    names = [brief(str(python_value(item)), 40) for item in np.asarray(one.rows)]
    says = f"the {len(values)} items stand where data sets do: models are ranked on each by {choice}"
    if one.groups is not None:
        sizes = np.bincount(one.groups)
        values = np.column_stack([np.bincount(one.groups, column) for column in values.T]) / sizes[:, None]
        names = [f"group {number + 1}" for number in range(len(sizes))]
        says = f"the {len(sizes)} groups of items stand where data sets do: models are ranked on each by {choice}"
    notes = unique(tuple(note for p in models.values() for note in p.notes))
    return ScoreMatrix(
        freeze(values),
        tuple(models),
        tuple(names),
        choice.better,
        choice.spelling,
        notes=(Note("items-ranked", "remark", says), *notes),
    )
