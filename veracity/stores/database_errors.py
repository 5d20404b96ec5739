"""What went wrong in a database, as one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from veracity.core.errors import BadInput, StoreError, VeracityError, damage
from veracity.stores.packing import DamagedBytes

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


_KINDS: dict[str, type[StoreError]] = {DAMAGED: DamagedStore, LOCKED: LockedStore}


def is_read_only(why: BaseException | None) -> bool:
    """Whether a driver says that nothing may be written."""
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
    """The error to raise for what a driver raised."""
    if isinstance(why, sqlite3.Error):
        return _sqlite_error(where, why)
    state = getattr(why, "sqlstate", None) or "08"  # without one the server never answered
    says = POSTGRESQL.get(state) or POSTGRESQL.get(state[:2]) or OTHER
    reason = next((line.strip() for line in str(why).splitlines() if line.strip()), "no reason given")
    kind = OutOfReach if state.startswith(PASSING) and state != CANCELLED else StoreError
    return _KINDS.get(says, kind)(says.format(where=where, why=reason))


def _sqlite_error(where: str, why: sqlite3.Error) -> VeracityError:
    code = getattr(why, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        study = "it is a study file, whose results are in the store that it or --store named, else in results.db"
        why_not = study if where.endswith(".toml") else "the file is not an SQLite database, as a run makes it"
        return BadInput(f"{where} is not a store: {why_not}")
    says = DAMAGED if str(why).startswith(UNREADABLE) else SQLITE.get(code, OTHER)
    return _KINDS.get(says, StoreError)(says.format(where=where, why=why))
