"""What a study selects from a store that may hold more than the study names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.runs import BEYOND_STUDY, Runs

if TYPE_CHECKING:
    from veracity.stores.store import Store
    from veracity.studies.study import Study

HELD = {"data": "data set", "learners": "learner", "by": "design"}


def not_in_study(where: str, held: Mapping[str, Any], named: Mapping[str, Iterable[str]]) -> tuple[Note, ...]:
    """One remark about what the store holds and the study does not name."""
    more = {noun: [name for name in held.get(what, ()) if name not in named[what]] for what, noun in HELD.items()}
    others = [_listed(noun, names) for noun, names in more.items() if names]
    if not others:
        return ()
    says = f"{where} also holds {', '.join(others)}, which this study does not name: ask the store itself for all"
    return (Note(BEYOND_STUDY, "remark", says),)


def _listed(noun: str, names: list[str]) -> str:
    return f"the {noun}{'s' if len(names) > 1 else ''} {' and '.join(names)}"


def stored_runs(study: Study, store: Store, held: dict[str, Any]) -> Runs:
    """The runs of a study that a store holds already; what changed since, or was never run, is refused."""
    from veracity.stores.study import grown

    grown(store.where, held, study.description())
    places = store.places()
    for data, designs in study.designs.items():
        for learner in study.learners:
            for design in designs:
                if (data, learner, design.name) not in places:
                    raise BadInput(
                        f"{store.where} does not hold {learner} on {data} by {design.name} yet: run the study into it"
                    )
    return study.runs(store, held)
