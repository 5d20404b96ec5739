"""JSON lines: one object per line; the cells of a column are of one type, and an absent key is a missing cell. A dotted
name leads inside: `a.b` is the key b of the object a, unless a line has a key that is called so.

Lines may end in any way; an object with a key twice is refused, because readers differ in which of the two they take.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark
from veracity.core.words import brief
from veracity.readers.delimited import is_text
from veracity.readers.relation import MAX_CELL_CHARS, too_long
from veracity.readers.source import Source, Wanted, names_wanted, no_column, quote_names
from veracity.records.arrays import Array

MAX_INT64 = 2**63 - 1
WORDS = {int: "a number", float: "a number", bool: "true or false", str: "text"}


class RepeatedKey(dict[str, Any]):
    """An object that has a key twice."""

    key: str


def columns(source: Source, names: Wanted) -> tuple[dict[str, Array], dict[str, int]]:
    """Return the asked columns, and the first missing row of those that have one."""
    first = next(read_objects(source), {})
    known = list(first)
    if names is None or not all(_path(name, known) for name in names_wanted(known, names)):
        known = list(dict.fromkeys(key for content in read_objects(source) for key in content))
    if first == {} and not known:
        raise BadInput(f"{source.name} has no columns: its objects are empty")
    wanted = names_wanted(known, names)
    for name in wanted:
        if not _path(name, known):
            raise no_column(source, name, [*known, *(inner for inner, _ in leaves(first) if inner not in first)])
    paths = {name: _path(name, known) for name in wanted}
    cells: dict[str, list[Any]] = {name: [] for name in paths}
    for row, content in enumerate(read_objects(source), 1):
        for name, path in paths.items():
            cells[name].append(_value(source, row, content, path))
    for name, path in paths.items():
        if len(path) > 1 and all(cell is None for cell in cells[name]):
            raise _wrong_path(source, name, path, first)
    arrays = {name: _typed(source, name, column) for name, column in cells.items()}
    missing = {name: column.index(None) for name, column in cells.items() if None in column}
    nan = {
        name: int(np.isnan(array).argmax())
        for name, array in arrays.items()
        if array.dtype.kind == "f" and np.isnan(array).any()
    }
    return arrays, missing | nan


def read_objects(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the object of each line that is not blank; a line that holds none is an error that names its row."""
    assert source.path is not None
    decode = json.JSONDecoder(object_pairs_hook=_object).decode
    row = 0
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:  # which end in any way
        for line in lines:
            if not line.strip():
                continue
            row += 1
            if row == 1 and line.lstrip()[:1] == "[":
                raise BadInput(f"{source.name} holds a JSON array: write one object per line instead")
            if not line.isascii() and not is_text(line):
                raise BadInput(f"{source.name}: row {row} holds bytes that are not UTF-8: save the file as UTF-8")
            try:
                content = decode(line)
                wrong = "" if isinstance(content, dict) else f"not an object but {brief(json.dumps(content), 30)}"
            except (ValueError, RecursionError):
                wrong = "not JSON"
            if wrong:
                raise BadInput(f"{source.name}: row {row} is {wrong}: write one JSON object per line")
            if ("\\ud" in line or "\\uD" in line) and not is_text(json.dumps(content, ensure_ascii=False)):
                half = "holds half of a pair such as \\ud83d\\ude00, which is no text"
                raise BadInput(f"{source.name}: row {row} {half}")
            if isinstance(content, RepeatedKey):
                raise _key_twice(source, row, (content.key,))
            yield content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    keys = [key for key, _ in pairs]
    repeated = RepeatedKey(content)
    repeated.key = next(key for key in keys if keys.count(key) > 1)
    return repeated


def _key_twice(source: Source, row: int, path: Sequence[str]) -> BadInput:
    return BadInput(f"{source.name}: row {row} has the key '{brief('.'.join(path))}' twice: leave one of them out")


def leaves(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of an object and of those inside it, lists apart, by dotted names."""
    for key, cell in content.items():
        if isinstance(cell, Mapping):
            yield from leaves(cell, f"{above}{key}.")
        elif not (above and isinstance(cell, list)):
            yield above + key, cell


def _path(name: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that lead to a column: its name, or the parts of a dotted one; none where there is no column."""
    if name in known:
        return (name,)
    parts = tuple(name.split("."))
    return parts if len(parts) > 1 and parts[0] in known else ()


def _value(source: Source, row: int, content: dict[str, Any], path: Sequence[str]) -> Any:
    """Return the value at the end of a path; None where it leads nowhere."""
    if len(path) == 1:
        return content.get(path[0])
    inner: Any = content
    for depth, key in enumerate(path):
        if isinstance(inner, RepeatedKey):
            raise _key_twice(source, row, (*path[:depth], inner.key))
        inner = inner.get(key) if isinstance(inner, dict) else None
    return inner


def _wrong_path(source: Source, name: str, path: Sequence[str], first: Mapping[str, Any]) -> BadInput:
    """Return the error for a path that leads into a list, or nowhere."""
    inner: Any = first
    for depth, key in enumerate(path):
        if isinstance(inner, list):
            whole, way = ".".join(path[:depth]), "a path names one value in each row, not a part of a list"
            return BadInput(f"{source.column(name)}: {brief(whole)} holds a list; {way}: write that value under a key")
        inner = inner.get(key) if isinstance(inner, Mapping) else None
    return no_column(source, name, [*first, *(inner for inner, _ in leaves(first) if inner not in first)])


def _typed(source: Source, name: str, cells: list[Any]) -> Array:
    """Return a column in the type of its cells; marks such as "NA" are missing where all other cells are no texts."""
    types = set(map(type, cells)) - {type(None)}
    for row, cell in enumerate(cells, 1) if types - WORDS.keys() else ():
        if isinstance(cell, (dict, list)):
            raise BadInput(f"{source.column(name)}: row {row} holds {_nested_words(name, cell)}")
    if str in types and len(types) > 1:
        cells[:] = [None if is_mark(cell) else cell for cell in cells]
        types = set(map(type, cells)) - {type(None)}
    if len({WORDS[each] for each in types}) > 1:
        raise _mixture(source, name, cells)
    if types == {str}:
        for row, cell in enumerate(cells, 1):
            if cell is not None and len(cell) > MAX_CELL_CHARS:
                raise too_long(source, name, row)
    if types == {int}:
        return _whole_numbers(source, name, cells)
    if float in types:
        return _as_floats(cells)
    return np.array(cells, object if types != {bool} or None in cells else bool)


def _as_floats(cells: Sequence[float | None]) -> Array:
    """Return numbers as floating point, missing ones as NaN; whole numbers beyond its range are infinite."""
    largest = int(sys.float_info.max)

    def as_float(cell: float | None) -> float:
        if cell is None:
            return math.nan
        return math.inf if cell > largest else -math.inf if cell < -largest else float(cell)

    return np.array([as_float(cell) for cell in cells], float)


def _whole_numbers(source: Source, name: str, cells: list[int | None]) -> Array:
    """Return whole numbers exactly up to 64 bits, with or without a sign; longer ones as floating point."""
    present = [cell for cell in cells if cell is not None]
    low, high = min(present), max(present)
    if low < -(2**63) or high >= 2**64:
        return _as_floats(cells)
    if low < 0 and high > MAX_INT64:
        says = f"holds whole numbers below 0 and above {MAX_INT64}, which no 64 bits hold together: write them as texts"
        raise BadInput(f"{source.column(name)} {says}")
    if len(present) < len(cells):
        return np.array(cells, object)
    return np.array(cells, np.uint64 if high > MAX_INT64 else np.int64)


def _mixture(source: Source, name: str, cells: list[Any]) -> BadInput:
    """Return the error for a column of several types, which names the first row of two of them."""
    rows: dict[str, int] = {}
    for row, cell in enumerate(cells, 1):
        if cell is not None:
            rows.setdefault(WORDS[type(cell)], row)
    (one, first), (other, second) = list(rows.items())[:2]
    return BadInput(f"{source.column(name)}: row {second} holds {other}, but row {first} holds {one}: make them alike")


def _nested_words(name: str, cell: Any) -> str:
    """Return what is wrong with a nested value, and which names lead inside."""
    if isinstance(cell, list) or not cell:
        return "a list; a column has one value in each row: write the one that counts under a key of its own"
    return f"an object; name a value inside: {quote_names(f'{name}.{key}' for key in cell)}"
