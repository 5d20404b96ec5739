"""The model of all rows, and the estimates that refer to it as plain data that stays with it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimate, Estimates
from veracity.risk.estimates import estimate
from veracity.running.fit_learner import fit_all, reason_of
from veracity.running.make_plan import final_inner
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.tables.exports import to_jsonable


def final_model(runs: Runs, learner: str, data: str) -> Any:
    """The learner fitted to all rows; the estimates that refer to it stand in its `estimate_`."""
    table = runs.tables[data]
    designs = dict.fromkeys(by for place, _, by in runs.places() if place == data)
    inner = final_inner([runs.design(data, by) for by in designs])
    try:
        model = fit_all(runs.learners[learner], table, runs.seed, inner)
    except Exception as why:
        reason = reason_of(why, "fit")
        raise BadInput(f"{learner} cannot be trained on all {len(table)} rows of {data}: {reason}") from why
    estimates = estimates_of(runs, learner, data)
    with suppress(AttributeError):  # a model that takes no names but its own is given as it is
        model.estimate_ = estimates
    return model


def estimates_of(runs: Runs, learner: str, data: str) -> dict[str, Any]:
    """Scores with their intervals, and the notes, in the words of `veracity estimate --json`.

    Plain data, so that a saved model can be read where veracity is not installed.
    """
    one = replace(runs, names=[data], learner_names=[learner])
    rows: list[Estimate] = []
    notes: list[Note] = []
    for name in _scores(one, learner, data):
        try:
            estimates = estimate(one, name)
        except VeracityError as why:
            notes.append(Note("left-out", "remark", f"{name}: {why.says}"))
            continue
        rows += estimates.rows
        notes += estimates.notes
    shape = Estimates(tuple(rows), tuple(dict.fromkeys(notes))).to_json()
    values = shape["estimates"][data][learner] if rows else {}
    return {"data": data, "learner": learner, "scores": to_jsonable(values), "notes": shape["notes"]}


def _scores(runs: Runs, learner: str, data: str) -> list[str]:
    """Those of the study; else the one that the learner was tuned by; else the usual one."""
    kind = runs.kind(data)
    asked = [name for name in runs.asked_scores if scores.choose(name).suits(kind)]
    designs = [by for _, _, by in runs.places() if runs.chooses(learner, data, by)]
    tuned = {runs.chosen(learner, data, by).score for by in designs}
    return asked or sorted(filter(None, tuned)) or [default_score(kind)]
