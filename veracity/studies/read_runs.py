"""The runs that a store holds, or those of them that a study names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.stores.open_store import store_of
from veracity.studies.study import Study

if TYPE_CHECKING:
    from veracity.stores.open_store import StoreLike
    from veracity.stores.store import Store


def read_runs(where: StoreLike, study: Study | str | Path | None = None) -> Runs:
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
        spellings=held["by"],
        notes=tuple(Note(**note) for note in held.get("notes", [])),
        scores=held.get("scores", []),
    )


def stored_runs(study: Study, store: Store, held: dict[str, Any]) -> Runs:
    """The runs of a study that a store holds already; what changed since, or was never run, is refused."""
    from veracity.stores.study_description import grow

    grow(store.where, held, study.description())
    places = store.places()
    for data, designs in study.designs.items():
        for learner in study.learners:
            for design in designs:
                if (data, learner, design.name) not in places:
                    raise BadInput(
                        f"{store.where} does not hold {learner} on {data} by {design.name} yet: run the study into it"
                    )
    return study.runs(store, held)
