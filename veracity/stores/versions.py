"""The version of a store's tables: made when the store is new, brought up to date when it is old."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, Engine, inspect, select, update

from veracity.core.errors import BadInput
from veracity.stores.schema import VERSION, about, tables

SCHEMA = "schema"  # the name under which the version is kept

# How to get from a version to the next, in SQL that both databases understand.
STEPS: Mapping[int, Callable[[Connection], None]] = {}


def prepare(engine: Engine, where: str, create: bool) -> None:
    """Leave a store of today's version, or say why that cannot be."""
    with engine.connect() as connection:
        found = _version(connection)
        if found is None:
            _may_be_made(connection, where, create)
    if found != VERSION:
        with engine.execution_options(writing=True).begin() as connection:
            _renew(connection, where)


def _version(connection: Connection) -> int | None:
    if not inspect(connection).has_table(about.name):
        return None
    return int(connection.execute(select(about.c.value).where(about.c.name == SCHEMA)).scalar_one())


def _may_be_made(connection: Connection, where: str, create: bool) -> None:
    if connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        raise BadInput(f"{where} is an SQLite database of something else, not a store: name another file")
    if not create:
        raise BadInput(f"there is no study in {where}")


def _renew(connection: Connection, where: str) -> None:
    """In one transaction, and looking again: another process may have been faster."""
    found = _version(connection)
    if found is None:
        tables.create_all(connection)
        connection.execute(about.insert().values(name=SCHEMA, value=str(VERSION)))
        return
    if found > VERSION:
        raise BadInput(
            f"{where} was made by a newer veracity (schema {found}, this one knows {VERSION}): "
            "pip install --upgrade veracity"
        )
    for version in range(found, VERSION):
        STEPS[version](connection)
    connection.execute(update(about).where(about.c.name == SCHEMA).values(value=str(VERSION)))
