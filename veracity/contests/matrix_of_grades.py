"""Graded models as a matrix of scores: the blocks that they are ranked in are items, or groups of items."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.core.words import brief, option
from veracity.evidence.align_models import pair_by_item
from veracity.evidence.predictions import Predictions
from veracity.evidence.same_rows import check_same_rows
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import freeze, python_value
from veracity.scores import scores
from veracity.scores.entry import choice_for_models


def matrix_of_grades(models: Mapping[str, Predictions], score: MethodLike | None, better: str | None) -> ScoreMatrix:
    """Return what each item gives for a score, one column per model; of items in groups the mean of each group."""
    models = pair_by_item(models)
    one, *others = models.values()
    for other in others:
        check_same_rows(one, other)
    choice = choice_for_models(scores.choose("mean" if score is None else score), *models.values())
    if better not in (None, choice.entry.better):
        raise BadInput(f"of grades {choice.entry.better} is better: leave out {option('better', better)}")
    for p in models.values():
        choice.entry.check(p)
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
        choice.entry.better,
        choice.spelling,
        notes=(Note("items-ranked", "remark", says), *notes),
    )
