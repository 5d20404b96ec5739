"""The columns a question needs, out of a file or a frame, and nothing else of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark, is_missing
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.readers import arff, delimited, frames, jsonlines, parquet
from veracity.readers.cells import as_number, find_gaps
from veracity.readers.relation import CODE, Codes, Relation, connect, fetch, first_line
from veracity.readers.source import Source, Wanted, is_path, open_source
from veracity.records.arrays import Array, RowNames, python_value

OFTEN_MEANT = ("none",)  # marks that name a class more often than a missing one: none, mild, severe
TRUTHS = {"true": True, "false": False, "1": True, "0": False}
FORMATS = {"csv": delimited, "tsv": delimited, "parquet": parquet}  # that duckdb reads


@dataclass(frozen=True, eq=False)
class Columns(Mapping[str, Array]):
    """Arrays by name, and where they came from."""

    arrays: Mapping[str, Array | Codes]
    source: Source
    weights: Array | None = None  # of an ARFF file whose rows carry them in braces
    notes: tuple[Note, ...] = ()  # what was done to them on the way

    def __getitem__(self, name: str) -> Array:
        held = self.arrays[name]
        return held.column if isinstance(held, Codes) else held

    def cell(self, name: str, row: int) -> str:
        """Return what sentences call a cell, with its row as it is counted in the file."""
        return f"{self.source.column(str(name))}: row {row + self.source.first}"

    def codes(self, name: str) -> Codes:
        """Return a column of few different cells, each of these once."""
        held = self.arrays[name]
        return held if isinstance(held, Codes) else Codes.of(held)

    def gaps(self, name: str) -> Array | None:
        """Return where cells of a column are missing; nothing where none is."""
        held = self.arrays[name]
        return None if isinstance(held, Codes) else find_gaps(held)  # codes are of complete columns alone

    @cached_property
    def missing(self) -> dict[str, int]:
        """The first missing row, from 0, of the columns that have one."""
        return {name: int(gaps.argmax()) for name in self if (gaps := self.gaps(name)) is not None}

    @property
    def rows(self) -> int:
        return len(self[next(iter(self))])

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)


def read_columns(source: Any, names: Iterable[str] | Wanted = None) -> Columns:
    """The named columns of a file (its path, or `-` for standard input) or of a frame; all of them if none is named.

    Those of a list of them are parts of one table: the rows of one come behind those of the other.
    """
    names = names if names is None or callable(names) else list(dict.fromkeys(names))
    if isinstance(source, (list, tuple)):
        return join_parts([read_columns(part, names) for part in source])
    if not is_path(source):
        return Columns(read_marks(frames.columns(source, names)), frames.SOURCE)
    with open_source(source) as file:
        return columns_of(file, names)


def join_parts(parts: Sequence[Columns]) -> Columns:
    """Return the rows of several tables in one, of the columns that all have; a row is named by its file."""
    if not parts:
        raise BadInput("give at least one file")
    first = parts[0]
    if len(parts) == 1:
        return first
    names = [name for name in first if all(name in part for part in parts)]
    if not names:
        other = next(part.source.name for part in parts if not set(part) & set(first))
        raise BadInput(
            f"{first.source.name} and {other} have no column in common: parts of one table have the same columns"
        )
    weighted = {part.weights is not None: part.source.name for part in reversed(parts)}
    if len(weighted) > 1:
        says = f"{weighted[False]} has no weights in braces, and {weighted[True]} has"
        raise BadInput(f"{says}: give all files weights, or none")
    starts = np.cumsum([0, *(part.rows for part in parts)])

    def row_name(place: int) -> object:
        number = int(np.searchsorted(starts, place, side="right")) - 1
        source = parts[number].source
        return f"{place - int(starts[number]) + source.first} of {source.name}"

    name = f"{first.source.name} and {plural(len(parts) - 1, 'more file')}"
    return Columns(
        {name: _join_arrays(parts, name) for name in names},
        replace(first.source, name=name, path=None, rows=RowNames(row_name)),
        np.concatenate([np.asarray(part.weights) for part in parts]) if True in weighted else None,
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _join_arrays(parts: Sequence[Columns], name: str) -> Array:
    """One column of all parts, which must be of one type in all of them."""
    kinds = {part.source.name: kind for part in parts if (kind := _kind(part[name])) is not None}
    if len(set(kinds.values())) > 1:
        (one, first), (other, second) = next((a, b) for a in kinds.items() for b in kinds.items() if a[1] != b[1])
        says = f"column {brief(name)} holds {first} in {one} and {second} in {other}"
        raise BadInput(f"{says}: make them alike")
    arrays = [part[name] for part in parts]
    if any(array.dtype.kind in "OU" for array in arrays):
        arrays = [array.astype(object) for array in arrays]
    return np.concatenate(arrays)


def _kind(array: Array) -> str | None:
    """Return what a column holds, in words; None where all is missing."""
    cell = next((cell for cell in array.tolist() if cell is not None), None) if array.dtype.kind in "OU" else array[0]
    if cell is None:
        return None
    if isinstance(cell, str):
        return "text"
    return "true or false" if isinstance(cell, (bool, np.bool_)) else "numbers"


def columns_of(file: Source, names: Wanted) -> Columns:
    """Return the named columns of an opened file."""
    if file.format == "arff":
        arrays, weights = arff.columns(file, names)
        return Columns(arrays, file, weights)
    if file.format == "json":
        return Columns(read_marks(jsonlines.columns(file, names)), file)
    import duckdb

    with open_relation(file, names) as relation:
        try:
            found = fetch(relation)
        except duckdb.Error as why:
            if file.format == "parquet":
                raise parquet.broken_file(file, why) from None
            raise BadInput(f"{file.name} cannot be read: {first_line(why)}") from None
    return Columns(read_marks(found) if file.format == "parquet" else found, file)  # csv is typed by all its cells


@contextmanager
def open_relation(file: Source, names: Wanted) -> Iterator[Relation]:
    """Return the named columns of an opened file as SQL, on a connection of its own."""
    with connect() as connection:
        yield FORMATS[file.format].relation(file, names, connection)


def check_complete(columns: Columns, names: Iterable[str], way: str = "fill it in or leave the row out") -> None:
    """Refuse columns with a missing cell; `way` says what to do about one."""
    for name in names:
        gaps = columns.gaps(name)
        if gaps is not None:
            raise BadInput(f"{columns.cell(name, int(gaps.argmax()))} has no value; {way}")


def numbers(columns: Columns, name: str) -> Array:
    """Return a column of numbers, NaN where a cell is empty; a cell that is none is named."""
    cells = columns[name]
    if cells.dtype.kind in "iuf":
        return cells.astype(float)
    read = [None if isinstance(cell, bool) else as_number(cell) for cell in cells.tolist()]
    if None in read:
        row = read.index(None)
        held = f"'{brief(str(cells[row]), 40)}', not a number; leave missing scores empty"
        raise BadInput(f"{columns.cell(name, row)} is {held}")
    return np.array(read, float)


def names_of(columns: Columns, name: str) -> list[str]:
    """Return a column of names, none of them missing."""
    check_complete(columns, [name], "fill it in")
    return [str(cell) for cell in columns[name].tolist()]


def as_label(given: Any, column: Array) -> Any:
    """Return a label given as text in the column's type; as it is where that is not possible."""
    if not isinstance(given, str):
        return python_value(given)
    try:
        if column.dtype.kind in "iu":
            number = float(given)
            return int(number) if number.is_integer() and not given.strip().lstrip("+-").isdecimal() else int(given)
        if column.dtype.kind == "b":
            return TRUTHS.get(given.strip().lower(), given)
        return float(given) if column.dtype.kind == "f" else given
    except (ValueError, OverflowError):
        return given


def read_marks(arrays: Mapping[str, Array | Codes]) -> dict[str, Array | Codes]:
    """Return the columns with those of numbers and marks as numbers.

    Columns of texts without a mark stay texts: a typed file or a frame could have held numbers.
    """
    found = dict(arrays)
    for name, column in arrays.items():
        texts = column.texts if isinstance(column, Codes) else column
        if texts.dtype.kind not in "OUT":
            continue
        cells = [cell for cell in texts.tolist() if not is_missing(cell)]
        written = [cell for cell in cells if not is_mark(cell)]
        if len(written) in (0, len(cells)) or not all(
            isinstance(cell, str) and not re.search(CODE, cell) and as_number(cell) is not None for cell in written
        ):
            continue  # a text is a number unless it is a code such as 07
        whole = all(cell.strip().lstrip("-").isdecimal() for cell in written)
        read = int if whole else float
        numbers = [
            None if is_missing(cell) or is_mark(cell) else read(cell)
            for cell in (column.column if isinstance(column, Codes) else column).tolist()
        ]
        found[name] = np.array(numbers, object) if whole else np.array(numbers, float)  # where None is NaN
    return found


def mark_notes(cells: Array, place: str, role: str) -> tuple[Note, ...]:
    """Return a note for each mark that counts as a class or a group in a column of texts; `role` says which."""
    if cells.dtype.kind not in "OUT":
        return ()
    marks = {text: number for text, number in Counter(cells.tolist()).items() if is_mark(text)}
    return tuple(
        Note(
            f"mark-is-a-{role}",
            "remark" if text.strip().lower() in OFTEN_MEANT else "caution",
            f"{place} holds {brief(repr(text))} in {number} of {plural(len(cells), 'row')}, which counts as a {role}:"
            " if it marks a missing value, leave these cells empty",
        )
        for text, number in marks.items()
    )
