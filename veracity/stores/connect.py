"""An SQLite file, or a PostgreSQL database or one schema of it, as the database of a store.

A file has a write-ahead log with synchronous=NORMAL: what was written survives the death of the process at any moment;
when the whole machine loses power the file stays sound, and at worst the last moments are missing and are fitted again.
One that goes with its process need not, and nobody waits for the disk. The log needs shared memory: on a network drive
use PostgreSQL.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool, QueuePool

from veracity.core.errors import BadInput, StoreError
from veracity.stores.errors import OutOfReach

CONNECT_TIMEOUT_S = 10  # for a server that does not answer
KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}
WRITE_LOCK = "pg_advisory_xact_lock(hashtext('veracity'), hashtext(current_schema()))"


def sqlite_engine(path: Path, create: bool, wait: float, lasting: bool = True) -> Engine:
    """Return connections to a file; one that can only be read is opened as such unless it is to be created."""
    path = path.resolve()  # the log is beside the file itself, not beside a link to it
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it for the store")
    if not create and not path.exists():
        raise BadInput(f"there is no store at {path}: `Study.run` makes one")
    if not create and path.stat().st_size == 0:  # into which SQLite would write
        raise BadInput(f"there is no study in {path}")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent}: make it, or put the store elsewhere")
    effective = os.access in os.supports_effective_ids
    places = [path.parent, *([path] if path.exists() else [])]  # the log is a file of its own in the folder
    if all(os.access(place, os.W_OK, effective_ids=effective) for place in places):
        mode = "rwc" if create else "rw"
        connect = partial(_connect, f"{path.as_uri()}?mode={mode}", wait, lasting)
        engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, hide_parameters=True)
    else:
        if create:
            raise StoreError(f"cannot write {path.name} in {path.parent}: it is read-only; put the store elsewhere")
        log, shared = _companions(path)
        if log.exists() and log.stat().st_size and not shared.exists():  # nobody has it open
            says = f"{path} has unfinished writes and its folder is read-only"
            raise StoreError(f"{says}: copy it with {log.name} elsewhere")
        connect = partial(_connect_to_read, path, wait)
        engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _companions(path: Path) -> tuple[Path, Path]:
    """Return the log of a file, and what those who have it open share."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


class _FileConnection(sqlite3.Connection):
    """A connection to a file; one that reads without locks knows the state of the file, which changes with a write."""

    lock_free_path: Path | None = None
    state_when_opened: tuple[int, ...] = ()


def _file_state(path: Path) -> tuple[int, ...]:
    files = [file.stat() for file in (path, *_companions(path)) if file.exists()]
    return tuple(number for file in files for number in (file.st_mtime_ns, file.st_size))


@contextmanager
def check_unchanged(connection: Connection) -> Iterator[None]:
    """Raise OutOfReach, so that it is read again, where somebody wrote to what was read without locks."""
    driver: Any = connection.connection.dbapi_connection
    try:
        yield
    finally:
        path = getattr(driver, "lock_free_path", None)
        if path is not None and _file_state(path) != driver.state_when_opened:
            raise OutOfReach(f"{path} is being written to while it is read")


def _connect_to_read(path: Path, wait: float) -> sqlite3.Connection:
    """Connect with locks where somebody has the file open; else without, which needs no file beside it."""
    if _companions(path)[1].exists():
        return _open(f"{path.as_uri()}?mode=ro", wait)
    connection = _open(f"{path.as_uri()}?mode=ro&immutable=1", wait)
    connection.lock_free_path, connection.state_when_opened = path, _file_state(path)
    return connection


def _open(uri: str, wait: float) -> _FileConnection:
    options: dict[str, Any] = {"check_same_thread": False, "isolation_level": None, "factory": _FileConnection}
    return sqlite3.connect(uri, uri=True, timeout=wait, **options)


def _connect(uri: str, wait: float, lasting: bool) -> sqlite3.Connection:
    connection = _open(uri, wait)
    end = time.monotonic() + wait
    try:
        connection.execute(f"pragma synchronous = {'normal' if lasting else 'off'}")
        while True:  # SQLite does not wait for other processes that make the same change just now
            try:
                connection.execute("pragma journal_mode = wal")
                return connection
            except sqlite3.OperationalError as why:
                if why.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)
    except BaseException:
        connection.close()
        raise


def _begin_sqlite(connection: Connection) -> None:
    """Let a writer take its turn at the start: one that began by reading could be refused half-way."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("begin immediate" if writing else "begin")


def postgres_engine(url: URL, wait: float) -> Engine:
    """Return connections to a database, renewed when the server was started anew."""
    wanted = {"connect_timeout": CONNECT_TIMEOUT_S, **KEEPALIVES}
    arguments = {name: value for name, value in wanted.items() if name not in url.query}
    try:
        engine = create_engine(url, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
    except ImportError:
        raise BadInput("PostgreSQL needs the extra 'postgres': pip install 'veracity[postgres]'") from None
    event.listen(engine, "begin", partial(_begin_postgres, wait))
    return engine


def _begin_postgres(wait: float, connection: Connection) -> None:
    """Let writers take turns, as in SQLite: then what one decides from what it reads holds until it has written.

    One statement, as each is a way to the server and back.
    """
    if connection.get_execution_options().get("writing"):
        connection.exec_driver_sql(f"select set_config('lock_timeout', '{round(1000 * wait)}', true), {WRITE_LOCK}")
