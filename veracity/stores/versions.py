"""A store is made when it is new, brought up to date when it is old, and refused when it is of a newer veracity."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, Engine, inspect, select
from sqlalchemy.exc import DBAPIError

from veracity.core.errors import BadInput, StoreError
from veracity.core.words import brief
from veracity.stores.database_errors import DAMAGED, DamagedStore, is_read_only
from veracity.stores.recorded_places import record_places
from veracity.stores.schema import SCHEMA, VERSION, about, creation, libraries, looks

CHECKED = 2**30  # bytes of an SQLite file that is looked through when it is opened, in 0.2 s for 100,000 fits
NEWEST = 10**6  # a version that no veracity will reach
# How to get from a version to the next, in SQL that both databases understand. Each step only adds, so that an old
# store where nothing may be written can be read as it is.
# The third version keeps times of training and of predicting with each prediction: fits made before it have none.
# The fourth has a table of looks.
# The fifth has one of the versions of libraries that made fits, and seals what is written: what was written before it
# has neither.
STEPS: Mapping[int, Callable[[Connection], None]] = {
    1: record_places,
    2: lambda connection: None,
    3: lambda connection: looks.create(connection, checkfirst=True),
    4: lambda connection: libraries.create(connection, checkfirst=True),
}


class NothingStored(BadInput):
    """A database that may become a store, and is none yet."""


def prepare_tables(engine: Engine, where: str, create: bool, renew: bool = True) -> None:
    """Leave a store of today's version, or say why that cannot be."""
    with engine.connect() as connection:
        version = _version(connection, where)
        if version is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
            raise BadInput(f"{where} is an SQLite database of something else, not a store: name another file")
        if version is None and not create:
            raise NothingStored(f"there is no study in {where}")
        _refuse_newer(version, where)
        if version is not None:
            _check_file(connection, where)
    if version == VERSION:
        return
    if version is not None and not renew:
        raise StoreError(f"{where} was made by an older veracity: veracity status {where} renews it")
    try:
        with engine.execution_options(writing=True).begin() as connection:
            _renew(connection, where)
    except DBAPIError as why:
        if create or not is_read_only(why.orig):
            raise


def _check_file(connection: Connection, where: str) -> None:
    """Refuse an SQLite file whose tables and indexes are not as SQLite wrote them: a row that an index does not find
    would be missing in silence. One that is too large for that has only the checksums of its rows.
    """
    if connection.dialect.name != "sqlite":
        return
    pages, size = (connection.exec_driver_sql(f"pragma {name}").scalar_one() for name in ("page_count", "page_size"))
    if pages * size > CHECKED:
        return
    found = connection.exec_driver_sql("pragma integrity_check(1)").scalar_one()
    if found != "ok":
        raise DamagedStore(DAMAGED.format(where=where, why=found.splitlines()[-1]))


def _version(connection: Connection, where: str) -> int | None:
    if not inspect(connection).has_table(about.name):
        return None
    text = connection.execute(select(about.c.value).where(about.c.name == SCHEMA)).scalar_one_or_none()
    if text is None or not str(text).isdecimal() or not 1 <= int(text) <= NEWEST:
        why = "the version of its tables is lost" if text is None else f"tables of version {brief(str(text))}"
        raise DamagedStore(DAMAGED.format(where=where, why=why))
    return int(text)


def _refuse_newer(version: int | None, where: str) -> None:
    if version is not None and version > VERSION:
        newer = f"a newer veracity (schema {version}, this one knows {VERSION})"
        raise BadInput(f"{where} was made by {newer}: pip install --upgrade veracity")


def _renew(connection: Connection, where: str) -> None:
    """In one transaction, and looking again: another process may have been faster."""
    version = _version(connection, where)
    if version is None:
        for statement in creation(connection.dialect.name):
            connection.exec_driver_sql(statement)
        connection.execute(about.insert().values(name=SCHEMA, value=str(VERSION)))
        return
    _refuse_newer(version, where)
    for step in range(version, VERSION):
        STEPS[step](connection)
    connection.execute(about.update().where(about.c.name == SCHEMA).values(value=str(VERSION)))
