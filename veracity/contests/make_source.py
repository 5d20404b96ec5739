"""From what a user gives to what can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.contests.score_matrices import matrix_of_runs
from veracity.contests.score_sources import Learners, Matrix, Tables
from veracity.contests.sources import Contest, CountedModels, CountedPairs, Models
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import unique
from veracity.evidence.align_models import pair_by_item
from veracity.evidence.counts import Counts
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run, run_of_predictions
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Pairs
from veracity.evidence.score_matrix import ScoreMatrix, SplitTable
from veracity.risk.estimate_run import with_positive
from veracity.scores import scores
from veracity.scores.default import default_score, default_score_of
from veracity.scores.entry import choice_for_models

COMPARE_ON = "compare on rows that trained neither, such as `by='holdout'`, or learners `by='kfold(k=10)'`"
ENOUGH = 6  # data sets: over fewer, no test that reads a score of each can have a p-value below .05
Model = Predictions | Counts
Source = Model | Mapping[str, Model] | Pairs | Runs | SplitTable | ScoreMatrix


def make_contest(
    source: Source,
    score: MethodLike | None,
    using: MethodLike | None = None,
    data: str | None = None,
    by: str | None = None,
) -> Contest:
    """Predictions, runs, split scores or a matrix, ready to be compared by some score."""
    if isinstance(source, (ScoreMatrix, SplitTable)):
        check_score(score, source.score)
        return Matrix(source) if isinstance(source, ScoreMatrix) else Tables(source)
    choice = scores.choose(_default_score(source, data) if score is None else score)
    typed = choice.spelling if score is None else scores.label(score)
    if isinstance(source, Runs):
        return _of_runs(source, choice, typed, using, data, by)
    if isinstance(source, Pairs):
        return CountedPairs(source, choice, typed)
    if isinstance(source, (Predictions, Counts)):
        source = {getattr(source, "name", "") or "the model": source}
    models = dict(source) if isinstance(source, Mapping) else {}
    counted = {name: one for name, one in models.items() if isinstance(one, Counts)}
    if models and len(counted) == len(models):
        return CountedModels(counted, choice, typed)
    predicted = {name: one for name, one in models.items() if isinstance(one, Predictions)}
    if models and len(predicted) == len(models):
        predicted = pair_by_item(predicted)
        contest = _of_models(predicted, choice_for_models(choice, *predicted.values()), typed)
        contest.source_notes = unique(tuple(note for p in predicted.values() for note in p.notes))
        return contest
    if models and len(counted) + len(predicted) == len(models):
        raise BadInput(f"{next(iter(counted))} is counts and {next(iter(predicted))} predictions: give all in one form")
    way = ": read_predictions(...) or read_scores(...) reads a file" * isinstance(source, (str, Path))
    raise BadInput(
        "compare takes a mapping of names to predictions, runs, split scores or a score matrix,"
        f" not {type(source).__name__}{way}"
    )


def check_score(asked: MethodLike | None, own: str) -> None:
    """Refuse another score than the one that scores are of; it may be called by any of its names."""
    if asked is not None and scores.find_name(asked, [own]) is None:
        raise BadInput(f"these are scores already, of {own}: leave out {str(asked)!r}")


def refuse_choice(source: Source, **given: Any) -> None:
    """What chooses among runs chooses nothing of what was not run."""
    if isinstance(source, Runs):
        return
    for word in (word for word, value in given.items() if value is not None):
        raise BadInput(f"`{word}=` chooses from runs, and these are none: leave it out")


def _default_score(source: Source, data: str | None) -> str:
    """The score for what there is to compare, where none is named."""
    if isinstance(source, Runs):
        return default_score_of(source, data)
    models = source.values() if isinstance(source, Mapping) else [source]
    return default_score(*(getattr(p, "kind", "classes") for p in models if isinstance(p, (Predictions, Counts))))


def _of_models(models: Mapping[str, Predictions], choice: Choice, typed: str) -> Contest:
    """Fixed models on new rows; models of the same folds are compared as the learners that they come from."""
    several = [name for name, p in models.items() if p.provenance == "several models"]
    if not several:
        for p in models.values():
            require_one_model(p, "a comparison of models", COMPARE_ON)
        return Models(models, choice, typed)
    if len(several) < len(models):
        other = next(name for name in models if name not in several)
        raise Refused(
            f"{several[0]} is several models of different folds and {other} is one: compare like with like",
            "several-models",
        )
    runs = {name: run_of_predictions(p) for name, p in models.items()}
    first, *others = runs
    for name in others:
        same_truth = np.array_equal(runs[name].truth, runs[first].truth)
        if not same_truth or runs[name].design.fingerprint != runs[first].design.fingerprint:
            raise Refused(
                f"{first} and {name} were not tested on the same folds of the same rows: "
                "compare learners on the same splits",
                "different-splits",
            )
    return Learners(runs, choice, typed)


def places_to_compare(runs: Runs, using: MethodLike | None, data: Sequence[str] | None) -> Sequence[str]:
    """The data sets on each of which runs are compared; none where the test is over data sets, or there is one."""
    names = runs.names
    if len(names) == 1 and data is None:
        return ()
    if using is None:
        return () if data is None and len(names) >= ENOUGH else names
    return () if comparisons.choose(using).reads is ScoreMatrix else names


def _of_runs(
    runs: Runs, choice: Choice, typed: str, using: MethodLike | None, data: str | None, by: str | None
) -> Contest:
    """On one data set by its splits; on several by one score of each, as long as the test can read that."""
    across = using is None or comparisons.choose(using).reads is ScoreMatrix
    if data is None and len(runs.names) > 1 and across:
        return Matrix(matrix_of_runs(runs, choice, typed, by))
    each = {name: runs.run(name, data, by) for name in runs.learner_names}
    contest = contest_of_learners(each, choice, typed)
    contest.source_notes = runs.selection_notes
    if isinstance(contest, Models):
        one = next(iter(each.values()))
        contest.source_notes += runs.asked_again_notes(one.data, one.design.name, f"compare {', '.join(each)} {typed}")
    return contest


def contest_of_learners(each: Mapping[str, Run], choice: Choice, typed: str) -> Contest:
    """Runs of several learners on one data set by one design, ready to be compared."""
    return _of_fixed_models(each, choice, typed) or Learners(each, choice, typed)


def _of_fixed_models(runs: Mapping[str, Run], choice: Choice, typed: str) -> Contest | None:
    """A hold-out is one fixed model of each learner on the same new rows."""
    runs = {name: with_positive(run.fresh, choice)[0] for name, run in runs.items()}
    models = {name: run.predictions for name, run in runs.items() if run.predictions is not None}
    one = next(iter(runs.values()))
    if len(one.design) > 1 or len(models) < len(runs) or choice.reads == "time":
        return None
    contest = _of_models(models, choice, typed)
    contest.data = one.data
    return contest
