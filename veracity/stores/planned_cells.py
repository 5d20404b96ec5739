"""Which fit answers which split, and how far they are, counted without reading them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, ScalarSelect, Table, bindparam, delete, func, select

from veracity.core.errors import BadInput
from veracity.records.plan import PlannedSplit
from veracity.stores.claims import count_claims
from veracity.stores.data_and_designs import storable
from veracity.stores.outcomes import present_keys
from veracity.stores.packing import DamagedBytes, reading
from veracity.stores.recorded_places import (
    PLANNED,
    SHARED,
    Place,
    all_keys,
    pack_keys,
    read_keys,
    recorded_places,
    write_places,
)
from veracity.stores.schema import cells, failures, shared, successes
from veracity.stores.study_description import changed_error, read_study, read_text, where_of, write_text

_OF_LEARNERS = select(cells.c.learner, cells.c["keys"]).where(
    cells.c.data == bindparam("data"),
    cells.c.design == bindparam("design"),
    cells.c.learner.in_(bindparam("learners", expanding=True)),
)


IN_MEMORY = 8_000_000  # bytes of keys that are remembered
EACH = 90  # bytes that a key takes


def save_cells(
    connection: Connection, planned: Iterable[PlannedSplit], extra: Iterable[str] = ()
) -> dict[Place, tuple[str, ...]]:
    """Add which fit answers which split, and the keys of fits that no split asks for.

    Gives the keys of each place that is planned; those of a place never change.
    """
    known = all_keys(connection)
    new, every = {}, _group(planned)
    for place, keys in every.items():
        if place not in known:
            new[place] = keys
        elif known[place] != keys:
            raise changed_error(where_of(connection), f"learner on {place[0]!r} by {place[2]!r}", place[1])
    extras = set(extra) - _extras(connection)
    if new:
        rows = [{**_columns(place), "keys": pack_keys(place, keys)} for place, keys in new.items()]
        connection.execute(cells.insert(), rows)
    if new or extras:
        _count(connection, {**known, **new}, extras | _extras(connection))
        write_places(connection, {*(recorded_places(connection) or ()), *known, *new})
    return every


def read_cells(connection: Connection, data: str, design: str, learners: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The keys of the fits that answer the splits of a design, in their order, of some learners by their names."""
    here = {"data": storable(data), "design": storable(design), "learners": list(map(storable, learners))}
    packed = {row[0]: row[1] for row in connection.execute(_OF_LEARNERS, here)}
    for learner in learners:
        if storable(learner) not in packed:
            raise BadInput(f"{where_of(connection)} has no fits of {learner!r} on {data!r} by {design!r}")
    return {learner: read_keys((data, learner, design), packed[storable(learner)]) for learner in learners}


def _extras(connection: Connection) -> set[str]:
    return set(connection.execute(select(shared.c.key).where(shared.c.splits == 0)).scalars())


def _columns(place: Place) -> dict[str, str]:
    data, learner, design = map(storable, place)
    return {"data": data, "learner": learner, "design": design}


def _group(planned: Iterable[PlannedSplit]) -> dict[Place, tuple[str, ...]]:
    groups: dict[Place, dict[int, str]] = {}
    for data, learner, design, split, key in planned:
        groups.setdefault((data, learner, design), {})[split] = key
    for place, keys in groups.items():
        if set(keys) != set(range(len(keys))):
            raise BadInput(f"splits are missing in the plan of {place[1]!r} on {place[0]!r} by {place[2]!r}")
    return {place: tuple(keys[split] for split in range(len(keys))) for place, keys in groups.items()}


def count_again(connection: Connection) -> None:
    """Make what counting needs anew from the plan, with the fits on all rows that the study names."""
    known = all_keys(connection)
    final = read_study(connection).get("final", {})
    _count(connection, known, {key for of in final.values() for key in of.values()} | _extras(connection))


def _count(connection: Connection, planned: dict[Place, tuple[str, ...]], extras: set[str]) -> None:
    """Keep what counting needs: the number of splits, and the fits that do not answer exactly one."""
    answers = Counter(key for keys in planned.values() for key in keys)
    unusual = {key: splits for key, splits in answers.items() if splits != 1}
    unusual |= {key: 0 for key in extras if key not in answers}
    connection.execute(delete(shared))
    if unusual:
        connection.execute(shared.insert(), [{"key": key, "splits": splits} for key, splits in unusual.items()])
    write_text(connection, SHARED, digest_of_shared(connection))
    write_text(connection, PLANNED, str(answers.total()))


def digest_of_shared(connection: Connection) -> str:
    """A digest of the table of fits that do not answer exactly one split."""
    rows = connection.execute(select(shared).order_by(shared.c.key))
    return hashlib.blake2b(repr([tuple(row) for row in rows]).encode(), digest_size=8).hexdigest()


class Status(NamedTuple):
    """Splits planned, those whose fit is done, has failed, is running or waits for a worker of the run that has taken
    it; and fits that no split asked for.
    """

    planned: int
    done: int
    failed: int
    running: int
    extra: int = 0
    waiting: int = 0


def _counts(table: Table) -> tuple[ScalarSelect[int], ...]:
    """All fits of a table; what must be added to count splits; those that answer no split."""
    unusual = shared.join(table, table.c.key == shared.c.key)
    every = select(func.count()).select_from(table).scalar_subquery()
    more = select(func.coalesce(func.sum(shared.c.splits - 1), 0)).select_from(unusual).scalar_subquery()
    none = select(func.count()).select_from(unusual).where(shared.c.splits == 0).scalar_subquery()
    return every, more, none


# Made once, as making it takes as long as counting 100,000 fits.
_COUNTED = select(*_counts(successes), *_counts(failures))


def status(connection: Connection, keys: Iterable[str] | None = None) -> tuple[Status, bool]:
    """How many splits are planned, done, failed and running; or how many of these fits, each counted once.

    And whether a second look is needed to know who is running.
    """
    if keys is not None:
        wanted = set(keys)
        done, failed = (len(present_keys(connection, table, wanted)) for table in (successes, failures))
        claimed = count_claims(connection, wanted)
        return Status(len(wanted), done, failed, claimed.running, waiting=claimed.waiting), claimed.unsure
    with reading("the number of its splits"):
        planned = int(read_text(connection, PLANNED) or 0)
        if read_text(connection, SHARED) not in (None, digest_of_shared(connection)):
            raise DamagedBytes
    done, more, extra_done, failed, more_failed, extra_failed = tuple(connection.execute(_COUNTED).one())
    claimed = count_claims(connection)
    counts = (planned, done + more, failed + more_failed, claimed.running, extra_done + extra_failed, claimed.waiting)
    return Status(*counts), claimed.unsure
