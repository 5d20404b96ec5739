"""Where fits are planned, written down twice: a row of the plan that is lost is noticed by the list of all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from itertools import product

from sqlalchemy import Connection, select

from veracity.core.notes import Note
from veracity.evidence.runs import STORE_INCOMPLETE
from veracity.stores.packing import DamagedBytes, pack_text, reading, unpack_text
from veracity.stores.schema import SCHEMA, cells
from veracity.stores.study_description import read_study, read_text, where_of, write_text

PLANNED = "planned"  # the name under which the number of splits is kept
SHARED = "shared"  # that of a digest of the table of fits that do not answer exactly one split
PLACES = "places"  # and that of the list of places
ASKED = "asked"  # and that of the number of questions in the ledger
NAMED = 3  # places that a note names
WITHOUT = "1"  # the version of a store that has no list
Place = tuple[str, str, str]  # data set, learner, design


def read_places(connection: Connection) -> set[Place]:
    """Data set, learner and design of everything planned."""
    rows = connection.execute(select(cells.c.data, cells.c.learner, cells.c.design))
    return {(data, learner, design) for data, learner, design in rows}


def pack_keys(place: Place, keys: Iterable[str]) -> bytes:
    """The keys of the fits that are planned at a place, sealed for it."""
    return pack_text("\n".join(keys), place)


def read_keys(place: Place, packed: bytes) -> tuple[str, ...]:
    """The keys of the fits that are planned at a place."""
    with reading("the plan of its fits"):
        text = unpack_text(packed, place)
    return tuple(text.split("\n")) if text else ()


def all_keys(connection: Connection) -> dict[Place, tuple[str, ...]]:
    """The keys of the fits at every place."""
    rows = connection.execute(select(cells))
    return {place: read_keys(place, row[-1]) for row in rows for place in [(row.data, row.learner, row.design)]}


def recorded_places(connection: Connection) -> set[Place] | None:
    """Everything that was ever planned; None where there is no list."""
    with reading("the list of what it planned"):
        text = read_text(connection, PLACES)
        if text is None:
            return None
        return {place for data, learners, designs in json.loads(text) for place in product(data, learners, designs)}


def write_places(connection: Connection, places: Iterable[Place]) -> None:
    """As data sets, learners and designs that are planned each with each: those of a usual study are one block."""
    learners: dict[tuple[str, str], list[str]] = {}
    for data, learner, design in sorted(places):
        learners.setdefault((design, data), []).append(learner)
    blocks: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (design, data), names in learners.items():
        blocks.setdefault((design, tuple(names)), []).append(data)
    write_text(connection, PLACES, json.dumps([[data, names, [design]] for (design, names), data in blocks.items()]))


def record_places(connection: Connection) -> None:
    """List what an older store planned: what it has, and where splits are missing, all that its study names."""
    packed = {(data, learner, design): keys for data, learner, design, keys in connection.execute(select(cells))}
    splits, study = 0, {}
    for place, keys in packed.items():
        with suppress(DamagedBytes):
            splits += len(read_keys(place, keys))
    with suppress(DamagedBytes):
        study = read_study(connection)
    places = set(packed)
    with suppress(DamagedBytes):
        places |= recorded_places(connection) or set()
    planned = None
    with suppress(DamagedBytes):
        planned = read_text(connection, PLANNED)
    if planned != str(splits):
        places |= set(product(*(list(study.get(part, ())) for part in ("data", "learners", "by"))))
    if places:
        write_places(connection, places)


def incomplete_notes(connection: Connection) -> tuple[Note, ...]:
    """A caution about what a store has lost, for every answer that is made of it."""
    where, recorded, there = where_of(connection), recorded_places(connection), read_places(connection)
    look = "`vc.check_store` tells more"
    if there and not read_study(connection):
        says = f"{where} has lost the description of its study, so data sets, learners and scores may be missing here"
        return (Note(STORE_INCOMPLETE, "caution", f"{says}; {look}"),)
    if recorded is None:
        version = read_text(connection, SCHEMA)
        says = f"{where} has lost the list of what it planned, so nobody knows whether something is missing; {look}"
        return (Note(STORE_INCOMPLETE, "caution", says),) if there and version != WITHOUT else ()
    missing = sorted(recorded - there)
    if not missing:
        return ()
    names = ", ".join(f"{learner} on {data} by {design}" for data, learner, design in missing[:NAMED])
    more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
    says = f"{where} has lost the plan of {names}{more}, so that they are not shown: run the study again"
    return (Note(STORE_INCOMPLETE, "caution", f"{says}, which fits what is missing and nothing else; {look}"),)
