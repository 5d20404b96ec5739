"""The tables of a store, the same in SQLite and PostgreSQL: made when it is new, brought up to date when it is old."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Double, Engine, Integer, LargeBinary, MetaData, Table, Text, inspect, select
from sqlalchemy.dialects import postgresql, sqlite

from veracity.core.errors import BadInput

VERSION = 1  # of the schema; a change of any table raises it and adds a step to STEPS

tables = MetaData()


def _table(name: str, keys: str, *columns: Column[Any]) -> Table:
    """A table with keys of text, named in one text, and other columns, none of which may be empty."""
    return Table(f"veracity_{name}", tables, *(Column(key, Text, primary_key=True) for key in keys.split()), *columns)


def _column(name: str, kind: Any, index: bool = False) -> Column[Any]:
    return Column(name, kind, nullable=False, index=index)


# the schema's version, the description of the study, the number of planned splits
about = _table("about", "name", _column("value", Text))
_CONTENT = ("fingerprint", Text), ("described", Text), ("arrays", LargeBinary)
data = _table("data", "name", *(_column(*each) for each in _CONTENT))  # every data set but its features
designs = _table("designs", "data name", *(_column(*each) for each in _CONTENT))
# the key of the fit that answers each split; one row for all splits, as 100,000 rows would be slow
cells = _table("cells", "data learner design", _column("keys", LargeBinary))
# fits that answer several splits, or none: those of a check or a final model
shared = _table("shared", "key", _column("splits", Integer))
# Done and failed fits have a table each: counting all rows of a table is the fastest thing SQL can count.
successes = _table(
    "outcomes", "key", _column("seconds", Double), _column("chosen", Text), _column("arrays", LargeBinary)
)
failures = _table(
    "failures", "key", _column("seconds", Double), _column("reason", Text), _column("traceback", LargeBinary)
)
# processes that run fits, and when each was last heard of, by the clock of the database
owners = _table("owners", "owner", _column("seen", Double))
claims = _table("claims", "key", _column("owner", Text, index=True))
ledger = Table(  # every question asked of some test rows; nothing here is ever deleted
    "veracity_ledger",
    tables,
    Column("entry", Integer, primary_key=True),
    _column("rows", Text, index=True),
    _column("question", Text),
)
SCHEMA = "schema"  # the name under which the version is kept
# How to get from a version to the next, in SQL that both databases understand.
STEPS: Mapping[int, Callable[[Connection], None]] = {}


def insert_into(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens to a row that is already there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def prepare_tables(engine: Engine, where: str, create: bool) -> None:
    """Leave a store of today's version, or say why that cannot be."""
    with engine.connect() as connection:
        version = _version(connection)
        if version is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
            raise BadInput(f"{where} is an SQLite database of something else, not a store: name another file")
        if version is None and not create:
            raise BadInput(f"there is no study in {where}")
    if version != VERSION:
        with engine.execution_options(writing=True).begin() as connection:
            _renew(connection, where)


def _version(connection: Connection) -> int | None:
    if not inspect(connection).has_table(about.name):
        return None
    return int(connection.execute(select(about.c.value).where(about.c.name == SCHEMA)).scalar_one())


def _renew(connection: Connection, where: str) -> None:
    """In one transaction, and looking again: another process may have been faster."""
    version = _version(connection)
    if version is None:
        tables.create_all(connection)
        connection.execute(about.insert().values(name=SCHEMA, value=str(VERSION)))
        return
    if version > VERSION:
        newer = f"a newer veracity (schema {version}, this one knows {VERSION})"
        raise BadInput(f"{where} was made by {newer}: pip install --upgrade veracity")
    for step in range(version, VERSION):
        STEPS[step](connection)
    connection.execute(about.update().where(about.c.name == SCHEMA).values(value=str(VERSION)))
