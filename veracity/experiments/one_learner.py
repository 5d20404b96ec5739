"""One learner, its data, its design and its score, and its training and test estimates side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.run import Run
from veracity.evidence.score_matrix import SplitScores
from veracity.findings.estimates import Estimate
from veracity.intervals.compute import attach_default
from veracity.intervals.scored import Scored
from veracity.learners.inspection import target_kind
from veracity.readers.read_data import data_of
from veracity.records.arrays import freeze
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.risk.designs import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run, with_positive
from veracity.risk.estimates import estimate_runs, numbers_hint
from veracity.risk.fold_scores import Resampling
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.studies.evaluate import evaluate_data
from veracity.studies.parse import parse_design, parse_learners

SHARED = Note(
    "shared-training",
    "remark",
    "the corrected_t of training scores takes the share of training rows that two splits have in common for the"
    " correlation of their scores, which holds for means over rows dealt at random",
)


def one_learner(learner: Any) -> dict[str, Any]:
    """The only learner there is, under its name."""
    learners = parse_learners(learner)
    if len(learners) != 1:
        raise BadInput(f"give one learner, not {len(learners)}: ask for each by itself")
    return learners


def table_and_design(learner: Any, X: Any, y: Any, by: Any, seed: int, **roles: Any) -> tuple[Data, Design]:  # noqa: N803
    """The data that a learner is to learn, and the splits of the design that everything is measured by.

    X may be data that is made already, as a file's is, with y and roles inside.
    """
    table = X if isinstance(X, Data) else data_of(X, y, **roles, meant=target_kind([learner]))
    return table, design_for(parse_design(by), table.for_designs, seed, table.features)


def choose_score(score: MethodLike | None, table: Data, word: str = "kind") -> Choice:
    """One score that is for this kind of target, which `word` can tell; without one, the default."""
    choice = scores.choose(default_score(table.kind) if score is None else score)
    if not choice.suits(table.kind):
        way = numbers_hint(table.classes, f", or say `{word}='numbers'`")
        raise BadInput(f"{choice} is not a score for a target of {table.kind}: name another, `score=`{way}")
    return choice


def with_training_tested(design: Design) -> Design:
    """The same models, tested on the rows that they were trained on."""
    splits = tuple(replace(one, test=freeze(np.unique(one.train)), validation=None) for one in design.splits)
    return replace(design, name=f"{design.name}, tested on the training rows", splits=splits)


def estimate_training_and_test(
    table: Data,
    learners: dict[str, Any],
    test: Sequence[Design],
    choice: Choice,
    at: Confidence,
    interval: MethodLike | None,
    **fits: Any,
) -> tuple[tuple[Estimate, ...], tuple[Estimate, ...], tuple[Note, ...]]:
    """Test and training estimates of every run, in the order of designs and learners, and what is to be known."""
    training = [with_training_tested(one) for one in test]
    runs = evaluate_data(table, learners, [*test, *training], **fits)
    request = EstimateRequest(choice, choice.spelling, at, seed=runs.seed)
    of_test, of_training = (replace(runs, designs=[one.name for one in designs]) for designs in (test, training))
    tested = estimate_runs(of_test, [replace(request, interval=interval)])
    trained = tuple(estimate_training(run, request) for run in of_training)
    return tested.rows, trained, tested.notes


def estimate_training(run: Run, request: EstimateRequest) -> Estimate:
    """The mean training score of a run whose splits test their own training rows.

    Two splits that share a part o of their training rows have scores with correlation o where scores are means over
    rows; corrected t then widens by o / (1 - o), in the place of test over training rows.
    """
    plain = replace(estimate_run(run, request), answers="mean score of models on their own training rows")
    if run.predictions is None:
        return plain
    run, _ = with_positive(run, request.score)
    assert run.predictions is not None
    overlap = _training_overlap(run.design)
    if overlap == 1:
        return plain
    scores = Resampling(request.score, run).split_scores()
    own, shared = (freeze(np.full(len(scores), share)) for share in (1 - overlap, overlap))
    zeros = freeze(np.zeros(len(scores), int))  # all overlap alike
    one_round = replace(scores, train=own, test=shared, repeats=zeros, estimate=plain.value)
    scored = ScoredTraining.of_predictions(request.score, run.predictions, one_round)
    interval, why = attach_default(scored, request.at, request.seed, "corrected_t")
    others = tuple(note for note in plain.notes if note.code != "optimistic")
    notes = others + why + ((SHARED,) if interval else ())
    return replace(plain, interval=interval, notes=notes)


def _training_overlap(design: Design) -> float:
    """Return the share of its different training rows that a split has in common with another, over all pairs."""
    if len(design) < 2:
        return 0.0
    times = np.zeros(design.rows, np.int64)  # splits that train on each row
    for split in design.splits:
        times[np.unique(split.train)] += 1
    return float((times * (times - 1)).sum() / ((len(design) - 1) * times.sum()))


@dataclass(frozen=True, eq=False)
class ScoredTraining(Scored):
    """A training score in each split."""

    scores: SplitScores

    @property
    def value(self) -> float:
        return self.scores.centre

    def view(self, wanted: type) -> Any:
        if wanted is not SplitScores:
            raise Refused("training scores have the interval corrected_t alone", "training")
        return self.scores
