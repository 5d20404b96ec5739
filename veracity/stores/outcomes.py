"""What fits gave: written once, read in small batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, select

from veracity.records.fit import Outcome
from veracity.stores.packing import DamagedBytes, pack, pack_text, unpack, unpack_text
from veracity.stores.schema import claims, failures, insert_into, successes

AT_ONCE = 500  # keys in one statement
IN_MEMORY = 8_000_000  # bytes of packed predictions held at a time


def write(connection: Connection, batch: Iterable[Outcome]) -> None:
    """Add outcomes; one that is there stays, only a success replaces a failure."""
    every = list(batch)
    done = [outcome for outcome in every if outcome.status == "done"]
    failed = [outcome for outcome in every if outcome.status == "failed"]
    _add(connection, successes, [_done_row(outcome) for outcome in done])
    remove(connection, failures, [outcome.key for outcome in done])
    if failed:
        there = present_keys(connection, successes, [outcome.key for outcome in failed])
        _add(connection, failures, [_failed_row(outcome) for outcome in failed if outcome.key not in there])
    remove(connection, claims, [outcome.key for outcome in every])


def present_keys(connection: Connection, table: Table, keys: Iterable[str]) -> set[str]:
    """Those of the keys that the table has."""
    there: set[str] = set()
    for some in chunks(keys):
        there.update(connection.execute(select(table.c.key).where(table.c.key.in_(some))).scalars())
    return there


def remove(connection: Connection, table: Table, keys: Iterable[str]) -> None:
    """Take the rows of these keys away."""
    for some in chunks(keys):
        connection.execute(delete(table).where(table.c.key.in_(some)))


def chunks(keys: Iterable[str], size: int = AT_ONCE) -> Iterator[list[str]]:
    """Keys in lists that fit one statement."""
    every = iter(keys)
    while some := list(islice(every, size)):
        yield some


def read_done(row: Row[Any]) -> Outcome:
    """A row of the table of done fits."""
    try:
        rows, label, proba, value, number = unpack(row.arrays)
    except (DamagedBytes, ValueError) as why:
        raise DamagedBytes(f"predictions of fit {row.key}") from why
    return Outcome(row.key, "done", rows, label, proba, value, number, seconds=row.seconds, chosen=row.chosen)


def read_failed(row: Row[Any]) -> Outcome:
    """A row of the table of failures."""
    traceback = unpack_text(row.traceback)
    return Outcome(row.key, "failed", reason=row.reason, traceback=traceback, seconds=row.seconds)


def stream(keys: Sequence[str], fetch: Callable[[list[str]], dict[str, Row[Any]]]) -> Iterator[Outcome]:
    """Outcomes in the order of the keys; as many are fetched at once as keep memory small."""
    place, size = 0, 16
    while place < len(keys):
        some = list(keys[place : place + size])
        place += size
        rows = fetch(some)
        held = sum(len(row.arrays) for row in rows.values() if hasattr(row, "arrays"))
        size = max(1, min(AT_ONCE, IN_MEMORY * len(some) // max(held, 1)))
        for key in some:
            if key in rows:
                row = rows.pop(key)
                yield read_done(row) if hasattr(row, "arrays") else read_failed(row)


def fetch(connection: Connection, keys: list[str]) -> dict[str, Row[Any]]:
    """The rows of these keys, done or failed."""
    rows: dict[str, Row[Any]] = {}
    for table in (failures, successes):
        rows.update({row.key: row for row in connection.execute(select(table).where(table.c.key.in_(keys)))})
    return rows


def _add(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert_into(connection, table).on_conflict_do_nothing(index_elements=["key"]), rows)


def _done_row(outcome: Outcome) -> dict[str, Any]:
    arrays = pack(outcome.rows, outcome.label, outcome.proba, outcome.value, outcome.number)
    return {"key": outcome.key, "seconds": outcome.seconds, "chosen": storable_text(outcome.chosen), "arrays": arrays}


def _failed_row(outcome: Outcome) -> dict[str, Any]:
    text = {"reason": storable_text(outcome.reason), "traceback": pack_text(outcome.traceback)}
    return {"key": outcome.key, "seconds": outcome.seconds, **text}


def storable_text(text: str) -> str:
    """The text with characters that databases refuse written out, so that it can be read with SQL."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")
