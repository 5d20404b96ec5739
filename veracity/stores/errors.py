"""What went wrong in a database, as one sentence that says what to do; and which of it is tried again.

Every transaction of a store may be repeated: what was committed although nobody heard of it stays the same when it is
written once more. Only a question may then be counted twice, which is the safe side.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from veracity.core.errors import BadInput, StoreError, VeracityError, damage

R = TypeVar("R")
RETRY_TIMEOUT_S = 60.0  # in which a database that does not answer may come back
LOCK_TIMEOUT_S = 600.0  # in which another program may let go of a store that a run writes to
TIMEOUT_VARIABLE = "VERACITY_STORE_WAIT_S"  # of the environment, which sets both
FIRST_PAUSE_S, MAX_PAUSE_S = 0.1, 5.0  # between two attempts; each pause is twice the one before

KEPT = "everything stored before is kept"
LOCKED = "{where} is locked by another program that writes to it"
FULL = f"there is no room left for {{where}}: free some and run again; {KEPT}"
READ_ONLY = "cannot write to {where}: it is read-only; use another place, or ask for the right to write there"
DAMAGED = "{where} is damaged ({why}): restore a copy, or run the study again in a new store"
UNREACHABLE = "cannot reach the database {where}: {why}"
OTHER = "the database {where} says: {why}"

SQLITE = {  # primary result codes
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: f"the disk that holds {{where}} fails, or has no room left ({{why}}); {KEPT}",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: "cannot open {where}: look whether its folder is there and may be written to",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_TOOBIG: "a fit has more predictions than {where} can hold in one piece: predict fewer rows at once",
}
UNREADABLE = ("Could not decode to UTF-8", "no such table: veracity_", "no such column: veracity_")
POSTGRESQL = {  # SQLSTATE: a whole one, or its class
    "53100": FULL,
    "25006": READ_ONLY,
    "42501": READ_ONLY,
    "55P03": LOCKED,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "42P01": DAMAGED,
    "42703": DAMAGED,
    "53300": UNREACHABLE,
    "08": UNREACHABLE,
    "28": UNREACHABLE,
    "3D": UNREACHABLE,
    "57": UNREACHABLE,
}
PASSING = ("08", "57", "53300")  # of what cannot be reached, what a server that starts anew says, or one that is busy
CANCELLED = "57014"  # somebody stopped the statement, and not the server


class OutOfReach(StoreError):
    """The database does not answer at the moment; the same may be tried again."""


class LockedStore(StoreError):
    """Another program writes to the store for longer than one waits for its turn."""


class DamagedStore(StoreError):
    """What is stored is not what was written."""


class DamagedBytes(Exception):
    """Something that was read from a store is not what was written."""


# whatever goes wrong while something is read from a store means that it is damaged
DAMAGE = (
    *(DamagedBytes, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(zlib.error, struct.error),
)
_KINDS: dict[str, type[StoreError]] = {DAMAGED: DamagedStore, LOCKED: LockedStore}


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Let whatever goes wrong inside become a damage of what is read."""
    try:
        yield
    except DAMAGE as why:
        raise DamagedBytes(what) from why


def is_read_only(why: BaseException | None) -> bool:
    """Return whether a driver says that nothing may be written."""
    code = getattr(why, "sqlite_errorcode", 0) & 0xFF
    return READ_ONLY in (SQLITE.get(code), POSTGRESQL.get(getattr(why, "sqlstate", None) or ""))


@contextmanager
def translate_errors(where: str) -> Iterator[None]:
    """Let every failure of the database become one of veracity's own errors."""
    try:
        yield
    except DBAPIError as why:
        raise error_for(where, why.orig) from why
    except UnicodeDecodeError as why:  # a name in the schema, or in what the database says of it
        raise DamagedStore(DAMAGED.format(where=where, why="a text of it cannot be read")) from why
    except OSError as why:
        raise StoreError(f"cannot open {where}: {why.strerror or why}") from why
    except DamagedBytes as why:
        raise DamagedStore(damage(where, str(why))) from why


def error_for(where: str, why: BaseException | None) -> VeracityError:
    """Return the error to raise for what a driver raised."""
    if isinstance(why, sqlite3.Error):
        code = getattr(why, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            study = "it is a study file, whose results are in the store that it or --store named, else in results.db"
            why_not = study if where.endswith(".toml") else "the file is not an SQLite database, as a run makes it"
            return BadInput(f"{where} is not a store: {why_not}")
        says = DAMAGED if str(why).startswith(UNREADABLE) else SQLITE.get(code, OTHER)
        return _KINDS.get(says, StoreError)(says.format(where=where, why=why))
    state = getattr(why, "sqlstate", None) or "08"  # without one the server never answered
    says = POSTGRESQL.get(state) or POSTGRESQL.get(state[:2]) or OTHER
    reason = next((line.strip() for line in str(why).splitlines() if line.strip()), "no reason given")
    kind = OutOfReach if state.startswith(PASSING) and state != CANCELLED else StoreError
    return _KINDS.get(says, kind)(says.format(where=where, why=reason))


def own_timeout() -> float | None:
    """Return the seconds that the user wants runs to wait; None where nothing is said."""
    text = os.environ.get(TIMEOUT_VARIABLE, "")
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{TIMEOUT_VARIABLE} is a number of seconds, not {text!r}") from None


class Retries:
    """Try again while a database is away or locked, for a while, and not at all once that was in vain.

    A lock is waited out by runs only: whoever merely looks is told at once.
    """

    def __init__(self) -> None:
        self.spent = False

    def carry_out(self, work: Callable[[], R], tell: Callable[[str], None], running: bool = False) -> R:
        """Do some work, as often as it takes; `tell` hears of every pause, and an empty text after the last one."""
        begun, pause = time.monotonic(), FIRST_PAUSE_S
        while True:
            try:
                result = work()
            except (OutOfReach, LockedStore) as why:
                locked = isinstance(why, LockedStore)
                if locked and not running:
                    raise LockedStore(f"{why}: try again when that has ended") from why
                timeout = own_timeout()
                if timeout is None:
                    timeout = LOCK_TIMEOUT_S if locked else RETRY_TIMEOUT_S
                left = begun + (0 if self.spent else timeout) - time.monotonic()
                if left <= 0:
                    self.spent = True
                    raise StoreError(f"{why}; {KEPT}, and the same call goes on from there once it is back") from why
                tell(f"{why}; trying again for {max(1, left):.0f} s")
                try:
                    time.sleep(min(pause, left))
                except BaseException:  # whoever is interrupted wants to end
                    self.spent = True
                    raise
                pause = min(2 * pause, MAX_PAUSE_S)
                continue
            self.spent = False
            if pause > FIRST_PAUSE_S:
                tell("")
            return result
