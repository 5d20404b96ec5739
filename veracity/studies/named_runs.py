"""What a study file names of a store, found by its texts: nothing that the file names is imported, called or opened."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.designs.make_design import spell_design
from veracity.evidence.runs import CODE_UNSEEN, Runs
from veracity.learners.from_text import NOTHING, Unseen
from veracity.risk.designs import choose_by
from veracity.risk.estimates import scores_of_runs
from veracity.stores.plan import GROWING, Place, SplitCount, check_same_study
from veracity.studies.parse import parse_design
from veracity.studies.study_file import read_part, source_texts, with_scores
from veracity.studies.study_plan import not_in_study

if TYPE_CHECKING:
    from veracity.stores.store import Status, Store

Sources = Mapping[str, Mapping[str, str]]  # the texts of data sets and of learners, by name


def named_runs(path: str | Path, store: Store, held: Mapping[str, Any]) -> tuple[Runs, dict[str, Any]]:
    """The runs that a study file names, and the questions it asks of them; what the store lacks is refused."""
    part = read_part(path)
    sources, where = source_texts(part), store.where
    check_same_study(where, held, {"seed": part.seed, **sources})
    _check_texts(where, held, sources)
    designs = {_design_name(where, text, held["by"]): text for text in part.by}
    places = store.places()
    for data, learner, name in product(sources["data"], sources["learners"], designs):
        if (data, learner, name) not in places:
            raise not_held(where, f"{learner} on {data} by {name}")
    notes = tuple(Note(**note) for note in held.get("notes", []))
    notes += not_in_study(where, held, {**sources, "by": designs})
    notes += store.mixed_notes(set(product(sources["data"], sources["learners"], designs)))
    names = (list(sources["data"]), list(designs), list(sources["learners"]))
    about: dict[str, Any] = {
        "spellings": designs,
        "notes": unique((*notes, _note(path, where, held, sources))),
        "asked_scores": part.scores,
        "scorer": scores_of_runs,
    }
    runs = Runs(store, *names, seed=part.seed, **about)
    return runs, with_scores(part.questions, map(runs.kind, runs.names))


class NamedPlaces(NamedTuple):
    """The places of a store that a study file names, and whether it names others that the store does not plan yet."""

    places: frozenset[Place]
    more: bool


def named_places(path: str | Path, store: Store) -> NamedPlaces:
    """Return the data sets, learners and designs of a store that a study file names now."""
    part = read_part(path)
    sources, held, planned = source_texts(part), store.study(), store.places()
    designs = [_held_design(store.where, text, held.get("by", {})) for text in part.by]
    named = set(product(sources["data"], sources["learners"], designs))
    return NamedPlaces(frozenset(named & planned), not named <= planned)


def status_of_study(path: str | Path, store: Store) -> tuple[Status, NamedPlaces]:
    """Count what a store holds of the study that a file names now, without fits of designs that it named before.

    Where it holds nothing of that yet, all it holds is counted, from which the study may take what it needs again.
    """
    named, status, counts = named_places(path, store), store.status(), store.counts()
    if not named.places or named.places == counts.keys():
        return status, named
    total = sum((count for place, count in counts.items() if place in named.places), SplitCount())
    return status._replace(planned=total.planned, done=total.done, failed=total.failed), named


def _held_design(where: str, text: str, held: Mapping[str, str]) -> str:
    """Return the name of a design in a store, empty where the store does not have it."""
    try:
        return _design_name(where, text, held)
    except BadInput:
        return ""


def not_held(where: str, what: str) -> BadInput:
    return BadInput(f"{where} does not hold {what} yet: run the study into it")


def _design_name(where: str, text: str, held: Mapping[str, str]) -> str:
    """The name of a design in a store; a splitter is known by the text that made it."""
    design = parse_design(text, NOTHING)
    if not isinstance(design, Unseen):
        return spell_design(choose_by(design))
    for name, other in held.items():
        typed = parse_design(other, NOTHING)
        if isinstance(typed, Unseen) and typed.text == design.text:
            return name
    raise not_held(where, f"results by {text}")


def _check_texts(where: str, held: Mapping[str, Any], sources: Sources) -> None:
    """Refuse a name that stood for another text when it was run."""
    for what, noun in GROWING.items():
        for name, text in sources[what].items():
            if held[what].get(name, {}).get("source", text) != text:
                says = f"the text of the {noun} {name!r} changed since {where} was made"
                raise BadInput(f"{says}: run the study, which fits nothing again if the text means the same")


def _note(path: str | Path, where: str, held: Mapping[str, Any], sources: Sources) -> Note:
    """What a reader must know of runs that were found by texts."""
    named = [name for what in GROWING for name in sources[what] if "source" not in held[what].get(name, {})]
    alone = f", and by their names alone {', '.join(named)}, of which it keeps no text" if named else ""
    says = f"{Path(path).name} was only read: what it names was found in {where} by its texts{alone}"
    return Note(CODE_UNSEEN, "remark", f"{says}; neither code nor data were looked at")
