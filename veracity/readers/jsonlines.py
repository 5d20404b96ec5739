"""JSON lines: one object per line; the cells of a column are of one type, and an absent key is a missing cell.

Lines may end in any way; an object with a key twice is refused, because readers differ in which of the two they take.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.relation import LONGEST, Relation, SqlColumn, first_line, quote, scratch_folder, too_long
from veracity.readers.source import MARK, Source, Wanted, names_wanted, no_column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TWICE = "len(json_keys(json)) <> list_unique(json_keys(json))"
TABLE = "read_ndjson_objects($file, compression = 'uncompressed', hive_partitioning = false)"
KINDS = {1: "missing", 2: "whole", 128: "negative", 64: "unsigned", 4: "number", 8: "truth", 16: "text", 32: "nested"}
LAST = 2**63 - 1  # of the whole numbers that have a sign
CASTS = {"whole": "bigint", "negative": "bigint", "unsigned": "ubigint", "number": "double", "truth": "boolean"}
WORDS = {
    "whole": "a number",
    "negative": "a number",
    "unsigned": "a number",
    "number": "a number",
    "truth": "true or false",
    "text": "text",
    "nested": "a nested value",
}


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """The asked columns, typed."""
    import duckdb

    known = list(_first_keys(source))
    untyped = Relation(_plain_file(source, connection), connection, TABLE, {})
    if names is None or not set(names_wanted(known, names)) <= set(known):  # a later line may have more
        known = _all_keys(untyped, source)
    names = names_wanted(known, names)
    for name in names:
        if name not in known:
            raise no_column(source, name, known)
    untyped = replace(untyped, columns={name: SqlColumn(_pointer(name), "") for name in names})
    try:
        select = ", ".join(f"bit_or({_kind(column.sql)})" for column in untyped.columns.values())
        others = f"bool_or(json_type(json) <> 'OBJECT'), bool_or({TWICE})"
        *masks, others, twice = untyped.all(f"{select}, {others}")[0]
        columns = {name: _typed_column(untyped, name, mask) for name, mask in zip(names, masks, strict=True)}
    except duckdb.Error as why:
        raise _diagnosis(source, why) from None
    if others or twice:
        raise _diagnosis(source, ValueError("a line is not an object, or has a key twice"))
    return replace(untyped, columns=columns)


def _plain_file(source: Source, connection: DuckDBPyConnection) -> Source:
    """The file itself, or a copy in which a line ends as duckdb wants it; a text of JSON holds no line break."""
    assert source.path is not None
    parts = _parts(source.path)
    if not any(b"\r" in part or part.startswith(MARK) for part in parts):
        return source
    copy = Path(scratch_folder(connection)) / "copy.jsonl"
    with copy.open("wb") as stream:
        for number, part in enumerate(_parts(source.path)):
            part = part if number else part.removeprefix(MARK)
            stream.write(part.replace(b"\r", b"\n"))  # an empty line is no row
    return replace(source, path=copy)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            yield part


def _pointer(name: str) -> str:
    """SQL for the path of a key, exact whatever signs it holds."""
    return quote("/" + name.replace("~", "~0").replace("/", "~1"))


def _kind(pointer: str) -> str:
    """SQL for the kind of one cell, as a bit."""
    return (
        f"case coalesce(json_type(json, {pointer}), 'NULL') when 'NULL' then 1 when 'BIGINT' then 128 when 'UBIGINT' "
        f"then case when cast(json_extract_string(json, {pointer}) as ubigint) > {LAST} then 64 else 2 end "
        "when 'DOUBLE' then 4 when 'BOOLEAN' then 8 when 'VARCHAR' then 16 else 32 end"
    )


def _typed_column(untyped: Relation, name: str, mask: int) -> SqlColumn:
    pointer = untyped.columns[name].sql
    kinds = [kind for bit, kind in KINDS.items() if mask & bit and kind != "missing"]
    if "nested" in kinds or len({WORDS[kind] for kind in kinds}) > 1:
        raise _mixture(untyped, name, kinds)
    if {"negative", "unsigned"} <= set(kinds) and "number" not in kinds:
        says = f"holds whole numbers below 0 and above {LAST}, which no 64 bits hold together: write them as texts"
        raise BadInput(f"{untyped.source.column(name)} {says}")
    kind = kinds[-1] if kinds else "text"
    cell = f"json_extract_string(json, {pointer})"
    plain = "whole" if kind in ("negative", "unsigned") else kind
    return SqlColumn(f"cast({cell} as {CASTS[kind]})" if kind in CASTS else cell, plain)


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


def _all_keys(untyped: Relation, source: Source) -> list[str]:
    """The columns there are, in the order in which lines first name them."""
    import duckdb

    numbered = f"(select json_keys(json) as names, row_number() over () as number from {untyped.table})"
    try:
        lists = replace(untyped, table=f"{numbered} group by names order by min(number)").all("names")
    except duckdb.Error as why:
        raise _diagnosis(source, why) from None
    return list(dict.fromkeys(name for (names,) in lists for name in names or ()))


def _first_keys(source: Source) -> dict[str, Any]:
    """The keys of the first object, which are all columns of most files."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        first = next((line for line in lines if line.strip()), "")
    if first.lstrip()[:1] == "[":
        raise BadInput(f"{source.name} holds a JSON array: write one object per line instead")
    return _object(source, 1, first)


def _object(source: Source, row: int, line: str) -> dict[str, Any]:
    try:
        content = json.loads(line, object_pairs_hook=_Pairs)
        wrong = "" if isinstance(content, _Pairs) else f"not an object but {brief(json.dumps(content), 30)}"
    except (ValueError, RecursionError):
        wrong = "not JSON"
    if wrong:
        raise BadInput(f"{source.name}: row {row} is {wrong}: write one JSON object per line")
    table = dict(content)
    if len(table) < len(content):
        keys = [key for key, _ in content]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadInput(f"{source.name}: row {row} has the key '{brief(twice)}' twice: leave one of them out")
    for name, cell in content:
        if isinstance(cell, str) and len(cell) > LONGEST:
            raise too_long(source, name, row)
    return table


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, none of them lost."""


def _diagnosis(source: Source, why: Exception) -> BadInput:
    """The first line that is wrong, found by reading the file again slowly, after duckdb has refused it."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        for row, line in enumerate(filter(str.strip, lines), 1):
            try:
                content = _object(source, row, line)
            except BadInput as why_not:
                return why_not
            if "\\u" in line and any("\ud800" <= sign <= "\udfff" for sign in json.dumps(content, ensure_ascii=False)):
                return BadInput(
                    f"{source.name}: row {row} holds half of a pair such as \\ud83d\\ude00, which is no text"
                )
            if any("\udc80" <= sign <= "\udcff" for sign in line if sign > "\ud7ff"):
                return BadInput(f"{source.name}: row {row} holds bytes that are not UTF-8: save the file as UTF-8")
    return BadInput(f"{source.name} cannot be read as JSON lines: {first_line(why)}")
