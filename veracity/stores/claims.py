"""Which fits are being run at the moment, and by whom: an owner that is not heard of any more has no claims.

An owner is a text that begins with `host:process:`, so that a process that died on this machine is known at once;
on another machine it is known when its heartbeat is stale.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Double, delete, func, literal_column, select

from veracity.stores.outcomes import add_new, present_keys, rows_of
from veracity.stores.schema import claims, failures, insert_into, owners, shared, successes

STALE = 15.0  # seconds without a heartbeat
NOW = {
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "postgresql": "extract(epoch from clock_timestamp())::double precision",
}

_COUNTED = (
    select(claims.c.owner, func.sum(func.coalesce(shared.c.splits, 1)))
    .outerjoin(shared, shared.c.key == claims.c.key)
    .group_by(claims.c.owner)
)


def claim(connection: Connection, keys: Iterable[str], owner: str) -> list[str]:
    """Mark fits as running; those that are not finished and that nobody alive runs are the owner's."""
    keys = list(dict.fromkeys(keys))
    beat(connection, owner)
    for other in _lost_owners(connection):
        release(connection, other)
    finished = present_keys(connection, successes, keys) | present_keys(connection, failures, keys)
    free = [key for key in keys if key not in finished]
    add_new(connection, claims, [{"key": key, "owner": owner} for key in free])
    mine = select(claims.c.key).where(claims.c.owner == owner)
    held = {row.key for row in rows_of(connection, mine, claims, free)}
    return [key for key in free if key in held]


def beat(connection: Connection, owner: str) -> None:
    """Say that the owner lives; without this for a while its claims count no more."""
    now = _now(connection)
    row = insert_into(connection, owners).values(owner=owner, seen=now)
    connection.execute(row.on_conflict_do_update(index_elements=["owner"], set_={"seen": now}))


def release(connection: Connection, owner: str) -> None:
    """Let go of everything the owner claimed."""
    connection.execute(delete(claims).where(claims.c.owner == owner))
    connection.execute(delete(owners).where(owners.c.owner == owner))


def count_running(connection: Connection, keys: Iterable[str] | None = None) -> int:
    """Splits whose fit is being run by somebody alive; or how many of these fits."""
    if keys is None:
        numbers = [(owner, int(splits)) for owner, splits in connection.execute(_COUNTED)]
    else:
        numbers = [(row.owner, 1) for row in rows_of(connection, select(claims.c.owner), claims, keys)]
    lost = _lost_owners(connection) if numbers else set()
    return sum(number for owner, number in numbers if owner not in lost)


def _lost_owners(connection: Connection) -> set[str]:
    ages = connection.execute(select(owners.c.owner, _now(connection) - owners.c.seen))
    return {owner for owner, age in ages if age > STALE or is_gone(owner)}


def _now(connection: Connection) -> ColumnElement[float]:
    """The clock of the database: those of several machines need not agree."""
    return literal_column(NOW[connection.dialect.name], Double)


def is_gone(owner: str) -> bool:
    """Whether the owner is a process of this machine that has ended."""
    host, _, rest = owner.partition(":")
    process = rest.partition(":")[0]
    if host != socket.gethostname() or not process.isdecimal() or os.name != "posix":
        return False
    state = Path("/proc", process, "stat")
    try:
        os.kill(int(process), 0)
        return state.exists() and state.read_text("utf-8", "replace").rpartition(")")[2].split()[0] in "ZX"
    except (ProcessLookupError, FileNotFoundError):
        return True
    except (PermissionError, OverflowError):
        return False
