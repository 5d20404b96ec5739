"""The tables of a store, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Column, Double, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

VERSION = 5  # of the schema; a change of any table, or of what it must hold, raises it and adds a step to STEPS

tables = MetaData()


def _table(name: str, keys: str, *columns: Column[Any]) -> Table:
    """A table with keys of text, named in one text, and other columns, none of which may be empty."""
    return Table(f"veracity_{name}", tables, *(Column(key, Text, primary_key=True) for key in keys.split()), *columns)


def _column(name: str, kind: Any, index: bool = False) -> Column[Any]:
    return Column(name, kind, nullable=False, index=index)


# the schema's version, the description of the study, the number of planned splits, where they are planned
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
# every question asked of results, how often, and the tests that it made; by a digest, as texts may be long
looks = _table(
    "looks",
    "key",
    _column("place", Integer),
    _column("question", Text),
    _column("times", Integer),
    _column("found", Text),
)
# versions of libraries that made fits, as JSON; each fit has the number of one of them among its packed arrays
libraries = Table("veracity_libraries", tables, Column("number", Integer, primary_key=True), _column("versions", Text))
SCHEMA = "schema"  # the name under which the version is kept


@cache  # as making statements takes longer than carrying them out
def creation(dialect: str) -> tuple[str, ...]:
    """The statements that make every table and index that is not there."""
    every = tables.sorted_tables
    statements: list[ExecutableDDLElement] = [CreateTable(table, if_not_exists=True) for table in every]
    statements += [CreateIndex(index, if_not_exists=True) for table in every for index in table.indexes]
    language = {"sqlite": sqlite.dialect, "postgresql": postgresql.dialect}[dialect]()
    return tuple(str(statement.compile(dialect=language)) for statement in statements)


def insert_into(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens to a row that is already there."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


@cache  # as making a statement takes longer than carrying it out
def insert_new(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert of rows whose keys are not there yet, which tells how many those were."""
    added = insert_into(dialect, table).on_conflict_do_nothing(index_elements=["key"])
    return added.execution_options(preserve_rowcount=True)  # which psycopg else forgets
