"""JSON lines: one object per line; the cells of a column are of one type, and an absent key is a missing cell. A dotted
name leads inside: `a.b` is the key b of the object a, unless a line has a key that is called so.

Lines may end in any way; an object with a key twice is refused, because readers differ in which of the two they take.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark
from veracity.core.words import brief
from veracity.readers.cells import MAX_CELL_CHARS, different_kinds, is_text, too_long, whole_numbers
from veracity.readers.source import Source, Wanted, names_wanted, no_column, quote_names
from veracity.records.arrays import Array

WORDS = {int: "a number", float: "a number", bool: "true or false", str: "text"}


class RepeatedKey(dict[str, Any]):
    """An object that has a key twice."""

    key: str


def columns(source: Source, names: Wanted) -> dict[str, Array]:
    """Return the asked columns."""
    first = next(read_objects(source), {})
    known = list(first)
    if names is None or not all(_path(name, known) for name in names_wanted(known, names)):
        known = list(dict.fromkeys(key for content in read_objects(source) for key in content))
    if not known:
        raise BadInput(f"{source.name} has no columns: its objects are empty")
    every = dict.fromkeys([*known, *(name for name, _ in leaves(first))])
    paths = {name: _path(name, known) for name in names_wanted(known, names)}
    for name, path in paths.items():
        if not path:
            raise no_column(source, name, every)
    cells: dict[str, list[Any]] = {name: [] for name in paths}
    for row, content in enumerate(read_objects(source), 1):
        for name, path in paths.items():
            cells[name].append(_value(source, row, content, path))
    for name, path in paths.items():
        if len(path) > 1 and all(cell is None for cell in cells[name]):
            held: Any = first
            for depth, key in enumerate(path):
                if isinstance(held, list):
                    whole, way = ".".join(path[:depth]), "a path names one value in each row, not a part of a list"
                    says = f"{brief(whole)} holds a list; {way}: write that value under a key"
                    raise BadInput(f"{source.column(name)}: {says}")
                held = held.get(key) if isinstance(held, Mapping) else None
            raise no_column(source, name, every)
    return {name: _typed(source, name, column) for name, column in cells.items()}


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


def _typed(source: Source, name: str, cells: list[Any]) -> Array:
    """Return a column in the type of its cells; marks such as "NA" are missing where all other cells are no texts."""
    types = set(map(type, cells)) - {type(None)}
    for row, cell in enumerate(cells, 1) if types - WORDS.keys() else ():
        if isinstance(cell, list) or cell == {}:
            says = "a list; a column has one value in each row: write the one that counts under a key of its own"
            raise BadInput(f"{source.column(name)}: row {row} holds {says}")
        if isinstance(cell, dict):
            inside = quote_names(f"{name}.{key}" for key in cell)
            raise BadInput(f"{source.column(name)}: row {row} holds an object; name a value inside: {inside}")
    if str in types and len(types) > 1:
        cells = [None if is_mark(cell) else cell for cell in cells]
        types = set(map(type, cells)) - {type(None)}
    if len({WORDS[each] for each in types}) > 1:
        raise different_kinds(source.column(name), source.first, (WORDS.get(type(cell)) for cell in cells))
    if types == {str}:
        for row, cell in enumerate(cells, 1):
            if cell is not None and len(cell) > MAX_CELL_CHARS:
                raise too_long(source, name, row)
    if types == {int}:
        present = [cell for cell in cells if cell is not None]
        if min(present) >= -(2**63) and max(present) < 2**64:
            whole = whole_numbers(present, source.column(name), "write them as texts")
            return whole if len(present) == len(cells) else np.array(cells, object)
    if types & {int, float}:
        return np.array([math.nan if cell is None else _as_float(cell) for cell in cells])
    return np.array(cells, object if types != {bool} or None in cells else bool)


def _as_float(number: float) -> float:
    """Return a number as floating point; a whole one beyond its range is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
