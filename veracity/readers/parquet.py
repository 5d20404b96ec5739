"""Parquet: columns keep their types; dates and times become text. A dotted name leads inside a column of records, and
other nested columns are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.relation import Relation, SqlColumn, connect, escape, first_line, quote
from veracity.readers.source import Source, Wanted, names_wanted, no_column, place_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE = "read_parquet($file, hive_partitioning = false)"
WHOLE = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG")} | {"INTEGER", "UINTEGER"}
NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL", "HUGEINT", "UHUGEINT")


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """The asked columns with the types they have."""
    import duckdb

    try:
        known, described = _schema(source, connection)
    except duckdb.Error as why:
        raise broken_file(source, why) from None
    columns = {}
    for name in names_wanted(known, names):
        head, *inside = name.split(".")
        if name not in known and inside and known.count(head) == 1:
            columns[name] = _inner_column(source, connection, name, described[known.index(head)][0], inside)
        else:
            columns[name] = _column(source, name, *described[place_of(source, known, name)])
    relation = Relation(source, connection, TABLE, columns)
    if not relation.all("1", "limit 1"):
        raise BadInput(f"{source.name} has columns but no rows")
    return relation


def broken_file(source: Source, why: Exception) -> BadInput:
    """The sentence for a file that duckdb cannot read."""
    reason = first_line(why).replace(str(source.path), source.name)
    return BadInput(f"{source.name} is a broken Parquet file: {reason}")


def first_cells(source: Source, rows: int) -> dict[str, list[Any]]:
    """The first cells of every plain column."""
    assert source.path is not None
    with connect() as connection:
        found = connection.execute(f"select * from {TABLE} limit {rows}", {"file": escape(source.path)})
        names, cells = [column[0] for column in found.description or ()], found.fetchall()
    return {
        name: [row[place] for row in cells]
        for place, name in enumerate(names)
        if not any(isinstance(row[place], (list, dict)) for row in cells)
    }


def _schema(source: Source, connection: DuckDBPyConnection) -> tuple[list[str], list[tuple[str, str]]]:
    """The names as the file holds them, and duckdb's own (made different where they clash) with their types."""
    assert source.path is not None
    file = {"file": escape(source.path)}
    tree = connection.execute("select name, num_children from parquet_schema($file)", file).fetchall()
    described = connection.execute(f"describe select * from {TABLE}", file).fetchall()
    return _top_names(tree), [(row[0], row[1]) for row in described]


def _top_names(tree: list[tuple[Any, ...]]) -> list[str]:
    """The names at the top of a schema that is written depth first, after its root."""
    names, place = [], 1
    while place < len(tree):
        names.append(tree[place][0])
        open_ends = 1
        while open_ends:
            open_ends += (tree[place][1] or 0) - 1
            place += 1
    return names


def _inner_column(
    source: Source, connection: DuckDBPyConnection, name: str, own: str, inside: Sequence[str]
) -> SqlColumn:
    """A value inside records, by the names that lead there."""
    import duckdb

    assert source.path is not None
    sql = quote(own, '"')
    for key in inside:
        sql = f"struct_extract({sql}, {quote(key)})"
    try:
        file = {"file": escape(source.path)}
        kind = connection.execute(f"describe select {sql} as x from {TABLE}", file).fetchall()[0][1]
    except duckdb.Error:
        raise no_column(source, name, _names_inside(source, connection)) from None
    return _plain_column(source, name, sql, kind)


def _names_inside(source: Source, connection: DuckDBPyConnection) -> list[str]:
    """The names of all columns, those inside records dotted."""
    assert source.path is not None
    path = {"file": escape(source.path)}
    row = connection.execute(f"select * from {TABLE} limit 1", path)
    names, cells = [column[0] for column in row.description or ()], row.fetchone() or ()
    return [
        inner
        for name, cell in zip(names, cells, strict=True)
        for inner in ([f"{name}.{key}" for key in cell] if isinstance(cell, dict) else [name])
    ]


def _column(source: Source, name: str, own: str, kind: str) -> SqlColumn:
    return _plain_column(source, name, quote(own, '"'), kind)


def _plain_column(source: Source, name: str, sql: str, kind: str) -> SqlColumn:
    if kind in WHOLE:
        return SqlColumn(sql, "whole")
    if kind.startswith(NUMBERS):
        return SqlColumn(sql if kind in ("FLOAT", "DOUBLE") else f"cast({sql} as double)", "number")
    if kind == "BOOLEAN":
        return SqlColumn(sql, "truth")
    if (kind.endswith(("]", ")")) and not kind.startswith("ENUM")) or kind in ("BLOB", "NULL", '"NULL"', "VARIANT"):
        says = "a column of numbers, text or true/false is needed"
        raise BadInput(f"{source.column(name)} is of type {brief(kind)}: {says}")
    return SqlColumn(f"cast({sql} as varchar)", "text")
