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
from veracity.evidence.columns import check_missing, gaps_in_words, left_out_note
from veracity.evidence.labels import LEAVE_OUT
from veracity.readers.columns import Columns, check_complete
from veracity.readers.relation import Codes
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
    """Return the columns of these names without a missing cell among them.

    `kinds` are those of columns of numbers: number, chance (a probability) or answer (right or wrong); `truths` are
    the columns of true classes.
    """
    read = {name: _numbers(columns, name, kind, how) for name, kind in kinds.items()}
    columns = replace(columns, arrays={**columns.arrays, **read})
    gaps = {name: found for name in names if (found := columns.gaps(name)) is not None}
    if not gaps:
        return columns
    source, first = columns.source, columns.source.first
    if how.missing == "refuse":
        name = next(iter(gaps))
        check_complete(columns, [name], SET_ASIDE if name in truths else LEAVE_OUT)
    dropped = np.logical_or.reduce(list(gaps.values()))
    numbers = {name: int(found.sum()) for name, found in gaps.items()}
    if dropped.all():
        where_in_words = gaps_in_words(numbers)
        raise BadInput(f"{source.name}: every row has a missing cell in the columns that are used ({where_in_words})")
    kept = np.flatnonzero(~dropped)
    return Columns(
        {name: _plain(array[kept]) for name, array in columns.items()},
        replace(source, rows=RowNames(lambda place: int(kept[place]) + first)),
        None if columns.weights is None else columns.weights[kept],
        (*columns.notes, left_out_note(source.name, len(dropped), int(dropped.sum()), numbers)),
    )


def read_written(columns: Columns, how: Notation, names: Collection[str] = ()) -> Columns:
    """Return a table in which columns of nothing but numbers, some per cent or with a decimal comma, are numbers.

    Columns of `names` stay texts, and so does a first one alone of its kind: data sets may be called "50 %".
    """
    written = []
    for name, array in columns.items():
        if name in names or array.dtype.kind not in "OU":
            continue
        cells = [str(cell) for cell in array.tolist() if not _is_absent(cell)]
        otherwise = list(map(_looks_written_otherwise, cells))
        if any(otherwise) and all(
            other or _number(cell, False, ".") is not None for cell, other in zip(cells, otherwise, strict=True)
        ):
            written.append(name)
    if len(columns) > 1 and written == list(columns)[:1] and len(set(columns[written[0]])) == len(columns[written[0]]):
        return columns
    how = replace(how, missing="drop")  # a score that is missing stays so
    read = {name: _parse_column(columns, name, "number", how) for name in written}
    return replace(columns, arrays={**columns.arrays, **read})


def _plain(array: Array) -> Array:
    """Return numbers that were objects only because a cell was missing as numbers again."""
    if array.dtype.kind != "O" or not {type(cell) for cell in array} <= {int, float, bool}:
        return array
    return np.array(array.tolist())


def _numbers(columns: Columns, name: str, kind: str, how: Notation) -> Array:
    """Return a column of numbers, read as it was said to be written."""
    array = columns[name]
    if array.dtype.kind in "OUT" and any(isinstance(cell, str) for cell in array):
        return _parse_column(columns, name, kind, how)
    if kind != "chance" or array.dtype.kind not in "iuf":
        return array
    if how.percent:
        return array / 100
    if 1.5 < np.fmax.reduce(array, initial=0) <= 100 and np.fmin.reduce(array, initial=0) >= 0:  # 1.1 is a slip
        row = int((array > 1).argmax())
        says = f"{array[row]:g}; probabilities must lie between 0 and 1: if these are per cent, {SHARES}"
        raise BadInput(f"{columns.cell(name, row)} is {says}")
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
    """Return the cells of a column as numbers; None where one is no number in any way, which is told with all else."""
    signed = [isinstance(cell, str) and cell.rstrip().endswith("%") for cell in cells]
    in_per_cent = how.percent and (kind == "chance" or any(signed))
    all_signed = in_per_cent and any(signed)
    numbers = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        if _is_absent(cell):
            if cell is not None and how.missing == "refuse":
                raise BadInput(f"{columns.cell(name, row)} holds {cell!r}, which is not a number: {LEAVE_OUT}")
            continue
        if all_signed and not signed[row]:
            says = f"{brief(repr(cell))} without a % sign, and others have one: make them alike"
            raise BadInput(f"{columns.cell(name, row)} holds {says}")
        number = _number(ANSWERS.get(str(cell).lower(), cell) if kind == "answer" else cell, in_per_cent, how.decimal)
        if number is None and how.plain and not _looks_written_otherwise(cell):
            return None
        if number is None:
            raise BadInput(f"{columns.cell(name, row)} holds {_offer(cell, how)}")
        numbers[row] = number
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


def _offer(cell: Any, how: Notation) -> str:
    """Return what to say of a cell that is no number as it stands there."""
    per_cent, comma = PER_CENT.fullmatch(str(cell)), COMMA.fullmatch(str(cell))
    ways = [SHARES] * (per_cent is not None and not how.percent)
    ways += ["give `decimal=','`"] * (comma is not None and how.decimal != ",")
    if not ways:
        more = " with `decimal=','`" if how.decimal == "," else ""
        return f"{brief(repr(cell))}, which is not a number{more}"
    what = "per cent" if per_cent else "a number with a decimal comma"
    return f"{brief(repr(cell))}: if that is {what}, {' and '.join(ways)}"
