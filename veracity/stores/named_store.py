"""Where a study file says that its results are kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

from veracity.core.errors import BadInput
from veracity.stores.open_store import is_file_address, names_password, server_of, shown_address

KEY = "store"
RESULTS = "results.db"  # in the current folder, where no store is named
TRUST_OR_NAME = "`trust_store=True`, or name it, `store=ADDRESS`"


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
    if is_file_address(named):
        raise BadInput('an SQLite store is named by its file, such as "results.db"')
    if names_password(named):
        raise BadInput("a study file is read by others: leave out the password, which PGPASSWORD or ~/.pgpass may hold")
    return named
