"""What fits gave: written once, read in small batches; and the versions of libraries that made it."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, Table, bindparam, delete, func, select

from veracity.core.notes import Note
from veracity.evidence.runs import MIXED_VERSIONS
from veracity.records.fit import Outcome
from veracity.stores.errors import reading
from veracity.stores.plan import Place
from veracity.stores.schema import (
    MAX_KEYS_PER_STATEMENT,
    claims,
    expand,
    fits,
    in_chunks,
    insert_new,
    libraries,
    pack,
    sealed,
    splits,
    storable_text,
    unpack,
    verify,
)

MAX_BATCH_BYTES = 8_000_000  # of packed predictions that are held at a time
FIRST_BATCH = 16  # fits, before it is known how large they are
MAX_NAMES_IN_NOTE = 3
ANEW = "`study.run(refit_outdated=True)`"
Versions = Mapping[str, str]  # by the names of libraries


def write(connection: Connection, outcomes: Collection[Outcome], again: Container[str] = ()) -> None:
    """Add outcomes in one transaction; one that is there stays, only a success replaces a failure, and any outcome
    that of a fit that was made `again`.
    """
    every = sorted(outcomes, key=lambda outcome: outcome.status)  # what is done comes before what failed
    if not every:
        return
    remove(connection, fits, [outcome.key for outcome in every if outcome.key in again])
    remove(connection, fits, [outcome.key for outcome in every if outcome.status == "done"], fits.c.status == "failed")
    numbers = _library_numbers(connection, {outcome.libraries for outcome in every})
    rows = [fit_row(outcome, numbers[outcome.libraries]) for outcome in every]
    connection.execute(insert_new(connection, fits), rows)
    remove(connection, claims, [outcome.key for outcome in every])


def fit_row(outcome: Outcome, libraries: int) -> dict[str, Any]:
    """Return the row of a fit; `libraries` is the number of the versions of libraries that made it."""
    if outcome.status == "done":
        payload = pack(outcome.rows, outcome.label, outcome.proba, outcome.value, outcome.number)
    else:
        payload = zlib.compress(outcome.traceback.encode("utf-8", "surrogatepass"), 1)
    fit, predict = (None if math.isnan(s) else float(s) for s in (outcome.seconds_fit, outcome.seconds_predict))
    return sealed(
        key=outcome.key,
        status=outcome.status,
        seconds=float(outcome.seconds),
        seconds_fit=fit,
        seconds_predict=predict,
        chosen=storable_text(outcome.chosen),
        reason=storable_text(outcome.reason),
        libraries=libraries,
        payload=payload,
    )


def unpack_outcome(row: Row[Any]) -> Outcome:
    """Return the outcome that a row of fits holds."""
    key, status, seconds, fit, predict, chosen, reason, _, payload, _ = tuple[Any, ...](row)
    with reading(f"predictions of fit {key}" if status == "done" else f"the failure of fit {key}"):
        verify(row)
        if status == "failed":
            traceback = expand(payload).decode("utf-8", "surrogatepass")
            return Outcome(key, "failed", reason=reason, traceback=traceback, seconds=seconds)
        rows, label, proba, value, number = unpack(payload)
        times = (math.nan if fit is None else fit, math.nan if predict is None else predict)
        return Outcome(key, "done", rows, label, proba, value, number, "", "", seconds, chosen, *times)


def remove(connection: Connection, table: Table, keys: Iterable[str], *conditions: ColumnElement[bool]) -> None:
    """Take the rows of these keys away that fulfil all conditions."""
    for some in in_chunks(keys):
        connection.execute(delete(table).where(table.c.key.in_(some), *conditions))


def finished(connection: Connection) -> dict[str, Literal["done", "failed"]]:
    """Return every finished fit and how it ended."""
    return dict(connection.execute(select(fits.c.key, fits.c.status)).all())


def finished_seconds(connection: Connection, keys: Collection[str]) -> dict[str, float]:
    """Return those of the keys whose fits have ended, whichever way, and the seconds that each took."""
    asked = select(fits.c.key, fits.c.seconds).where(fits.c.key.in_(bindparam("keys", expanding=True)))
    return {key: seconds for some in in_chunks(keys) for key, seconds in connection.execute(asked, {"keys": some})}


def read_failures(connection: Connection) -> list[Outcome]:
    """Return every failure with its reason and traceback."""
    failed = select(fits).where(fits.c.status == "failed").order_by(fits.c.key)
    return [unpack_outcome(row) for row in connection.execute(failed)]


def fetch(connection: Connection, keys: list[str]) -> dict[str, Row[Any]]:
    """Return the rows of these fits by their keys."""
    with reading("predictions of some fits"):
        return {row.key: row for row in connection.execute(select(fits).where(fits.c.key.in_(keys)))}


def stream(
    keys: Sequence[str], fetch: Callable[[list[str]], dict[str, Row[Any]]]
) -> Iterator[tuple[str, Outcome | None]]:
    """Yield the outcome of each key in their order, None where there is none; as many at once as keep memory small."""
    start, size = 0, FIRST_BATCH
    while start < len(keys):
        some = list(keys[start : start + size])
        start += size
        rows = fetch(some)
        last = {key: place for place, key in enumerate(some)}  # learners that are the same share fits
        with reading("predictions of some fits"):
            held = sum(len(row.payload) for row in rows.values())
        size = max(1, min(MAX_KEYS_PER_STATEMENT, MAX_BATCH_BYTES * len(some) // max(held, 1)))
        for place, key in enumerate(some):
            row = rows.pop(key, None) if last[key] == place else rows.get(key)
            yield key, None if row is None else unpack_outcome(row)


# Versions of libraries


def _library_numbers(connection: Connection, texts: Iterable[str]) -> dict[str, int]:
    """Return the number of each set of versions, given as JSON; a new one is added, and 0 stands for an unknown one."""
    numbers = {"": 0}
    if new := set(texts) - {""}:
        numbers |= {json.dumps(known, sort_keys=True): number for number, known in _read_libraries(connection).items()}
        for text in sorted(new - set(numbers)):
            numbers[text] = max(numbers.values()) + 1
            connection.execute(libraries.insert().values(sealed(number=numbers[text], versions=text)))
    return numbers


def _read_libraries(connection: Connection) -> dict[int, dict[str, str]]:
    found = {}
    with reading("the versions of libraries"):
        for row in connection.execute(select(libraries)):
            verify(row)
            found[row.number] = json.loads(row.versions)
    return found


def versions_of(connection: Connection, keys: Collection[str]) -> dict[str, Versions]:
    """Return the versions of the libraries that made fits which are done; none where nobody wrote them down."""
    known = _read_libraries(connection)
    asked = select(fits.c.key, fits.c.libraries).where(fits.c.status == "done")
    return {
        key: known.get(number, {})
        for some in in_chunks(keys)
        for key, number in connection.execute(asked.where(fits.c.key.in_(some)))
    }


def _versions_by_place(connection: Connection, places: Collection[Place] | None) -> dict[Place, list[Versions]]:
    """Return the different versions of libraries that made the fits of some places, or of all."""
    known = _read_libraries(connection)
    place = splits.c.data, splits.c.learner, splits.c.design
    used = select(*place, fits.c.libraries).join(fits, fits.c.key == splits.c.key).where(fits.c.status == "done")
    used = used.group_by(*place, fits.c.libraries).order_by(func.min(splits.c.number))
    found: dict[Place, list[Versions]] = {}
    for data, learner, design, number in connection.execute(used):
        if places is None or (data, learner, design) in places:
            found.setdefault((data, learner, design), []).append(known.get(number, {}))
    return found


def _join_versions(every: Iterable[Versions]) -> dict[str, list[str]]:
    """Return all versions of each library."""
    found: dict[str, set[str]] = {}
    for name, version in chain.from_iterable(versions.items() for versions in every):
        found.setdefault(name, set()).add(version)
    return {name: sorted(versions) for name, versions in sorted(found.items())}


def versions_at(connection: Connection, places: Collection[Place]) -> dict[str, list[str]]:
    """Return all versions of each library that made the fits at some places."""
    return _join_versions(chain.from_iterable(_versions_by_place(connection, places).values()))


def mixed_notes(connection: Connection, places: Collection[Place] | None = None) -> tuple[Note, ...]:
    """Return a caution where fits of one learner on one data set by one design, at some places or all, were made with
    different versions of a library.
    """
    if len(_read_libraries(connection)) < 2:
        return ()
    found: dict[str, list[str]] = {}  # places by what is mixed there
    for (of, learner, by), every in _versions_by_place(connection, places).items():
        mixed = [f"{name} {' and '.join(each)}" for name, each in _join_versions(every).items() if len(each) > 1]
        if mixed:
            found.setdefault(", ".join(mixed), []).append(f"{learner} on {of} by {by}")
    notes = []
    for made, names in found.items():
        more = f" and {len(names) - MAX_NAMES_IN_NOTE} more" if len(names) > MAX_NAMES_IN_NOTE else ""
        which = f"fits of {', '.join(names[:MAX_NAMES_IN_NOTE])}{more} were made with {made}"
        says = f"{which}, so that their estimate mixes different learners: {ANEW} makes those of another version anew"
        notes.append(Note(MIXED_VERSIONS, "caution", says))
    return tuple(notes)
