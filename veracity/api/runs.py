"""The runs that a store holds."""

from __future__ import annotations

from typing import Any

from veracity.api.study import opened_store
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.running.runs import Runs


def read_runs(where: Any) -> Runs:
    """Everything that was run into a store, read when it is asked for; nothing is fitted."""
    store = opened_store(where, create=False)
    study = store.study()
    if not study:
        raise BadInput(f"{store.where} holds no study yet: run one with veracity run study.toml --store {store.where}")
    return Runs(
        store,
        list(study["data"]),
        list(study["by"]),
        list(study["learners"]),
        seed=study["seed"],
        spelled=study["by"],
        notes=tuple(Note(**note) for note in study.get("notes", [])),
        scores=study.get("scores", []),
    )
