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
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool, Pool, QueuePool

from veracity.core.errors import BadInput, StoreError
from veracity.stores.database_errors import OutOfReach

REACH = 10  # seconds to wait for a server that does not answer
SILENCE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}
COMPILED: dict[Any, Any] = {}  # statements of all files of this process
TURN = "pg_advisory_xact_lock(hashtext('veracity'), hashtext(current_schema()))"


class FileDialect(SQLiteDialect_pysqlite):
    """All files are spoken to alike: a statement that was compiled for one need not be for the next."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.file", __name__, FileDialect.__name__)


def sqlite_engine(path: Path, create: bool, wait: float, lasting: bool = True) -> Engine:
    """Connections to the file; one that can only be read is opened as such unless it is to be created."""
    path = path.resolve()  # the log is beside the file itself, not beside a link to it
    _check_place(path, create)
    connect = partial(_connect, f"{path.as_uri()}?mode={'rwc' if create else 'rw'}", wait, lasting)
    pool: type[Pool] = QueuePool
    if not _is_writable(path):
        _check_readable(path, create)
        connect, pool = partial(_connect_to_read, path, wait), NullPool  # each time as the file is then

    options = {"compiled_cache": COMPILED}
    engine = create_engine(
        "sqlite+file://", creator=connect, poolclass=pool, hide_parameters=True, execution_options=options
    )
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _check_place(path: Path, create: bool) -> None:
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it for the store")
    if not create and not path.exists():
        raise BadInput(f"there is no store at {path}: `Study.run` makes one")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent}: make it, or put the store elsewhere")


def _is_writable(path: Path) -> bool:
    """The folder too: the log is a file of its own beside the store."""
    effective = os.access in os.supports_effective_ids
    places = [path.parent, *([path] if path.exists() else [])]
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)


def _check_readable(path: Path, create: bool) -> None:
    if create:
        raise StoreError(f"cannot write {path.name} in {path.parent}: it is read-only; put the store elsewhere")
    log, shared = _companions(path)
    if log.exists() and log.stat().st_size and not shared.exists():  # nobody has it open
        raise StoreError(f"{path} has unfinished writes and its folder is read-only: copy it with {log.name} elsewhere")


def _companions(path: Path) -> tuple[Path, Path]:
    """The log of a file, and what those who have it open share."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


class _Still(sqlite3.Connection):
    """A connection that reads without locks, as it can make none, and so must know whether anybody writes."""

    path: Path
    seen: tuple[int, ...] | None = None

    def look(self) -> tuple[int, ...]:
        """What changes when somebody writes."""
        files = [file.stat() for file in (self.path, *_companions(self.path)) if file.exists()]
        return tuple(number for file in files for number in (file.st_mtime_ns, file.st_size))


@contextmanager
def unchanged(connection: Connection) -> Iterator[None]:
    """Raise OutOfReach, so that it is read again, where somebody wrote to what was read without locks meanwhile."""
    driver: Any = connection.connection.dbapi_connection
    try:
        yield
    finally:
        if isinstance(driver, _Still) and driver.seen not in (None, driver.look()):
            raise OutOfReach(f"{connection.get_execution_options()['where']} is being written to while it is read")


def _connect_to_read(path: Path, wait: float) -> sqlite3.Connection:
    """With locks where somebody has the file open; else without, which needs no file beside it."""
    still = not _companions(path)[1].exists()
    uri = f"{path.as_uri()}?mode=ro{'&immutable=1' if still else ''}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=wait, check_same_thread=False, isolation_level=None, factory=_Still
    )
    connection.path = path
    connection.seen = connection.look() if still else None
    return connection


def _connect(uri: str, wait: float, lasting: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=wait, check_same_thread=False, isolation_level=None)
    try:
        connection.execute(f"pragma synchronous = {'normal' if lasting else 'off'}")
        _keep_a_log(connection, wait)
    except BaseException:
        connection.close()
        raise
    return connection


def _keep_a_log(connection: sqlite3.Connection, wait: float) -> None:
    """The change to a log does not wait for other processes that make the same change just now, so we do."""
    end = time.monotonic() + wait
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as why:
            if why.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its turn at the start: one that began by reading could be refused half-way."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("begin immediate" if writing else "begin")


def postgres_engine(url: URL, wait: float) -> Engine:
    """Connections to the database, renewed when the server was started anew."""
    arguments = {name: value for name, value in {"connect_timeout": REACH, **SILENCE}.items() if name not in url.query}
    try:
        engine = create_engine(url, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
    except ImportError:
        raise BadInput("PostgreSQL needs the extra 'postgres': pip install 'veracity[postgres]'") from None
    event.listen(engine, "begin", partial(_begin_postgres, wait))
    return engine


def _begin_postgres(wait: float, connection: Connection) -> None:
    """Writers take turns, as in SQLite: then what one decides from what it reads holds until it has written.

    One statement, as each is a way to the server and back.
    """
    if connection.get_execution_options().get("writing"):
        connection.exec_driver_sql(f"select set_config('lock_timeout', '{round(1000 * wait)}', true), {TURN}")
