"""The estimate that refers to a model of all rows, as plain data that stays with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veracity.api.estimate import estimate, suits
from veracity.core.errors import VeracityError
from veracity.core.notes import Note
from veracity.records.estimate import Estimate
from veracity.running.runs import Runs
from veracity.scores import scores
from veracity.tables.estimates import Estimates
from veracity.tables.json import plain


def beside(runs: Runs, learner: str, data: str) -> dict[str, Any]:
    """Scores with their intervals, and the notes, in the words of `veracity estimate --json`.

    Plain data, so that a saved model can be read where veracity is not installed.
    """
    one = replace(runs, names=[data], learner_names=[learner])
    rows: list[Estimate] = []
    notes: list[Note] = []
    for name in _scores(one, learner, data):
        try:
            found = estimate(one, name)
        except VeracityError as why:
            notes.append(Note("left-out", "remark", f"{name}: {why}"))
            continue
        rows += found.rows
        notes += found.notes
    told = Estimates(tuple(rows), tuple(dict.fromkeys(notes))).to_json()
    known = told["estimates"][data][learner] if rows else {}
    return {"data": data, "learner": learner, "scores": plain(known), "notes": told["notes"]}


def _scores(runs: Runs, learner: str, data: str) -> list[str]:
    """Those of the study; else the one that the learner was tuned by; else the usual one."""
    kind = runs.kind(data)
    asked = [name for name in runs.scores if suits(scores.choose(name), kind)]
    designs = [by for _, _, by in runs.places() if runs.chooses(learner, data, by)]
    tuned = {runs.chosen(learner, data, by).score for by in designs}
    return asked or sorted(filter(None, tuned)) or ["error" if kind == "classes" else "mse"]
