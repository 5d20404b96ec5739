"""Does a learner find anything at all, or could chance have done as well?"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from veracity.core.arguments import Column, DesignLike, Label, Learner, Preparation, Table, verb
from veracity.core.bounds import FITS, MOST, check_bound
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.designs.parameters import whole_number
from veracity.experiments.one_learner import choose_score, one_learner, table_and_design
from veracity.experiments.permutation_draws import DrawEstimate, PermutationQuestion, estimate_draws
from veracity.experiments.shuffles import check_shuffle
from veracity.findings.experiments import PermutationTest
from veracity.records.arrays import freeze
from veracity.running import checks
from veracity.running.fit_learner import LONGEST
from veracity.studies.progress import teller

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback

FEW = 999  # draws, from which on the smallest p-value is .001


@verb
def permutation_test(
    learner: Learner,
    X: Table,  # noqa: N803 (the name that everybody uses)
    y: Column,
    *,
    score: MethodLike | None = None,
    by: DesignLike = "kfold(k=10)",
    draws: int = 999,
    kind: str = "labels",
    seed: int = 0,
    level: float = 0.95,
    workers: int = 1,
    groups: Column = None,
    time: Column = None,
    positive: Label = None,
    target_kind: str = "auto",
    prepare: Preparation = "default",
    anyway: bool = False,
    progress: bool | ProgressCallback | None = None,
) -> PermutationTest:
    """The whole estimate of a learner, repeated on shuffled data: how often does chance do at least as well?

    `kind="labels"` parts features from targets, on the same splits; a small p-value says that features tell something
    of the target. `kind="within_class"` shuffles each feature by itself inside each class; a small p-value says that
    the learner uses how features go together, a large one that a simpler learner may do (Ojala and Garriga 2010). The
    cost is that of `draws` estimates, which `progress` tells before they begin. With groups of one label each, whole
    groups trade labels. `target_kind` says "numbers" or "classes" of the target, as `kind` does in `evaluate`.
    """
    if kind in ("numbers", "classes"):
        raise BadInput(f"kind says what is shuffled, 'labels' or 'within_class': write target_kind={kind!r}")
    ((name, maker),) = one_learner(learner).items()
    roles = {"groups": groups, "time": time, "positive": positive, "prepare": prepare, "kind": target_kind}
    table, design = table_and_design(maker, X, y, by, seed, **roles)
    check_shuffle(table, kind)
    number = whole_number("draws", draws)
    check_bound(number, MOST["draws"], f"{number:,} draws are as many estimates", "ask for fewer, 9,999 are plenty")
    if not anyway:
        fits, anyhow = number * len(design), "`anyway=True`"
        way = f"ask for fewer draws or splits, or write {anyhow} if that is meant"
        check_bound(fits, FITS, f"{number:,} draws of {len(design):,} splits are {fits:,} fits", way)
    choice = choose_score(score, table, "target_kind")
    question = PermutationQuestion(maker, table, design, choice, kind, seed)
    with teller(progress) as tell, closing(estimate_draws(question, number, workers, tell)) as estimates:
        first = next(estimates)
        if np.isnan(first.value):  # draws would be as many fits for nothing
            raise Refused(f"the estimate of {name} on the data as it is failed: {_why(first)}", "failed")
        null = list(estimates)
    values = freeze([draw.value for draw in null])
    notes = tuple(filter(None, [checks.constant_target(table)])) + design.notes + _draw_notes(choice, first, null)
    what = (name, choice.spelling, design.name, kind)
    return PermutationTest(*what, first.value, values, choice.better, seed, level, notes)


def _draw_notes(choice: Choice, first: DrawEstimate, null: list[DrawEstimate]) -> tuple[Note, ...]:
    notes, draws = [], len(null)
    failed = [draw for draw in null if np.isnan(draw.value)]
    if failed:
        says = f"{len(failed)} of {draws} draws gave no estimate and counted as at least as good ({_why(failed[0])})"
        notes.append(Note("failed-draws", "caution", says))
    if draws < FEW:
        says = f"{draws} draws can give no p-value below {1 / (draws + 1):.2g}: 999 are advised"
        notes.append(Note("few-draws", "caution", says))
    if first.skipped:
        says = f"the estimate is without {plural(first.skipped, 'split')}, where {choice.undefined}"
        notes.append(Note("skipped-splits", "caution", says))
    return tuple(notes)


def _why(missing: DrawEstimate) -> str:
    """Why there is no estimate, in one line."""
    return brief(missing.reason, LONGEST) if missing.reason else "the score is undefined"
