"""From what a user gives to what can be compared."""

from __future__ import annotations

from collections.abc import Mapping

from veracity.comparisons import comparisons
from veracity.contests.contest import Contest
from veracity.contests.matrix_of_runs import matrix_of_runs
from veracity.contests.of_learners import Learners, Matrix, Tables
from veracity.contests.of_models import Models
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitTable
from veracity.scores import scores
from veracity.scores.default import default_score, default_score_of

Source = Predictions | Mapping[str, Predictions] | Runs | SplitTable | ScoreMatrix


def make_contest(
    source: Source,
    score: MethodLike | None,
    using: MethodLike | None = None,
    data: str | None = None,
    by: str | None = None,
) -> Contest:
    """Predictions, runs, split scores or a matrix, ready to be compared by some score."""
    if isinstance(source, (ScoreMatrix, SplitTable)):
        if score is not None and str(score) != source.score:
            raise BadInput(f"these are scores already, of {source.score}: leave out {score!r}")
        return Matrix(source) if isinstance(source, ScoreMatrix) else Tables(source)
    choice = scores.choose(_default_score(source, data) if score is None else score)
    typed = score if isinstance(score, str) else choice.spelling
    if isinstance(source, Runs):
        return _of_runs(source, choice, typed, using, data, by)
    if isinstance(source, Predictions):
        return Models({source.name or "the model": source}, choice, typed)
    if isinstance(source, Mapping) and source and all(isinstance(p, Predictions) for p in source.values()):
        return Models(source, choice, typed)
    raise BadInput(
        "compare takes a mapping of names to predictions, runs, split scores or a score matrix,"
        f" not {type(source).__name__}"
    )


def _default_score(source: Source, data: str | None) -> str:
    """The score for what there is to compare, where none is named."""
    if isinstance(source, Runs):
        return default_score_of(source, data)
    models = source.values() if isinstance(source, Mapping) else [source]
    return default_score(*(p.kind for p in models if isinstance(p, Predictions)))


def _of_runs(
    runs: Runs, choice: Choice, typed: str, using: MethodLike | None, data: str | None, by: str | None
) -> Contest:
    """On one data set by its splits; on several by one score of each, as long as the test can read that."""
    across = using is None or comparisons.choose(using).entry.reads is ScoreMatrix
    if data is None and len(runs.names) > 1 and across:
        return Matrix(matrix_of_runs(runs, choice, typed, by))
    contest = Learners({name: runs.run(name, data, by) for name in runs.learner_names}, choice, typed)
    contest.source_notes = runs.selection_notes
    return contest
