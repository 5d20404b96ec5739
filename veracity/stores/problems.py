"""What is wrong with a store: its database, the checksum of every row, and what belongs together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, Table, delete, inspect

from veracity.records.arrays import Array
from veracity.records.design import Design
from veracity.stores import plan, results, schema
from veracity.stores.errors import DamagedBytes, reading

MAX_NAMES = 3  # of many alike, those that are named
RUN = "run the study again, which brings it back and fits only what is missing"
REPAIR = "`vc.check_store(where, repair=True)`"
ANEW = f"{REPAIR} takes that away, and the next run of the study makes it anew"
FORGET = f"restore a copy; {REPAIR} forgets it"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, under a code that stays the same, and what to do; `repair` does it where it can."""

    code: str
    says: str
    repair: Callable[[Connection], object] | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "says": self.says}


def repair_problems(connection: Connection, problems: Collection[Problem]) -> None:
    """Do for each problem that is still there what can be done without the study; a run may be writing meanwhile."""
    for problem in find_problems(connection):
        if problem.repair is not None and problem in problems:
            problem.repair(connection)


def find_problems(connection: Connection) -> tuple[Problem, ...]:
    """Return every problem, in the order in which they are to be solved."""
    problems = list(_database_problems(connection))
    if any(problem.code == "table" for problem in problems):
        return tuple(problems)

    def read(table: Table, code: str, what: str, unpack: Callable[[Row[Any]], Any], way: str) -> list[Any]:
        """Return what the rows of a table hold; those that cannot be read are a problem."""
        sound, damaged = _read_rows(connection, table, unpack)
        if damaged:
            says = f"{what} {_names(damaged)} cannot be read: {way}"
            problems.append(Problem(code, says, lambda link: _delete_rows(link, table, damaged)))
        return sound

    def unpack_about(row: Row[Any]) -> bool:
        return row.name == plan.STUDY and bool(plan.unpack_study(row))

    def unpack_design(row: Row[Any]) -> tuple[tuple[str, str], Design]:
        schema.verify(row)
        return (row.data, row.name), plan.unpack_design(row.name, row.described, row.arrays)

    def unpack_split(row: Row[Any]) -> Row[Any]:
        schema.verify(row[1:])
        return row

    studies = read(schema.about, "study-damaged", "the description of the study:", unpack_about, ANEW)
    sets = read(schema.data, "data-damaged", "the data set", lambda row: plan.unpack_data(row).name, ANEW)
    designs = dict(read(schema.designs, "design-damaged", "the splits of", unpack_design, ANEW))
    planned = read(schema.splits, "plan-damaged", "the plan of", unpack_split, ANEW)
    if not any(problem.code.endswith("-damaged") for problem in problems):
        problems += _lost_problems(any(studies), set(sets), designs, planned)

    expected: dict[str, list[tuple[Array, str]]] = {}  # by the key of a fit, rows of each split that it answers
    for _, of, design, learner, split, key, _ in planned:
        splits = designs[of, design].splits if (of, design) in designs else ()
        if split < len(splits):
            rows = [role for role in (splits[split].test, splits[split].validation) if role is not None]
            where = f"split {split} of {learner} on {of} by {design}"
            expected.setdefault(key, []).append((np.concatenate(rows), where))
    wrong: dict[str, str] = {}

    def check_fit(row: Row[Any]) -> None:
        outcome = results.unpack_outcome(row)
        for rows, where in expected.get(outcome.key, ()):
            if outcome.rows is not None and not np.isin(rows, outcome.rows).all():
                wrong[outcome.key] = where

    read(schema.fits, "fit-damaged", "what is stored of the fit", check_fit, ANEW)
    if wrong:
        says = f"what is stored of {_some(wrong.values())} are no predictions of its rows: {ANEW}"
        problems.append(Problem("fit-wrong", says, lambda link: results.remove(link, schema.fits, wrong)))
    read(schema.questions, "ledger", "of the questions in the ledger", schema.verify, FORGET)
    read(schema.libraries, "versions-damaged", "the versions of libraries", schema.verify, FORGET)
    return tuple(problems)


def _database_problems(connection: Connection) -> Iterator[Problem]:
    """Yield what an SQLite file finds in itself, and tables or columns that are not there."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql(f"pragma integrity_check({MAX_NAMES})").scalars().all()
        if found != ["ok"]:
            says = "restore a copy, or save what can be read with sqlite3's .recover"
            yield Problem("file", f"the file is damaged ({'; '.join(map(str, found))}): {says}")
    look = inspect(connection)
    for table in schema.tables.sorted_tables:
        there = {column["name"] for column in look.get_columns(table.name)} if look.has_table(table.name) else set()
        lost = [column.name for column in table.columns if column.name not in there]
        if lost:
            what = f"columns {', '.join(lost)} of the table {table.name}" if there else f"the table {table.name}"
            yield Problem("table", f"there is no {what}: restore a copy, or run the study in a new store")


def _read_rows(
    connection: Connection, table: Table, unpack: Callable[[Row[Any]], Any]
) -> tuple[list[Any], list[Row[Any]]]:
    """Return what the rows of a table hold, and those rows that cannot be read."""
    sound, damaged = [], []
    for row in connection.exec_driver_sql(f"select * from {table.name}", execution_options={"yield_per": 500}):
        try:
            with reading(table.name):
                sound.append(unpack(row))
        except DamagedBytes:
            damaged.append(row)
    return sound, damaged


def _lost_problems(
    described: bool, sets: set[str], designs: dict[tuple[str, str], Design], planned: Sequence[Row[Any]]
) -> Iterator[Problem]:
    """Yield what the planned splits need and the store does not have."""
    if planned and not described:
        yield Problem("study-lost", f"the description of the study is lost: {RUN}")
    if lost := {row.data for row in planned} - sets:
        yield Problem("data-lost", f"of the data sets {_some(lost)} is lost which rows are of which class: {RUN}")
    if gone := {(row.data, row.design) for row in planned} - designs.keys():
        says = f"the splits of {_some(f'{of} by {name}' for of, name in gone)} are lost: {RUN}"
        yield Problem("design-lost", says)
    counts = Counter((row.data, row.design, row.learner) for row in planned)
    fewer = [
        f"{learner} on {of} by {design}"
        for (of, design, learner), count in counts.items()
        if (of, design) in designs and count != len(designs[of, design])
    ]
    if fewer:
        yield Problem("plan-lost", f"a part of the plan of {_some(fewer)} is lost: {RUN}")


def _delete_rows(connection: Connection, table: Table, rows: Iterable[Row[Any]]) -> None:
    for row in rows:
        connection.execute(delete(table).where(*(column == row._mapping[column.name] for column in table.primary_key)))


def _names(rows: Iterable[Row[Any]]) -> str:
    """Return the first of many rows by what names them."""
    columns = ("learner", "data", "design", "name", "key", "number")
    cells = [[str(row._mapping[name]) for name in columns if name in row._mapping] for row in rows]
    return _some(" ".join(each[:3]) for each in cells)


def _some(names: Iterable[str]) -> str:
    """Return the first of many names, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = f" and {len(every) - MAX_NAMES} more" if len(every) > MAX_NAMES else ""
    return f"{', '.join(every[:MAX_NAMES])}{more}"
