"""JSON lines: one object per line; the cells of a column are of one type, and an absent key is a missing cell. A dotted
name leads inside: `a.b` is the key b of the object a, unless a line has a key that is called so.

Lines may end in any way; an object with a key twice is refused, because readers differ in which of the two they take.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.missing_marks import mark_as_sql
from veracity.readers.relation import LONGEST, Relation, SqlColumn, first_line, quote, scratch_folder, too_long
from veracity.readers.source import MARK, Source, Wanted, names_wanted, no_column, quote_names

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE = "read_ndjson_objects($file, compression = 'uncompressed', hive_partitioning = false)"
KINDS = {1: "missing", 2: "whole", 128: "negative", 64: "unsigned", 4: "number", 8: "truth", 16: "text", 32: "nested"}
MARKED = 256  # a text that marks a missing value
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
    """The asked columns, typed. Every line is taken apart once, into a table of the values that are asked for."""
    import duckdb

    first = _first_object(source)
    known = list(dict(first))
    lines = Relation(_plain_file(source, connection), connection, TABLE, {})
    if names is None or not all(
        _path(name, known) for name in names_wanted(known, names)
    ):  # a later line may have more
        known = _all_keys(lines, source)
    wanted = names_wanted(known, names)
    for name in wanted:
        if not _path(name, known):
            raise no_column(source, name, [*known, *_names_inside(first)])
    paths = {name: _path(name, known) for name in wanted}
    try:
        cells = _cells(lines, paths)
        *masks, twice, bare, listed = cells.all(
            ", ".join(f"bit_or({_kind(column.sql)})" for column in cells.columns.values())
            + ", bool_or(twice), bool_or(bare), bool_or(listed)"
        )[0]
        bare = bare and lines.all("bool_or(json_type(json) <> 'OBJECT')")[0][0]
    except duckdb.Error as why:
        raise _diagnosis(source, why) from None
    if twice or bare:
        raise _diagnosis(source, ValueError("a line is not an object, or has a key twice"), _parents(paths))
    for (name, path), mask in zip(paths.items(), masks, strict=True):
        if len(path) > 1 and (mask == 1 or (listed and any(key.isdigit() for key in path))):
            raise _wrong_path(source, name, path, first)
    return replace(
        cells, columns={name: _typed_column(cells, name, mask) for name, mask in zip(paths, masks, strict=True)}
    )


def _path(name: str, known: Sequence[str]) -> tuple[str, ...]:
    """The keys that lead to a column: its name, or the parts of a dotted one; none if there is no such column."""
    if name in known:
        return (name,)
    parts = tuple(name.split("."))
    return parts if len(parts) > 1 and parts[0] in known else ()


def _parents(paths: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """The objects inside lines that paths lead through."""
    return list(dict.fromkeys(tuple(path[:depth]) for path in paths.values() for depth in range(1, len(path))))


def _cells(lines: Relation, paths: Mapping[str, Sequence[str]]) -> Relation:
    """The asked values of every line as JSON, and whether it has a key twice, no key, or a list on the way to them."""
    parents = [_pointer(path) for path in _parents(paths)]
    numbered = [
        _pointer(path[:depth]) for path in paths.values() for depth in range(1, len(path)) if path[depth].isdigit()
    ]
    values = f"json_extract(json, [{', '.join(map(_pointer, paths.values()))}])"
    keys = f"json_keys(json, ['$', {', '.join(parents)}])" if parents else "[json_keys(json)]"
    twice = " or ".join(f"coalesce(len(k[{n}]) <> list_unique(k[{n}]), false)" for n in range(1, len(parents) + 2))
    listed = " or ".join(f"coalesce(json_type(json, {one}) = 'ARRAY', false)" for one in numbered) or "false"
    read = f"(select {values} as v, {keys} as k, {listed} as listed from {lines.table})"
    columns = ", ".join(f"v[{n}] as c{n}" for n in range(1, len(paths) + 1))
    lines.connection.execute("set memory_limit = '1GB'")  # beyond which the table goes to the scratch folder
    try:
        whole = replace(lines, table=read)
        bare = "len(k[1]) = 0"
        whole.make_table("cells", f"{columns}, {twice} as twice, {bare} as bare, listed")
    finally:
        lines.connection.execute("reset memory_limit")
    return replace(lines, table="cells", columns={name: SqlColumn(f"c{n}", "") for n, name in enumerate(paths, 1)})


def _wrong_path(source: Source, name: str, path: Sequence[str], first: _Pairs) -> BadInput:
    """The sentence for a path that leads into a list, or nowhere."""
    inner: Any = first
    for depth, key in enumerate(path):
        if isinstance(inner, list) and not isinstance(inner, _Pairs):
            whole, way = ".".join(path[:depth]), "a path names one value in each row, not a part of a list"
            return BadInput(f"{source.column(name)}: {brief(whole)} holds a list; {way}: write that value under a key")
        inner = dict(inner).get(key) if isinstance(inner, _Pairs) else None
    return no_column(source, name, [*dict(first), *_names_inside(first)])


def _names_inside(content: _Pairs, above: str = "") -> list[str]:
    """The dotted names of the values inside objects of a line."""
    names: list[str] = []
    for key, cell in content:
        if isinstance(cell, _Pairs):
            names += _names_inside(cell, f"{above}{key}.")
        elif above and not isinstance(cell, list):
            names.append(above + key)
    return names


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


def _pointer(path: Sequence[str]) -> str:
    """SQL for keys inside each other, exact whatever signs they hold."""
    return quote("".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path))


def _kind(cell: str) -> str:
    """SQL for the kind of one cell, as a bit."""
    return (
        f"case coalesce(json_type({cell}), 'NULL') when 'NULL' then 1 when 'BIGINT' then 128 when 'UBIGINT' "
        f"then case when cast({cell} as varchar)::ubigint > {LAST} then 64 else 2 end "
        "when 'DOUBLE' then 4 when 'BOOLEAN' then 8 when 'VARCHAR' "
        f"then case when {mark_as_sql(_text(cell))} then {MARKED} else 16 end else 32 end"
    )


def _text(cell: str) -> str:
    return f"json_extract_string({cell}, '$')"


def _typed_column(untyped: Relation, name: str, mask: int) -> SqlColumn:
    value = untyped.columns[name].sql
    kinds = [kind for bit, kind in KINDS.items() if mask & bit and kind != "missing"]
    if mask & MARKED and not kinds:
        kinds = ["text"]
    if "nested" in kinds or len({WORDS[kind] for kind in kinds}) > 1:
        raise _mixture(untyped, name, kinds)
    if {"negative", "unsigned"} <= set(kinds) and "number" not in kinds:
        says = f"holds whole numbers below 0 and above {LAST}, which no 64 bits hold together: write them as texts"
        raise BadInput(f"{untyped.source.column(name)} {says}")
    kind = kinds[-1] if kinds else "text"
    cell = _text(value)
    if mask & MARKED and kind != "text":
        cell = f"case when not {mark_as_sql(cell)} then {cell} end"
    plain = "whole" if kind in ("negative", "unsigned") else kind
    return SqlColumn(f"cast({cell} as {CASTS[kind]})" if kind in CASTS else cell, plain)


def _mixture(untyped: Relation, name: str, kinds: list[str]) -> BadInput:
    place = untyped.source.column(name)
    bits = {kind: bit for bit, kind in KINDS.items()}
    kind_of_cell = _kind(untyped.columns[name].sql)
    rows = sorted((untyped.first_row(f"{kind_of_cell} = {bits[kind]}") or 0, kind) for kind in kinds)
    if "nested" in kinds:
        row = next(row for row, kind in rows if kind == "nested")
        return BadInput(f"{place}: row {row} holds {_nested_words(untyped, name, kind_of_cell)}")
    (first, one), *others = rows
    row, other = next((row, kind) for row, kind in others if WORDS[kind] != WORDS[one])
    return BadInput(f"{place}: row {row} holds {WORDS[other]}, but row {first} holds {WORDS[one]}: make them alike")


def _nested_words(untyped: Relation, name: str, kind_of_cell: str) -> str:
    """What is wrong with a nested value, and which names lead inside."""
    cell = untyped.columns[name].sql
    keys = untyped.all(f"json_keys({cell})", f"where {kind_of_cell} = 32 limit 1")[0][0]
    if not keys:
        return "a list; a column has one value in each row: write the one that counts under a key of its own"
    return f"an object; name a value inside: {quote_names(f'{name}.{key}' for key in keys)}"


def _all_keys(untyped: Relation, source: Source) -> list[str]:
    """The columns there are, in the order in which lines first name them."""
    import duckdb

    numbered = f"(select json_keys(json) as names, row_number() over () as number from {untyped.table})"
    try:
        lists = replace(untyped, table=f"{numbered} group by names order by min(number)").all("names")
    except duckdb.Error as why:
        raise _diagnosis(source, why) from None
    return list(dict.fromkeys(name for (names,) in lists for name in names or ()))


def _first_object(source: Source) -> _Pairs:
    """The first object, whose keys are all columns of most files."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        first = next((line for line in lines if line.strip()), "")
    if first.lstrip()[:1] == "[":
        raise BadInput(f"{source.name} holds a JSON array: write one object per line instead")
    return _object(source, 1, first)


def _object(source: Source, row: int, line: str, parents: Iterable[Sequence[str]] = ()) -> _Pairs:
    try:
        content = json.loads(line, object_pairs_hook=_Pairs)
        wrong = "" if isinstance(content, _Pairs) else f"not an object but {brief(json.dumps(content), 30)}"
    except (ValueError, RecursionError):
        wrong = "not JSON"
    if wrong:
        raise BadInput(f"{source.name}: row {row} is {wrong}: write one JSON object per line")
    for path in ((), *parents):
        inner: Any = content
        for key in path:
            inner = dict(inner).get(key) if isinstance(inner, _Pairs) else None
        keys = [key for key, _ in inner] if isinstance(inner, _Pairs) else []
        twice = next((key for key in keys if keys.count(key) > 1), None) if len(set(keys)) < len(keys) else None
        if twice is not None:
            name = brief(".".join((*path, twice)))
            raise BadInput(f"{source.name}: row {row} has the key '{name}' twice: leave one of them out")
    for name, cell in content:
        if isinstance(cell, str) and len(cell) > LONGEST:
            raise too_long(source, name, row)
    return content


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, none of them lost."""


def _diagnosis(source: Source, why: Exception, parents: Iterable[Sequence[str]] = ()) -> BadInput:
    """The first line that is wrong, found by reading the file again slowly, after duckdb has refused it."""
    assert source.path is not None
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        for row, line in enumerate(filter(str.strip, lines), 1):
            try:
                content = _object(source, row, line, parents)
            except BadInput as why_not:
                return why_not
            if "\\u" in line and any("\ud800" <= sign <= "\udfff" for sign in json.dumps(content, ensure_ascii=False)):
                return BadInput(
                    f"{source.name}: row {row} holds half of a pair such as \\ud83d\\ude00, which is no text"
                )
            if any("\udc80" <= sign <= "\udcff" for sign in line if sign > "\ud7ff"):
                return BadInput(f"{source.name}: row {row} holds bytes that are not UTF-8: save the file as UTF-8")
    return BadInput(f"{source.name} cannot be read as JSON lines: {first_line(why)}")
