"""The tables of a store, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Double, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects import postgresql, sqlite

VERSION = 1  # of the schema; a change of any table raises it and adds a step to versions.py

tables = MetaData()

about = Table(  # the schema's version, the description of the study, the number of planned splits
    "veracity_about",
    tables,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
data = Table(  # every data set but its features
    "veracity_data",
    tables,
    Column("name", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("described", Text, nullable=False),
    Column("arrays", LargeBinary, nullable=False),
)
designs = Table(
    "veracity_designs",
    tables,
    Column("data", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("described", Text, nullable=False),
    Column("arrays", LargeBinary, nullable=False),
)
cells = Table(  # the key of the fit that answers each split; one row for all splits, as 100,000 rows would be slow
    "veracity_cells",
    tables,
    Column("data", Text, primary_key=True),
    Column("learner", Text, primary_key=True),
    Column("design", Text, primary_key=True),
    Column("keys", LargeBinary, nullable=False),
)
shared = Table(  # fits that answer several splits, or none: those of a check or a final model
    "veracity_shared",
    tables,
    Column("key", Text, primary_key=True),
    Column("splits", Integer, nullable=False),
)
# Done and failed fits have a table each: counting all rows of a table is the fastest thing SQL can count.
outcomes = Table(
    "veracity_outcomes",
    tables,
    Column("key", Text, primary_key=True),
    Column("seconds", Double, nullable=False),
    Column("chosen", Text, nullable=False),
    Column("arrays", LargeBinary, nullable=False),
)
failures = Table(
    "veracity_failures",
    tables,
    Column("key", Text, primary_key=True),
    Column("seconds", Double, nullable=False),
    Column("reason", Text, nullable=False),
    Column("traceback", LargeBinary, nullable=False),
)
owners = Table(  # processes that run fits, and when each was last heard of, by the clock of the database
    "veracity_owners",
    tables,
    Column("owner", Text, primary_key=True),
    Column("seen", Double, nullable=False),
)
claims = Table(
    "veracity_claims",
    tables,
    Column("key", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
)
ledger = Table(  # every question asked of some test rows; nothing here is ever deleted
    "veracity_ledger",
    tables,
    Column("entry", Integer, primary_key=True),
    Column("rows", Text, nullable=False, index=True),
    Column("question", Text, nullable=False),
)


def inserting(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens to a row that is already there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)
