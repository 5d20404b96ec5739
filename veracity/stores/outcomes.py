"""What fits gave: written once, read in small batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
from sqlalchemy import Connection, Delete, Row, Select, Table, bindparam, delete, func, select

from veracity.core.recent import Recent
from veracity.records.arrays import Array
from veracity.records.fit import OUTPUTS, Outcome
from veracity.stores.library_versions import numbers_of
from veracity.stores.packing import (
    DAMAGE,
    SEALED_SIZE,
    DamagedBytes,
    libraries_in,
    pack,
    pack_text,
    reading,
    unpack,
    unpack_text,
)
from veracity.stores.schema import claims, failures, insert_new, successes

AT_ONCE = 500  # keys in one statement
IN_MEMORY = 8_000_000  # bytes of packed predictions held at a time, and of others that are remembered
EACH = 1_000  # bytes that an outcome takes besides its arrays


def write(connection: Connection, batch: Iterable[Outcome], again: Container[str] = ()) -> bool:
    """Add outcomes in one transaction; one that is there stays, only a success replaces a failure, and any outcome
    that of a fit that was made `again`.

    Gives whether all that succeeded are there as they are, because none was there before.
    """
    every = list(batch)
    replaced = [outcome.key for outcome in every if outcome.key in again]
    for table in (successes, failures):
        remove(connection, table, replaced)
    done = [outcome for outcome in every if outcome.status == "done"]
    failed = [outcome for outcome in every if outcome.status == "failed"]
    numbers = numbers_of(connection, {outcome.libraries for outcome in done})
    new = add_new(connection, successes, [_done_row(outcome, numbers[outcome.libraries]) for outcome in done])
    remove(connection, failures, [outcome.key for outcome in done])
    there = present_keys(connection, successes, [outcome.key for outcome in failed])
    add_new(connection, failures, [_failed_row(outcome) for outcome in failed if outcome.key not in there])
    remove(connection, claims, [outcome.key for outcome in every])
    return new == len(done)


def present_keys(connection: Connection, table: Table, keys: Iterable[str]) -> set[str]:
    """Those of the keys that the table has."""
    return {row.key for row in rows_of(connection, table, ("key",), keys)}


def finished_keys(connection: Connection, keys: Iterable[str]) -> dict[str, float]:
    """Those of the keys whose fits have ended, whichever way, and the seconds that each took."""
    return {key: seconds for some in some_of(keys) for key, seconds in connection.execute(_ENDED, {"keys": some})}


def library_numbers(connection: Connection, keys: Iterable[str]) -> dict[str, int]:
    """Under which number the versions of libraries are kept that made each of these fits which is done."""
    with reading("the versions of libraries of some fits"):
        return {
            key: libraries_in(start)
            for some in some_of(keys)
            for key, start in connection.execute(_STARTS, {"keys": some})
        }


def rows_of(connection: Connection, table: Table, columns: tuple[str, ...], keys: Iterable[str]) -> Iterator[Row[Any]]:
    """Some columns of a table for these keys."""
    for some in some_of(keys):
        yield from connection.execute(_selection(table, columns), {"keys": some}).all()


@cache  # as making a statement takes longer than carrying it out
def _selection(table: Table, columns: tuple[str, ...]) -> Select[Any]:
    return select(*(table.c[name] for name in columns)).where(table.c.key.in_(bindparam("keys", expanding=True)))


_ENDED = _selection(successes, ("key", "seconds")).union_all(_selection(failures, ("key", "seconds")))
_STARTS = select(successes.c.key, func.substr(successes.c.arrays, 1, SEALED_SIZE)).where(
    successes.c.key.in_(bindparam("keys", expanding=True))
)


@cache
def _removal(table: Table) -> Delete:
    return delete(table).where(table.c.key.in_(bindparam("keys", expanding=True)))


def add_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> int:
    """Add the rows whose keys are not there yet; how many those were."""
    return connection.execute(insert_new(connection.dialect.name, table), rows).rowcount if rows else 0


def remove(connection: Connection, table: Table, keys: Iterable[str]) -> None:
    """Take the rows of these keys away."""
    for some in some_of(keys):
        connection.execute(_removal(table), {"keys": some})


def some_of(keys: Iterable[str]) -> Iterator[list[str]]:
    """Keys in lists that fit one statement."""
    every = iter(keys)
    while some := list(islice(every, AT_ONCE)):
        yield some


def finished(connection: Connection) -> dict[str, Literal["done", "failed"]]:
    """Every finished fit and how it ended."""
    ended: dict[str, Literal["done", "failed"]] = dict.fromkeys(_keys(connection, failures), "failed")
    return ended | dict.fromkeys(_keys(connection, successes), "done")


def _keys(connection: Connection, table: Table) -> Iterable[str]:
    return connection.execute(select(table.c.key)).scalars()


def read_failures(connection: Connection) -> list[Outcome]:
    """Every failure with its reason and traceback."""
    return [_read_failed(row) for row in connection.execute(select(failures).order_by(failures.c.key))]


class Fetched(NamedTuple):
    """Rows of the two tables by their keys."""

    done: dict[str, Row[Any]]
    failed: dict[str, Row[Any]]

    def outcome(self, key: str, last: bool = True) -> Outcome | None:
        """The outcome of a fit; the `last` that asks for it lets go of its row."""
        for rows, read in ((self.done, _read_done), (self.failed, _read_failed)):
            if key in rows:
                return read(rows.pop(key) if last else rows[key])
        return None


def _read_done(row: Row[Any]) -> Outcome:
    key, seconds, chosen, packed = tuple(row)
    try:  # `with reading` would cost a tenth of the time that a fit takes to read
        rows, *outputs = unpack(packed, (key, seconds, chosen))
        times = _times(outputs.pop()) if len(outputs) > len(OUTPUTS) else (math.nan, math.nan)
        label, proba, value, number = outputs
        sizes = {len(array) for array in (rows, *outputs) if array is not None}
        if len(sizes) > 1 or type(seconds) is not float or type(chosen) is not str:
            raise DamagedBytes
    except DAMAGE as why:
        raise DamagedBytes(f"predictions of fit {key}") from why
    return Outcome(key, "done", rows, label, proba, value, number, "", "", seconds, chosen, *times)


def _times(array: Array | None) -> tuple[float, float]:
    """Seconds of training and of predicting, which stores of version 3 keep behind the predictions."""
    if array is None or array.shape != (2,) or array.dtype != float:
        raise DamagedBytes
    return float(array[0]), float(array[1])


def _read_failed(row: Row[Any]) -> Outcome:
    key, seconds, reason, packed = tuple[Any, ...](row)
    with reading(f"the failure of fit {key}"):
        traceback = unpack_text(packed, (key, seconds, reason))
        if {type(seconds), type(reason)} != {float, str}:
            raise DamagedBytes
    return Outcome(key, "failed", reason=reason, traceback=traceback, seconds=seconds)


class RecentOutcomes:
    """What succeeded and was written or read last, which changes only where somebody mends the store; estimators that
    share fits ask for it again.
    """

    def __init__(self) -> None:
        self.held: Recent[str, Outcome] = Recent(IN_MEMORY)

    def keep(self, outcome: Outcome, written: bool = False) -> None:
        """Remember what succeeded, as it is read, also where it was written."""
        size = EACH + len(outcome.chosen) + sum(array.nbytes for array in outcome.arrays)
        if outcome.status == "done" and size < IN_MEMORY:
            self.held.keep(outcome.key, _as_read(outcome) if written else outcome, size)

    def among(self, keys: Iterable[str]) -> dict[str, Outcome]:
        """Those of the keys that are at hand."""
        return {key: outcome for key in keys if (outcome := self.held.get(key)) is not None}


def _as_read(outcome: Outcome) -> Outcome:
    """With arrays that are nobody else's, read-only, and lie row by row.

    Where columns lie one after the other, as naive Bayes gives them, sums over them may round differently.
    """
    every = (outcome.rows, outcome.label, outcome.proba, outcome.value, outcome.number)
    rows, label, proba, value, number = (None if array is None else array.copy() for array in every)
    times = outcome.seconds_fit, outcome.seconds_predict
    chosen = storable_text(outcome.chosen)
    own = Outcome(outcome.key, "done", rows, label, proba, value, number, "", "", outcome.seconds, chosen, *times)
    for array in own.arrays:
        array.setflags(write=False)
    return own


def stream(
    keys: Sequence[str], fetch: Callable[[list[str]], Fetched], recent: RecentOutcomes
) -> Iterator[tuple[str, Outcome | None]]:
    """The outcome of each key in their order, None where there is none; as many at once as keep memory small."""
    place, size = 0, 16
    while place < len(keys):
        some = list(keys[place : place + size])
        place += size
        known = recent.among(some)
        others = [key for key in some if key not in known]
        rows = fetch(others) if others else Fetched({}, {})
        with reading("predictions of some fits"):
            held = sum(len(row[-1]) for row in rows.done.values())
        if others:  # what is known tells nothing of the size of the next
            size = max(1, min(AT_ONCE, IN_MEMORY * len(others) // max(held, 1)))
        last = {key: number for number, key in enumerate(some)}  # learners that are the same share fits
        for number, key in enumerate(some):
            outcome = known.get(key)
            if outcome is None and (outcome := rows.outcome(key, last[key] == number)) is not None:
                recent.keep(outcome)
            yield key, outcome


_DONE = ("key", "seconds", "chosen", "arrays")
_FAILED = tuple(failures.c.keys())


def fetch(connection: Connection, keys: list[str]) -> Fetched:
    """The rows of these keys, done or failed."""
    done = {row[0]: row for row in rows_of(connection, successes, _DONE, keys)}
    others = [key for key in keys if key not in done]
    return Fetched(done, {row.key: row for row in rows_of(connection, failures, _FAILED, others)})


def _done_row(outcome: Outcome, libraries: int) -> dict[str, Any]:
    key, seconds, chosen = outcome.key, float(outcome.seconds), storable_text(outcome.chosen)
    times = np.array([outcome.seconds_fit, outcome.seconds_predict])
    every = (outcome.rows, outcome.label, outcome.proba, outcome.value, outcome.number, times)
    arrays = pack(*every, of=(key, seconds, chosen), libraries=libraries)
    return {"key": key, "seconds": seconds, "chosen": chosen, "arrays": arrays}


def _failed_row(outcome: Outcome) -> dict[str, Any]:
    key, seconds, reason = outcome.key, float(outcome.seconds), storable_text(outcome.reason)
    return {
        "key": key,
        "seconds": seconds,
        "reason": reason,
        "traceback": pack_text(outcome.traceback, (key, seconds, reason)),
    }


def storable_text(text: str) -> str:
    """The text with characters that databases refuse written out, so that it can be read with SQL."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")
