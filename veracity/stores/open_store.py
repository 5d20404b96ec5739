"""Where a study is kept: opening a file or an address, and what a study file names."""

from __future__ import annotations

import tomllib
import weakref
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from veracity.core.environment import PrivateFolder
from veracity.core.errors import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from veracity.stores.store import Store

    StoreLike: TypeAlias = str | Path | Store  # a file, an address, or a store that is open

WRITE_TIMEOUT_S = 30.0  # for another writer to end, at each attempt
KEY = "store"  # of a study file, which names where its results are kept
RESULTS = "results.db"  # in the current folder, where no store is named
TRUST_OR_NAME = "`trust_store=True`, or name it, `store=ADDRESS`"
HIDING_SERVER = {"conninfo", "dbname"}  # words of an address in which libpq may find another server


def open_store(
    where: str | Path, create: bool = True, wait: float | None = None, renew: bool = True, lasting: bool = True
) -> Store:
    """The store in an SQLite file or at a `postgresql+psycopg://` address; made when it is not there yet.

    With create=False it must be there, and may be in a folder where nothing can be written; with renew=False one of
    an older version is refused, which else is converted; with lasting=False a file need not survive the loss
    of power. A writer waits `wait` seconds for its turn, 30 or what VERACITY_STORE_WAIT_S says; a run then tries again
    for ten minutes, or so many seconds.
    """
    from veracity.stores.connect import postgres_engine, sqlite_engine
    from veracity.stores.errors import own_timeout, translate_errors
    from veracity.stores.migrate import prepare_tables
    from veracity.stores.store import Store

    if wait is None:
        own = own_timeout()
        wait = WRITE_TIMEOUT_S if own is None else min(WRITE_TIMEOUT_S, own)
    if not str(where).strip() or any(sign == "\0" or "\ud800" <= sign <= "\udbff" for sign in str(where)):
        raise BadInput("name a file or the address of a database for the store")
    url = _address(str(where)) if "://" in str(where) else None
    name = str(where) if url is None else _without_password(url)
    with translate_errors(name):
        if url is None or url.get_backend_name() == "sqlite":
            if url is not None and (url.host or url.query or not url.database or url.database == ":memory:"):
                raise BadInput("write the address of an SQLite store as sqlite:///folder/file.db")
            file = Path(str(where) if url is None else str(url.database))
            engine = sqlite_engine(file, create, wait, lasting)
        else:
            engine = postgres_engine(url, wait)
        store = Store(engine, name)
        try:
            prepare_tables(engine, name, create, renew)
        except BaseException:
            store.close()
            raise
    return store


def store_of(given: StoreLike, create: bool = True) -> Store:
    """A store by its file or address, or one that is open already."""
    from veracity.stores.store import Store

    if isinstance(given, Store):
        return given
    if not isinstance(given, (str, Path)):
        raise BadInput(f"a store is a file, an address or an open store, not {type(given).__name__}")
    return open_store(given, create)


def temporary_store() -> Store:
    """A store in a folder of its own, which goes when nobody holds the store any more."""
    folder = PrivateFolder()
    store = open_store(folder.path / "runs.db", lasting=False)
    weakref.finalize(store, lambda: folder.close())  # which keeps the folder until then
    return store


def _address(where: str) -> URL:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise BadInput("cannot read the address of the store: write postgresql+psycopg://user@host/name") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
        says = f"a store is an SQLite file or postgresql+psycopg://..., not {url.drivername}://..."
        raise BadInput(f"{says}; what is on the web is downloaded first")
    if url.get_backend_name() != "sqlite" and set("@:?") & set(url.database or ""):
        raise BadInput("cannot read the address of the store: write postgresql+psycopg://user@host/name")
    if HIDING_SERVER & set(url.query):
        raise BadInput("the address of a store names its server as host: leave out conninfo and dbname")
    if "@" in (url.host or ""):
        raise BadInput("an @ in the password of the store's address is written %40")
    return url


def shown_address(where: str) -> str:
    """An address as anybody may see it; of one that cannot be read, nothing before its last @ but the kind."""
    try:
        return _without_password(_address(where))
    except BadInput:
        kind, _, rest = where.partition("://")
        return f"{kind}://***@{rest.rpartition('@')[2].partition('?')[0]}"


def is_database(where: str) -> bool:
    """Whether a file is one of SQLite, which alone may look: whoever else closes it takes the locks of this process."""
    import sqlite3  # most commands read no store

    path = Path(where)
    try:
        if not path.is_file() or not path.stat().st_size:  # a pipe can be read once
            return False
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("select count(*) from sqlite_master")
    except UnicodeDecodeError:  # a name in the schema of a damaged one
        return True
    except (OSError, sqlite3.Error) as why:
        no_database = getattr(why, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN)
        return no_database not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN)  # a damaged one is one too
    return True


def server_of(where: str) -> str:
    """Return the server, or servers, that the database driver would contact for an address, for people to read."""
    url = _address(where)
    words = url.get_dialect()().create_connect_args(url)[1]
    hosts, ports = (str(words.get(word) or "").split(",") for word in ("host", "port"))
    if "hostaddr" in words:
        hosts = str(words["hostaddr"]).split(",")
    if hosts == [""]:
        service = words.get("service")
        return f"of the service {service}" if service else "that PGHOST names, or the one of this machine"
    ports = ports * len(hosts) if len(ports) == 1 else ports
    return ", ".join(f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=False))


def _without_password(url: URL) -> str:
    """The address without the password, wherever that was written."""
    return url.update_query_dict(dict.fromkeys(_secrets(url), "***")).render_as_string(hide_password=True)


def _secrets(url: URL) -> list[str]:
    """The words of an address behind which a password stands, such as that of a key."""
    return [word for word in url.query if "password" in word]


# Stores that study files name


def named_store(study: str | Path) -> str | None:
    """What a study file names; None where it names nothing, or cannot be read, which its reader tells."""
    try:
        named = tomllib.loads(Path(study).read_text("utf-8")).get(KEY)
    except (OSError, TypeError, ValueError):
        return None
    if not isinstance(named, str):
        return None
    try:
        return place_of_store(named, Path(study).parent)
    except BadInput as why:
        raise BadInput(f"{study}: {KEY}: {why.says}") from None


def trusted_store(study: str | Path, trusted: bool) -> str | None:
    """Return the store that a study file names; refuse a database server that the user has not trusted.

    Connecting hands the password of PGPASSWORD, ~/.pgpass or a service file to whoever listens there, and a study file
    may come from anybody.
    """
    return check_trusted(named_store(study), study, trusted)


def check_trusted(store: str | None, study: str | Path, trusted: bool) -> str | None:
    """Return the store, unless it is on a database server that only the study file names."""
    if store is None or trusted or "://" not in store:
        return store
    where = f"{study} keeps its results on the database server {server_of(store)} ({shown_address(store)})"
    why = "which is not contacted, as it would get your database password"
    raise BadInput(f"{where}, {why}: if the server may have it, give {TRUST_OR_NAME}")


def place_of_store(named: str, folder: Path) -> str:
    """A file, by its path from the folder of the study file, or the address of a database as it is."""
    if not named.strip():
        raise BadInput('this is a file, such as "results.db", or the address of a database')
    if "://" not in named:
        return str(folder / named)
    url = _address(named)
    if url.get_backend_name() == "sqlite":
        raise BadInput('an SQLite store is named by its file, such as "results.db"')
    if url.password is not None or _secrets(url):
        raise BadInput("a study file is read by others: leave out the password, which PGPASSWORD or ~/.pgpass may hold")
    return named
