"""Which fits are being run at the moment, and by whom.

A claim is a lease by the clock of the database: it holds as long as its owner is heard of every few seconds. An owner
is a text `host:process:begun:place`, so that a process that died on this machine is known at once: containers may share
a host name and number their processes alike, but not the place and the moment in which one began.
"""

from __future__ import annotations

import os
import re
import socket
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Double, delete, func, literal_column, select

from veracity.stores.results import finished_seconds
from veracity.stores.schema import claims, in_chunks, insert_into, insert_new, owners, splits

BEAT_INTERVAL_S = 3.0  # between two heartbeats
LEASE_S = 30.0  # after which the claims of a silent owner are free
WORKERS = " workers"  # behind their number, at the end of the name of an owner
NOW = {  # by the clock of the database, as those of several machines need not agree
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "postgresql": "extract(epoch from clock_timestamp())::double precision",
}
_LINUX = Path("/proc/self/ns/pid").exists()


def claim(connection: Connection, keys: Collection[str], owner: str, again: Mapping[str, float] = {}) -> list[str]:
    """Mark fits as running; those that are not finished and that nobody alive runs are the owner's.

    A fit that is to be made `again` is free as long as its outcome is the one that is known, by the seconds it took.
    """
    keys = list(dict.fromkeys(keys))
    beat(connection, owner)
    ended = finished_seconds(connection, keys)
    free = [key for key in keys if key not in ended or ended[key] == again.get(key)]
    held = _hold(connection, free, owner)
    if len(held) < len(free):
        alive = living_owners(connection)
        for other in connection.execute(select(owners.c.owner)).scalars().all():
            if other not in alive:
                connection.execute(delete(owners).where(owners.c.owner == other))
        connection.execute(delete(claims).where(claims.c.owner.not_in(select(owners.c.owner))))
        held = _hold(connection, free, owner)
    return [key for key in free if key in held]


def _hold(connection: Connection, keys: list[str], owner: str) -> set[str]:
    """Claim what nobody has; return those of the keys that are the owner's now."""
    if not keys:
        return set()
    added = connection.execute(insert_new(connection, claims), [{"key": key, "owner": owner} for key in keys])
    if added.rowcount == len(keys):
        return set(keys)
    mine = select(claims.c.key).where(claims.c.owner == owner)
    return {key for some in in_chunks(keys) for key in connection.execute(mine.where(claims.c.key.in_(some))).scalars()}


def beat(connection: Connection, owner: str) -> None:
    """Say that the owner lives; without this for a while its claims count no more."""
    now = literal_column(NOW[connection.dialect.name], Double)
    row = insert_into(connection, owners).values(owner=owner, seen=now)
    connection.execute(row.on_conflict_do_update(index_elements=["owner"], set_={"seen": now}))


def let_go(connection: Connection, keys: Collection[str], owner: str) -> None:
    """Give some fits back that the owner claimed and has not begun: whoever is free may take them."""
    for some in in_chunks(keys):
        connection.execute(delete(claims).where(claims.c.owner == owner, claims.c.key.in_(some)))


def release(connection: Connection, owner: str) -> None:
    """Let go of everything the owner claimed."""
    connection.execute(delete(claims).where(claims.c.owner == owner))
    connection.execute(delete(owners).where(owners.c.owner == owner))


def living_owners(connection: Connection) -> set[str]:
    """Return the owners that were heard of and have not ended; one whose clock was set back is heard of soon."""
    age = func.abs(literal_column(NOW[connection.dialect.name], Double) - owners.c.seen)
    heard = connection.execute(select(owners.c.owner).where(age <= LEASE_S)).scalars().all()
    return {owner for owner in heard if not is_gone(owner)}


def count_claims(connection: Connection, keys: Collection[str] | None = None) -> tuple[int, int]:
    """Return how much of what living owners claim is running and how much waits for a worker.

    Splits are counted, a fit that no split asks for as one; or how many of these fits.
    """
    numbers: Counter[str] = Counter()
    if keys is None:
        held = select(claims.c.owner, func.count()).outerjoin(splits, splits.c.key == claims.c.key)
        numbers.update(dict(connection.execute(held.group_by(claims.c.owner)).all()))
    else:
        for some in in_chunks(keys):
            numbers.update(connection.execute(select(claims.c.owner).where(claims.c.key.in_(some))).scalars())
    alive = living_owners(connection) if numbers else set()
    running = waiting = 0
    for owner in numbers.keys() & alive:
        at_work = min(numbers[owner], workers_of(owner) or numbers[owner])
        running += at_work
        waiting += numbers[owner] - at_work
    return running, waiting


def name_workers(owner: str, workers: int) -> str:
    """Return the name of an owner with the number of its workers: of what it claims, no more can be running."""
    return f"{owner}:{workers}{WORKERS}"


def workers_of(owner: str) -> int | None:
    """Return the number of workers that the name of an owner tells, if it does."""
    found = re.search(rf":([1-9][0-9]{{0,8}}){WORKERS}$", owner)
    return None if found is None else int(found[1])


def owner_name(process: int | None = None) -> str:
    """Return the owner that a process of this machine is, this one if none is named."""
    process = os.getpid() if process is None else process
    return f"{socket.gethostname()}:{process}:{_begun(process)}:{_place()}"


def process_of(owner: str) -> int | None:
    """Return the number of the process that an owner is; None of one that has ended, or that is not known from here."""
    number, begun = _process_here(owner)
    return number if begun and _begun(number) == begun else None


def is_gone(owner: str) -> bool:
    """Return whether the owner is a process of this machine that has ended."""
    number, begun = _process_here(owner)
    return bool(begun) and _begun(number) != begun


def _process_here(owner: str) -> tuple[int, str]:
    """The number of a process and when it began; no moment for one whose numbers are not those that are seen here."""
    _, _, rest = owner.partition(":")
    number, begun, place = (*rest.split(":"), "", "", "")[:3]
    return (int(number), begun) if number.isdecimal() and place == _place() else (0, "")


def _begun(process: int) -> str:
    """When a process began, by a clock that nobody sets; nothing of one that has ended."""
    import psutil  # most commands run nothing

    try:
        if psutil.Process(process).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return ""
        if not _LINUX:
            return str(psutil.Process(process).create_time())
        return Path("/proc", str(process), "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except psutil.AccessDenied:
        return "unknown"
    except (psutil.Error, OSError, OverflowError):
        return ""


@cache
def _place() -> str:
    """What tells apart all that number their processes for themselves: machines, their boots, and containers."""
    if _LINUX:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}-{Path('/proc/self/ns/pid').stat().st_ino}"
    import psutil

    return f"{socket.gethostname()}-{psutil.boot_time():.0f}"
