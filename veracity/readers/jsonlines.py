"""JSON lines: one object per line; the cells of a column are of one type, and an absent key is a missing cell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.relation import Relation, SqlColumn, first_line, quote
from veracity.readers.source import Source, Wanted, names_wanted, no_column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE = "read_ndjson_objects($file, compression = 'uncompressed', hive_partitioning = false)"
KINDS = {1: "missing", 2: "whole", 4: "number", 8: "truth", 16: "text", 32: "nested"}
CASTS = {"whole": "bigint", "number": "double", "truth": "boolean"}
WORDS = {
    "whole": "a number",
    "number": "a number",
    "truth": "true or false",
    "text": "text",
    "nested": "a nested value",
}


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """The asked columns, typed."""
    import duckdb

    known = _keys(source)
    names = names_wanted(known, names)
    for name in names:
        if name not in known:
            raise no_column(source, name, known)
    untyped = Relation(source, connection, TABLE, {name: SqlColumn(_pointer(name), "") for name in names})
    try:
        select = ", ".join(f"bit_or({_kind(column.sql)})" for column in untyped.columns.values())
        *masks, others = untyped.all(f"{select}, bool_or(json_type(json) <> 'OBJECT')")[0]
        columns = {name: _typed_column(untyped, name, mask) for name, mask in zip(names, masks, strict=True)}
    except duckdb.Error as why:
        raise _diagnosis(source, why) from None
    if others:
        raise _diagnosis(source, ValueError("a line is not an object"))
    return Relation(source, connection, TABLE, columns)


def _pointer(name: str) -> str:
    """SQL for the path of a key, exact whatever signs it holds."""
    return quote("/" + name.replace("~", "~0").replace("/", "~1"))


def _kind(pointer: str) -> str:
    """SQL for the kind of one cell, as a bit."""
    return (
        f"case coalesce(json_type(json, {pointer}), 'NULL') when 'NULL' then 1 when 'BIGINT' then 2 "
        "when 'UBIGINT' then 2 when 'DOUBLE' then 4 when 'BOOLEAN' then 8 when 'VARCHAR' then 16 else 32 end"
    )


def _typed_column(untyped: Relation, name: str, mask: int) -> SqlColumn:
    pointer = untyped.columns[name].sql
    kinds = [kind for bit, kind in KINDS.items() if mask & bit and kind != "missing"]
    if "nested" in kinds or len({WORDS[kind] for kind in kinds}) > 1:
        raise _mixture(untyped, name, kinds)
    kind = kinds[-1] if kinds else "text"
    cell = f"json_extract_string(json, {pointer})"
    return SqlColumn(f"cast({cell} as {CASTS[kind]})" if kind in CASTS else cell, kind)


def _mixture(untyped: Relation, name: str, kinds: list[str]) -> BadInput:
    place = untyped.source.column(name)
    bits = {kind: bit for bit, kind in KINDS.items()}
    kind_of_cell = _kind(untyped.columns[name].sql)
    rows = sorted((untyped.first_row(f"{kind_of_cell} = {bits[kind]}") or 0, kind) for kind in kinds)
    if "nested" in kinds:
        row = next(row for row, kind in rows if kind == "nested")
        return BadInput(f"{place}: row {row} holds a nested value; a cell is a number, a text, true or false")
    (first, one), *others = rows
    row, other = next((row, kind) for row, kind in others if WORDS[kind] != WORDS[one])
    return BadInput(f"{place}: row {row} holds {WORDS[other]}, but row {first} holds {WORDS[one]}: make them alike")


def _keys(source: Source) -> list[str]:
    """The columns there are: the keys of the first object."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        first = next((line for line in lines if line.strip()), "")
    if first.lstrip()[:1] == "[":
        raise BadInput(f"{source.name} holds a JSON array: write one object per line instead")
    return list(_object(source, 1, first))


def _object(source: Source, row: int, line: str) -> dict[str, Any]:
    try:
        content = json.loads(line)
        wrong = "" if isinstance(content, dict) else f"not an object but {brief(json.dumps(content), 30)}"
    except (ValueError, RecursionError):
        wrong = "not JSON"
    if wrong:
        raise BadInput(f"{source.name}: row {row} is {wrong}: write one JSON object per line")
    return content


def _diagnosis(source: Source, why: Exception) -> BadInput:
    """The first line that is wrong, found by reading the file again slowly, after duckdb has refused it."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        for row, line in enumerate(filter(str.strip, lines), 1):
            try:
                _object(source, row, line)
            except BadInput as why_not:
                return why_not
            if any("\udc80" <= sign <= "\udcff" for sign in line if sign > "\ud7ff"):
                return BadInput(f"{source.name}: row {row} holds bytes that are not UTF-8: save the file as UTF-8")
    return BadInput(f"{source.name} cannot be read as JSON lines: {first_line(why)}")
