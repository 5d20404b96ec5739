"""Which fits are being run at the moment, and by whom: an owner that is not heard of any more has no claims.

An owner is a text `host:process:begun:place`, so that a process that died on this machine is known at once: containers
may share a host name and number their processes alike, but not the place and the moment in which one began. Elsewhere
it is known by its heartbeat, which does not move any more. Whoever watches counts for how long by a
clock that nobody sets: the times that are written may be those of a wrong clock, and only their changes matter.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Double, Insert, bindparam, delete, func, literal_column, select

from veracity.stores.outcomes import add_new, finished_keys, rows_of, some_of
from veracity.stores.schema import claims, insert_into, owners, shared

STALE = 15.0  # seconds without a heartbeat
WORKERS = " workers"  # behind their number, at the end of the name of an owner
BEAT_INTERVAL_S = 3.0  # between two heartbeats: others take the fits of a run after five that did not come
GLANCE = 4.0  # seconds in which whoever only looks expects one of an owner that seems silent
NOW = {
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "postgresql": "extract(epoch from clock_timestamp())::double precision",
}

_LINUX = Path("/proc/self/ns/pid").exists()
_OF_NOBODY = delete(claims).where(claims.c.owner.not_in(select(owners.c.owner)))
_COUNTED = (
    select(claims.c.owner, func.sum(func.coalesce(shared.c.splits, 1)))
    .outerjoin(shared, shared.c.key == claims.c.key)
    .group_by(claims.c.owner)
)


class Sight(NamedTuple):
    """A heartbeat as it was seen last."""

    beat: str
    since: float  # when it was first seen so
    moved: bool  # whether it was seen to change


class Watch:
    """The heartbeats that one process has seen, and for how long none of them has moved, by its own clock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.sights: dict[str, Sight] = {}
        self.looked = float("-inf")

    def is_due(self) -> bool:
        """Whether it is time to look again."""
        return self.clock() - self.looked >= GLANCE

    def look(self, beats: Mapping[str, float]) -> None:
        """See the heartbeats as they are now."""
        now, before = self.clock(), self.sights
        self.sights, self.looked = {}, now
        for owner, beat in beats.items():
            last, text = before.get(owner), repr(beat)
            same = last is not None and last.beat == text
            self.sights[owner] = last if last and same else Sight(text, now, last is not None)

    def silent(self, owner: str) -> float:
        """Seconds for which an owner has not been heard of."""
        return self.clock() - self.sights[owner].since

    def forget(self) -> None:
        """When the store itself was out of reach nobody could be heard."""
        self.sights, self.looked = {}, float("-inf")


def watch_of(connection: Connection) -> Watch:
    """What the store that a connection belongs to has seen."""
    watch: Watch = connection.get_execution_options()["watch"]
    return watch


def claim(connection: Connection, keys: Iterable[str], owner: str, again: Mapping[str, float] = {}) -> list[str]:
    """Mark fits as running; those that are not finished and that nobody alive runs are the owner's.

    A fit that is to be made `again` is free as long as its outcome is the one that is known, by the seconds it took.
    Whether the others live is looked at where one of them is at a fit, and every now and then, so that it is known.
    """
    keys = list(dict.fromkeys(keys))
    beat(connection, owner)
    finished = finished_keys(connection, keys)
    free = [key for key in keys if key not in finished or finished[key] == again.get(key)]
    if watch_of(connection).is_due():
        _release_lost(connection)
    held = _hold(connection, free, owner)
    if len(held) < len(free):
        _release_lost(connection)
        held = _hold(connection, free, owner)
    return [key for key in free if key in held]


def _hold(connection: Connection, keys: list[str], owner: str) -> set[str]:
    """Claim what nobody has; those of the keys that are the owner's now."""
    if add_new(connection, claims, [{"key": key, "owner": owner} for key in keys]) == len(keys):
        return set(keys)
    return {row.key for row in rows_of(connection, claims, ("key", "owner"), keys) if row.owner == owner}


def _release_lost(connection: Connection) -> None:
    for other in _lost_owners(connection):
        release(connection, other)
    connection.execute(_OF_NOBODY)


def beat(connection: Connection, owner: str) -> None:
    """Say that the owner lives; without this for a while its claims count no more."""
    connection.execute(_heartbeat(connection.dialect.name), {"owner": owner})


@cache  # as making a statement takes longer than carrying it out
def _heartbeat(dialect: str) -> Insert:
    now = _now(dialect)
    row = insert_into(dialect, owners).values(owner=bindparam("owner"), seen=now)
    return row.on_conflict_do_update(index_elements=["owner"], set_={"seen": now})


def let_go(connection: Connection, keys: Iterable[str], owner: str) -> None:
    """Give some fits back that the owner claimed and has not begun: whoever is free may take them."""
    for some in some_of(keys):
        connection.execute(delete(claims).where(claims.c.owner == owner, claims.c.key.in_(some)))


def release(connection: Connection, owner: str) -> None:
    """Let go of everything the owner claimed."""
    connection.execute(delete(claims).where(claims.c.owner == owner))
    connection.execute(delete(owners).where(owners.c.owner == owner))


class Claimed(NamedTuple):
    """Splits, or fits, that living owners claim: those that workers are at, those that wait for one, and whether a
    second look is needed to know who lives.
    """

    running: int
    waiting: int
    unsure: bool


def count_claims(connection: Connection, keys: Iterable[str] | None = None) -> Claimed:
    """Count what is claimed by somebody alive: splits, or how many of these fits."""
    if keys is None:
        numbers = {owner: int(splits) for owner, splits in connection.execute(_COUNTED)}
    else:
        numbers = Counter(row.owner for row in rows_of(connection, claims, ("owner",), keys))
    if not numbers:
        return Claimed(0, 0, False)
    lives = living_owners(connection)
    alive = {owner: number for owner, number in numbers.items() if lives.get(owner, False) is not False}
    running = sum(min(number, workers_of(owner) or number) for owner, number in alive.items())
    unsure = any(lives.get(owner, False) is None for owner in numbers)
    return Claimed(running, sum(alive.values()) - running, unsure)


def name_workers(owner: str, workers: int) -> str:
    """Return the name of an owner with the number of its workers: of what it claims, no more can be running."""
    return f"{owner}:{workers}{WORKERS}"


def workers_of(owner: str) -> int | None:
    """Return the number of workers that the name of an owner tells, if it does."""
    found = re.search(rf":([1-9][0-9]{{0,8}}){WORKERS}$", owner)
    return None if found is None else int(found[1])


def living_owners(connection: Connection) -> dict[str, bool | None]:
    """Whether each owner lives, as far as one look can say: None is an owner to look at again in a moment."""
    rows = connection.execute(
        select(owners.c.owner, owners.c.seen, _now(connection.dialect.name) - owners.c.seen)
    ).all()
    watch = watch_of(connection)
    watch.look({owner: seen for owner, seen, _ in rows})
    return {owner: _lives(watch, owner, age) for owner, _, age in rows}


def _lives(watch: Watch, owner: str, age: float) -> bool | None:
    silent = watch.silent(owner)
    if silent > STALE or is_gone(owner):
        return False
    if 0 <= age <= STALE or watch.sights[owner].moved:
        return True
    return None if silent < GLANCE else False


def _lost_owners(connection: Connection) -> set[str]:
    """Those that have ended, or were watched long enough: nobody loses a claim at first sight."""
    watch = watch_of(connection)
    watch.look({row.owner: row.seen for row in connection.execute(select(owners))})
    return {owner for owner in watch.sights if watch.silent(owner) > STALE or is_gone(owner)}


def _now(dialect: str) -> ColumnElement[float]:
    """The clock of the database: those of several machines need not agree."""
    return literal_column(NOW[dialect], Double)


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
