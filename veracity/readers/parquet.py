"""Parquet: columns keep their types; dates and times become text. A dotted name leads inside a column of records, and
other nested columns are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.relation import Relation, SqlColumn, connect, escape, first_line, quote
from veracity.readers.source import Source, Wanted, names_wanted, no_column, places_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE = "read_parquet($file, hive_partitioning = false)"
WHOLE = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG")} | {"INTEGER", "UINTEGER"}
NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL", "HUGEINT", "UHUGEINT")


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """Return the asked columns with the types they have."""
    import duckdb

    assert source.path is not None
    file = {"file": escape(source.path)}
    try:
        tree = connection.execute("select name, num_children from parquet_schema($file)", file).fetchall()
        described = connection.execute(f"describe select * from {TABLE}", file).fetchall()
    except duckdb.Error as why:
        raise broken_file(source, why) from None
    known = _top_names(tree)  # as the file holds them; duckdb makes those that clash different
    wanted = names_wanted(known, names)
    inner = [name for name in wanted if name not in known and "." in name and known.count(name.split(".")[0]) == 1]
    places = places_of(source, known, [name for name in wanted if name not in inner])
    columns = {}
    for name in wanted:
        head, *inside = name.split(".") if name in inner else [name]
        sql, kind, *_ = described[known.index(head) if name in inner else places[name]]
        sql = quote(sql, '"')
        for key in inside:
            sql = f"struct_extract({sql}, {quote(key)})"
        if inside:
            try:
                kind = connection.execute(f"describe select {sql} as x from {TABLE}", file).fetchall()[0][1]
            except duckdb.Error:
                raise no_column(source, name, _names_inside(connection, file)) from None
        columns[name] = _typed(source, name, sql, kind)
    relation = Relation(source, connection, TABLE, columns)
    if not relation.all("1", "limit 1"):
        raise BadInput(f"{source.name} has columns but no rows")
    return relation


def broken_file(source: Source, why: Exception) -> BadInput:
    """Return the error for a file that duckdb cannot read."""
    reason = first_line(why).replace(str(source.path), source.name)
    return BadInput(f"{source.name} is a broken Parquet file: {reason}")


def first_cells(source: Source, rows: int) -> dict[str, list[Any]]:
    """Return the first cells of every plain column."""
    assert source.path is not None
    with connect() as connection:
        found = connection.execute(f"select * from {TABLE} limit {rows}", {"file": escape(source.path)})
        names, cells = [column[0] for column in found.description or ()], found.fetchall()
    return {
        name: [row[place] for row in cells]
        for place, name in enumerate(names)
        if not any(isinstance(row[place], (list, dict)) for row in cells)
    }


def _top_names(tree: list[tuple[Any, ...]]) -> list[str]:
    """Return the names at the top of a schema that is written depth first, after its root."""
    names, place = [], 1
    while place < len(tree):
        names.append(tree[place][0])
        open_ends = 1
        while open_ends:
            open_ends += (tree[place][1] or 0) - 1
            place += 1
    return names


def _names_inside(connection: DuckDBPyConnection, file: dict[str, str]) -> list[str]:
    """Return the names of all columns, those inside records dotted."""
    row = connection.execute(f"select * from {TABLE} limit 1", file)
    names, cells = [column[0] for column in row.description or ()], row.fetchone() or ()
    return [
        inner
        for name, cell in zip(names, cells, strict=True)
        for inner in ([f"{name}.{key}" for key in cell] if isinstance(cell, dict) else [name])
    ]


def _typed(source: Source, name: str, sql: str, kind: str) -> SqlColumn:
    if kind in WHOLE:
        return SqlColumn(sql, "whole")
    if kind.startswith(NUMBERS) and not kind.endswith("]"):
        return SqlColumn(sql if kind in ("FLOAT", "DOUBLE") else f"cast({sql} as double)", "number")
    if kind == "BOOLEAN":
        return SqlColumn(sql, "truth")
    if (kind.endswith(("]", ")")) and not kind.startswith("ENUM")) or kind in ("BLOB", "NULL", '"NULL"', "VARIANT"):
        says = "a column of numbers, text or true/false is needed"
        raise BadInput(f"{source.column(name)} is of type {brief(kind)}: {says}")
    return SqlColumn(f"cast({sql} as varchar)", "text")
