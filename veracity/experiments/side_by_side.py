"""From runs at several places to training and test scores side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.experiments.training import on_training_rows
from veracity.findings.estimate import Estimate
from veracity.learners.target_kind import target_kind
from veracity.readers.read_data import data_of
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.risk.design_for import design_for
from veracity.risk.estimate_run import EstimateRequest
from veracity.risk.estimates import estimate_runs, numbers_hint
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.studies.parse import parse_design, parse_learners


def table_and_design(learner: Any, X: Any, y: Any, by: Any, seed: int, **roles: Any) -> tuple[Data, Design]:  # noqa: N803
    """The data that a learner is to learn, and the splits of the design that everything is measured by."""
    table = data_of(X, y, **roles, meant=target_kind([learner]))
    return table, design_for(parse_design(by), table.for_designs, seed, table.features)


def one_learner(given: Any) -> dict[str, Any]:
    """The only learner there is, under its name."""
    found = parse_learners(given)
    if len(found) != 1:
        raise BadInput(f"give one learner, not {len(found)}: ask for each by itself")
    return found


def chosen_score(score: Any, table: Data, word: str = "kind") -> Choice:
    """One score that is for this kind of target, which `word` can tell; without one, the default."""
    choice = scores.choose(default_score(table.kind) if score is None else score)
    if not choice.entry.suits(table.kind):
        way = numbers_hint(table.classes, f", or say {word}='numbers'")
        raise BadInput(f"{choice} is not a score for a target of {table.kind}: name one with score={way}")
    return choice


def side_by_side(
    runs: Runs, test: Sequence[Design], training: Sequence[Design], choice: Choice, at: Confidence, interval: Any
) -> tuple[tuple[Estimate, ...], tuple[Estimate, ...], tuple[Note, ...]]:
    """Test and training estimates of every run, in the order of designs and learners, and what is to be known."""
    request = EstimateRequest(choice, choice.spelling, at, seed=runs.seed)
    of_test, of_training = (replace(runs, designs=[one.name for one in designs]) for designs in (test, training))
    tested = estimate_runs(of_test, [replace(request, interval=interval)])
    trained = tuple(on_training_rows(run, request) for run in of_training)
    return tested.rows, trained, tested.notes
