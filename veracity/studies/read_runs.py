"""The runs that a store holds."""

from __future__ import annotations

from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.stores.opening import store_of
from veracity.studies.selection import stored_runs
from veracity.studies.study import Study


def read_runs(where: Any, study: Any = None) -> Runs:
    """Everything that was run into a store, read when it is asked for; nothing is fitted.

    With `study`, a study or the path of its file, only what that names: the store may hold more.
    """
    store = store_of(where, create=False)
    held = store.study()
    if not held:
        raise BadInput(f"{store.where} holds no study yet: run one with veracity run study.toml --store {store.where}")
    if study is not None:
        return stored_runs(study if isinstance(study, Study) else Study.read(study), store, held)
    return Runs(
        store,
        list(held["data"]),
        list(held["by"]),
        list(held["learners"]),
        seed=held["seed"],
        spelled=held["by"],
        notes=tuple(Note(**note) for note in held.get("notes", [])),
        scores=held.get("scores", []),
    )
