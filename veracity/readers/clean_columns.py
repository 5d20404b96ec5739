"""Columns as somebody wrote them made columns that can be read: per cent, decimal commas, rows with missing cells.

Nothing is changed that was not asked for: what is recognised is refused in a sentence that names the option for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark, is_missing
from veracity.core.words import brief
from veracity.evidence.labels import LEAVE_OUT
from veracity.evidence.missing_values import check_missing, gaps_in_words, left_out_note
from veracity.readers.columns import Columns
from veracity.readers.relation import Codes
from veracity.readers.source import Source, empty_cell
from veracity.records.arrays import Array, RowNames

PER_CENT = re.compile(r"\s*[+-]?\d+(?:[.,]\d*)?\s*%\s*")
COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*%?\s*")
ANSWERS = {"true": 1.0, "false": 0.0}
SHARES = "give `percent=True`"
SET_ASIDE = f"{LEAVE_OUT}; where nobody knows it, `labelled='some'`"  # of the truth


@dataclass(frozen=True)
class Notation:
    """How cells are written, per cent and the sign before decimals, and what becomes of rows with missing ones."""

    missing: str = "refuse"
    percent: bool = False
    decimal: str = "."

    def __post_init__(self) -> None:
        check_missing(self.missing)
        if self.decimal not in (".", ","):
            raise BadInput(f"`decimal=` is the sign before decimals, '.' or ',', not {self.decimal!r}")

    @property
    def plain(self) -> bool:
        """Whether cells are to be read as they stand there."""
        return self == Notation()


def clean_columns(
    columns: Columns, names: Collection[str], kinds: Mapping[str, str], how: Notation, truths: Collection[str] = ()
) -> Columns:
    """The columns of these names without a missing cell among them; `kinds` are those of numbers: number, chance (a
    probability) or answer (right or wrong), `truths` those of true classes.
    """
    read = {name: _numbers(columns, name, kind, how) for name, kind in kinds.items()}
    columns = replace(columns, arrays={**columns.arrays, **read})
    gaps = {name: found for name in names if (found := _gaps(columns, name, how)) is not None}
    if not gaps:
        return columns
    if how.missing == "refuse":
        name, where = next(iter(gaps.items()))
        row = int(where.argmax()) + columns.source.first
        if name not in columns.missing:
            says = f"row {row} is nan; every number must be finite"
            raise BadInput(f"{columns.source.column(str(name))}: {says}: {LEAVE_OUT}")
        raise empty_cell(columns.source, str(name), row, SET_ASIDE if name in truths else LEAVE_OUT)
    return _without(columns, gaps)


def read_written(columns: Columns, how: Notation, names: Collection[str] = ()) -> Columns:
    """A table in which columns of nothing but numbers, some of them per cent or with a decimal comma, are numbers.

    Columns of `names` stay texts, and so does a first one alone of its kind: data sets may be called "50 %".
    """
    leave_gaps = replace(how, missing="drop")  # a score that is missing stays so
    written = [
        name
        for name, array in columns.items()
        if name not in names and array.dtype.kind in "OU" and _is_written_otherwise(array.tolist())
    ]
    if len(columns) > 1 and written == list(columns)[:1] and len(set(columns[written[0]])) == len(columns[written[0]]):
        written = []
    read = {name: _parse_column(columns, name, "number", leave_gaps) for name in written}
    return replace(columns, arrays={**columns.arrays, **read}) if read else columns


def _is_written_otherwise(cells: list[Any]) -> bool:
    present = [str(cell) for cell in cells if not _is_absent(cell)]
    return any(map(_looks_written_otherwise, present)) and all(
        _looks_written_otherwise(cell) or _number(cell, False, ".") is not None for cell in present
    )


def _gaps(columns: Columns, name: str, how: Notation) -> Array | None:
    """Where cells are missing, or are the number that is none; None where none is."""
    if isinstance(columns.arrays[name], Codes):  # made of complete columns alone
        return None
    array = columns[name]
    if array.dtype.kind == "f":
        gaps = np.isnan(array)
    elif array.dtype.kind == "O" and (name in columns.missing or how.missing == "drop"):
        gaps = np.fromiter((cell is None or cell != cell for cell in array), bool, len(array))
    else:
        return None
    return gaps if gaps.any() else None


def _without(columns: Columns, gaps: dict[str, Array]) -> Columns:
    """The columns without the rows that have a gap, which are counted and told."""
    dropped = np.logical_or.reduce(list(gaps.values()))
    rows, number = len(dropped), int(dropped.sum())
    if number == rows:
        where = gaps_in_words({name: int(found.sum()) for name, found in gaps.items()})
        raise BadInput(f"{columns.source.name}: every row has a missing cell in the columns that are used ({where})")
    kept = np.flatnonzero(~dropped)
    note = left_out_note(columns.source.name, rows, number, {name: int(found.sum()) for name, found in gaps.items()})
    arrays = {name: _plain(array[kept]) for name, array in columns.items()}
    weights = None if columns.weights is None else columns.weights[kept]
    source = with_row_names(columns.source, kept)
    return Columns(arrays, source, {}, weights, (*columns.notes, note))


def with_row_names(source: Source, kept: Array) -> Source:
    """The source of some of its rows, which keep their numbers in sentences."""
    first = source.first
    return replace(source, rows=RowNames(lambda place: int(kept[place]) + first))


def _plain(array: Array) -> Array:
    """Numbers that were objects only because a cell was missing, as numbers again."""
    if array.dtype.kind != "O" or not {type(cell) for cell in array} <= {int, float, bool}:
        return array
    return np.array(array.tolist())


def _numbers(columns: Columns, name: str, kind: str, how: Notation) -> Array:
    """A column of numbers, read as it was said to be written."""
    array = columns[name]
    if array.dtype.kind in "OUT" and any(isinstance(cell, str) for cell in array):
        return _parse_column(columns, name, kind, how)
    if kind != "chance" or array.dtype.kind not in "iuf":
        return array
    if how.percent:
        return array / 100
    if 1.5 < np.fmax.reduce(array, initial=0) <= 100 and np.fmin.reduce(array, initial=0) >= 0:  # 1.1 is a slip
        row = int((array > 1).argmax())
        held = f"row {row + columns.source.first} is {array[row]:g}; probabilities must lie between 0 and 1"
        raise BadInput(f"{columns.source.column(str(name))}: {held}: if these are per cent, {SHARES}")
    return array


def _parse_column(columns: Columns, name: str, kind: str, how: Notation) -> Array:
    """Read texts as numbers where that was asked for; else raise an error that names how to ask.

    Of a column of codes each text is read once; what is wrong with one is told of its row.
    """
    held = columns.arrays[name]
    if isinstance(held, Codes):
        with suppress(BadInput):
            numbers = _parse_cells(columns, name, held.texts.tolist(), kind, how)
            return columns[name] if numbers is None else numbers[held.of_row]
    numbers = _parse_cells(columns, name, columns[name].tolist(), kind, how)
    return columns[name] if numbers is None else numbers


def _parse_cells(columns: Columns, name: str, cells: list[Any], kind: str, how: Notation) -> Array | None:
    """The cells of a column as numbers; None where one is no number in any way, which is told with all else."""
    place = columns.source.column(str(name))
    present = [(row, cell) for row, cell in enumerate(cells) if not _is_absent(cell)]
    with_sign = [isinstance(cell, str) and cell.rstrip().endswith("%") for _, cell in present]
    numbers = np.full(len(cells), np.nan)
    in_per_cent = how.percent and (kind == "chance" or any(with_sign))
    for (row, cell), signed in zip(present, with_sign, strict=True):
        if in_per_cent and any(with_sign) and not signed:
            says = f"row {row + columns.source.first} holds {brief(repr(cell))} without a % sign, and others have one"
            raise BadInput(f"{place}: {says}: make them alike")
        number = _number(ANSWERS.get(str(cell).lower(), cell) if kind == "answer" else cell, in_per_cent, how.decimal)
        if number is None and how.plain and not _looks_written_otherwise(cell):
            return None
        if number is None:
            raise _offer(f"{place}: row {row + columns.source.first} holds {brief(repr(cell))}", cell, how)
        numbers[row] = number
    if len(present) < len(cells) and how.missing == "refuse":
        row, cell = next((row, cell) for row, cell in enumerate(cells) if _is_absent(cell))
        if cell is not None:
            says = f"row {row + columns.source.first} holds {cell!r}, which is not a number"
            raise BadInput(f"{place}: {says}: {LEAVE_OUT}")
    return numbers


def _is_absent(cell: Any) -> bool:
    return is_missing(cell) or is_mark(cell)


def _number(cell: Any, in_per_cent: bool, decimal: str) -> float | None:
    text = str(cell).strip()
    if in_per_cent:
        text = text.removesuffix("%").rstrip()
    if decimal == ",":
        if "." in text:
            return None
        text = text.replace(",", ".")
    try:
        return float(f"{text}e-2" if in_per_cent and "e" not in text.lower() else text)  # shifted, not divided: exact
    except ValueError:
        return None


def _looks_written_otherwise(cell: Any) -> bool:
    return bool(PER_CENT.fullmatch(str(cell)) or COMMA.fullmatch(str(cell)))


def _offer(place: str, cell: Any, how: Notation) -> BadInput:
    """The sentence for a cell that is no number as it stands there."""
    text = str(cell)
    ways = [
        *([SHARES] if PER_CENT.fullmatch(text) and not how.percent else []),
        *(["give `decimal=','`"] if COMMA.fullmatch(text) and how.decimal != "," else []),
    ]
    if not ways:
        more = " with `decimal=','`" if how.decimal == "," else ""
        return BadInput(f"{place}, which is not a number{more}")
    what = "per cent" if PER_CENT.fullmatch(text) else "a number with a decimal comma"
    return BadInput(f"{place}: if that is {what}, {' and '.join(ways)}")
