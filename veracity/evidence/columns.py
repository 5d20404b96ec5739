"""Columns of predictions, checked where they enter: as long as the others, finite, named for their classes; rows with
missing cells left out and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.labels import LEAVE_OUT, Places, as_labels, is_missing
from veracity.records.arrays import Array, RowNames, as_array, as_numbers, freeze, python_value


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """A table of numbers and the names of its columns."""

    names: tuple[Any, ...]
    array: Array

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.array, dtype)

    def in_order_of(self, classes: Sequence[Any], positive: int | None, place: str) -> Array:
        """Return the columns in the order of the classes they name; raise BadInput where they name others."""
        of_names = [_class_of(name, classes) for name in self.names]
        if len(of_names) == 1:
            if of_names[0] is not None and positive is not None and of_names[0] != positive:
                says = f"{place}: the column is called {self.names[0]!r}, but the positive class is"
                raise BadInput(f"{says} {classes[positive]!r}: give its column, or name the other class as positive")
            return self.array
        numbers = range(len(self.names))  # what pandas and polars call columns that were given no names
        unnamed = self.names in (tuple(numbers), tuple(f"column_{number}" for number in numbers))
        says, known = f"{place}: its columns are called {brief(str(list(self.names)))}", brief(str(list(classes)))
        in_order = [*range(len(classes))]
        if set(of_names) == set(in_order) and len(of_names) == len(classes):
            if unnamed and of_names != in_order:
                says = f"{says}, which may be classes or numbers of columns"
                raise BadInput(f"{says}: give .to_numpy() with the columns in the order {known}")
            return self.array[:, [of_names.index(one) for one in in_order]]
        if unnamed and all(one in (None, column) for column, one in enumerate(of_names)):
            return self.array  # 0 and 1 may stand for -1 and 1, but not for 1 and 2
        way = "name each column as its class, or give an array (.to_numpy()) with the columns in this order"
        raise BadInput(f"{says}, but the classes are {known}: {way}")


def named_columns(table: Any, place: str) -> Any:
    """Return a frame, a mapping of columns or a named column with its names; anything else as it is."""
    names = _names(table)
    if names is None:
        return table
    if not isinstance(table, (Mapping, np.ndarray)):
        return NamedColumns(names, as_array(table, place))
    arrays = [as_array(table[name], f"{place} {name!r}") for name in names]
    if any(array.ndim != 1 or len(array) != len(arrays[0]) for array in arrays):
        raise BadInput(f"{place}: its columns {brief(str(list(names)))} are not all of the same length")
    return NamedColumns(names, np.column_stack(arrays))


def check_same_index(columns: Mapping[str, Any], at: Places) -> None:
    """Raise BadInput where two columns of pandas name their rows differently, as they would be matched by position."""
    indexed = [
        (at[role], part.index)
        for role, column in columns.items()
        for part in (column.values() if isinstance(column, Mapping) else [column])
        if callable(getattr(getattr(part, "index", None), "equals", None))
    ]
    for place, index in indexed[1:]:
        first, one = indexed[0]
        if len(index) == len(one) and not index.equals(one):
            raise BadInput(
                f"{first} and {place} have different pandas indexes: align them (such as by .loc), or give"
                " .to_numpy() of each to match their rows by position"
            )


def _names(table: Any) -> tuple[Any, ...] | None:
    """The names that columns carry; None where they carry none."""
    if isinstance(table, Mapping):
        names: Any = list(table)
    elif isinstance(table, np.ndarray):
        names = table.dtype.names
    else:
        names = getattr(table, "column_names", None)  # of Arrow, whose `columns` are the columns themselves
        names = getattr(table, "columns", None) if names is None else names
        if names is None and hasattr(table, "dtype") and getattr(table, "name", None):  # one column of a frame
            names = [table.name]
    return tuple(map(python_value, names)) if names is not None and len(names) else None


def _class_of(name: Any, classes: Sequence[Any]) -> int | None:
    """Return the position of the class that a column names.

    That very label comes first, then one that is written alike, as frames may only have texts.
    """
    alike = [index for index, label in enumerate(classes) if label == name and type(label) is type(name)]
    alike = alike or [index for index, label in enumerate(classes) if label == name or str(label) == str(name)]
    return alike[0] if len(alike) == 1 else None


MIN_WEIGHT, MAX_WEIGHT = 1e-90, 1e90  # cubes of weights, summed over many rows, still are numbers
SUM_TOLERANCE = 1e-6
ROUNDED = 0.03  # gaps from 1 that rounding to two decimals may leave
EACH_CLASS = "give `proba=columns` for each class"


def label_column(column: Any, role: str, size: int, at: Places) -> Array:
    """One label per row."""
    return same_length(as_labels(column, at[role], at.first, LEAVE_OUT), role, size, at)


def same_length(array: Array, role: str, size: int, at: Places) -> Array:
    """The array, refused where it has another number of rows."""
    if len(array) != size:
        raise BadInput(f"{at[role]} has {len(array)} rows, but {at['truth']} has {size}: they must match")
    return array


def number_column(column: Any, role: str, at: Places, size: int | None = None) -> Array:
    """A one-dimensional array of finite numbers."""
    array = as_numbers(column, at[role], at.first)
    if array.ndim != 1:
        raise BadInput(f"{at[role]}: one number per row is needed, not an array of shape {array.shape}")
    if size is not None:
        same_length(array, role, size, at)
    if not np.isfinite(extremes(array)).all():
        row = int((~np.isfinite(array)).argmax())
        way = f": {LEAVE_OUT}" if np.isnan(array[row]) else ""
        raise BadInput(f"{at[role]}: row {row + at.first} is {array[row]}; every number must be finite{way}")
    return freeze(array)


def extremes(array: Array) -> tuple[Any, ...]:
    """Smallest and largest; NaN if any is, so two fast passes check everything."""
    return (array.min(), array.max()) if array.size else (0.0,)


def positive_column(column: Any, role: str, size: int, at: Places) -> Array:
    """Weights and counts, each above 0."""
    array = number_column(column, role, at, size)
    if (array <= 0).any():
        row = int((array <= 0).argmax())
        raise BadInput(
            f"{at[role]}: row {row + at.first} is {array[row]:g}; each must be greater than 0: "
            "leave out rows that do not count"
        )
    return array


def usable_weights(weights: Array, at: Places) -> Array:
    """Return weights whose sums of squares and cubes are numbers; raise BadInput where some are next to none.

    Very large or small ones are divided by a power of two, which changes no digit: only their ratios matter.
    """
    heaviest = float(weights.max())
    if not MIN_WEIGHT <= heaviest <= MAX_WEIGHT:
        weights = freeze(np.ldexp(weights, -np.frexp(heaviest)[1]))
    if weights.min() < MIN_WEIGHT:
        row = int(weights.argmin())
        says = f"{at['weights']}: row {row + at.first} has next to none of the weight of the heaviest, {heaviest:g}"
        raise BadInput(f"{says}: leave out rows that do not count")
    return weights


def right_or_wrong(column: Any, role: str, at: Places) -> Array:
    """Return whether each row was right: 1 or true, 0 or false; which words mean right is not guessed."""
    array = as_array(column, at[role])
    for row, cell in enumerate(array.ravel().tolist() if array.dtype.kind in "OUS" else ()):
        if isinstance(cell, str) and cell.strip() not in ("0", "1", "0.0", "1.0"):
            held = f"row {row + at.first} holds {brief(repr(cell))}"
            raise BadInput(f"{at[role]}: {held}: right is written 1 or true, wrong 0 or false")
    answers = array if array.dtype.kind == "b" else number_column(array, role, at)
    if answers.ndim != 1:
        raise BadInput(f"{at[role]}: one answer per row is needed, not an array of shape {answers.shape}")
    other = (answers != 0) & (answers != 1)
    if other.any():
        row = int(other.argmax())
        says = f"row {row + at.first} is {answers[row]:g}; right is 1 or true, wrong 0 or false"
        raise BadInput(f"{at[role]}: {says}: what lies between or beyond is a loss, `loss=`")
    return answers != 0


def probability_columns(proba: Any, names: tuple[Any, ...], positive: int | None, size: int, at: Places) -> Array:
    """A column for each class, or one of the positive class."""
    if isinstance(proba, NamedColumns):
        proba = proba.in_order_of(names, positive, at["proba"])
    array = as_numbers(proba, at["proba"], at.first)
    same_length(array, "proba", size, at)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 1 and len(names) > 2:
        raise BadInput(
            f"{at['proba']}: one column of probabilities is enough for two classes only, but there are {len(names)}, "
            f"{list(names)[:20]}: {EACH_CLASS}"
        )
    if array.ndim == 1 and positive is None:
        raise BadInput(
            f"{at['proba']}: one column of probabilities needs two classes and `positive=` to say whose "
            f"they are; the classes are {list(names)}"
        )
    if array.ndim > 2 or (array.ndim == 2 and array.shape[1] != len(names)):
        raise BadInput(
            f"{at['proba']}: one column per class is needed ({len(names)}: {list(names)}), not shape {array.shape}"
        )
    low, high = extremes(array)
    if not (low >= 0 and high <= 1):
        row = int(np.argwhere(~((array >= 0) & (array <= 1)))[0][0])
        held = f"row {row + at.first} is {array[row].tolist()}; probabilities must lie between 0 and 1"
        way = f": {LEAVE_OUT}" if np.isnan(array[row]).any() else ""
        raise BadInput(f"{at['proba']}: {held}{way}")
    if array.ndim == 2:
        _check_sums(array, at)
    return freeze(array)


def _check_sums(array: Array, at: Places) -> None:
    """Refuse rows that do not sum to 1, but for rounding: numbers of few decimals, or of single precision."""
    gap = np.abs(array.sum(1, dtype=np.float64) - 1)
    tolerance = SUM_TOLERANCE if array.dtype == np.float64 else 1e-5
    if gap.max() > tolerance:
        scales = (10.0**decimals for decimals in range(2, 8))
        scale = next((scale for scale in scales if np.abs(array * scale - np.rint(array * scale)).max() < 1e-6), np.inf)
        tolerance = max(tolerance, float(array.shape[1] * 0.5 / scale + SUM_TOLERANCE))
    if gap.max() > tolerance:
        row = int((gap > tolerance).argmax())
        says = f"{at['proba']}: row {row + at.first} sums to {array[row].sum():.6g}, not to 1"
        raise BadInput(f"{says}: if these are rounded, divide each row by its sum" if gap.max() < ROUNDED else says)


MAX_WHOLE = 2.0**53  # beyond, floating point holds no whole numbers one by one


def unlabelled_rows(y: Array) -> Array:
    """Return where there is no label."""
    if y.dtype.kind == "f":
        return np.isnan(y)
    if y.dtype.kind not in "OU":
        return np.zeros(len(y), bool)
    return np.fromiter((is_missing(cell) or cell == "" for cell in y), bool, len(y))


def known_labels(y: Array) -> Array:
    """Return the labels that there are, of whole numbers also where a gap had made others of them."""
    return _without_gap_type(y[~unlabelled_rows(y)])


def _without_gap_type(known: Array) -> Array:
    """Return values without gaps in the type that they have by themselves: a gap made 1.0 of 1, objects of texts."""
    if known.dtype.kind == "f" and (known == np.floor(known)).all() and (np.abs(known) <= MAX_WHOLE).all():
        return known.astype(np.int64)
    return as_array(known.tolist()) if known.dtype.kind == "O" and len(known) else known


def check_missing(missing: str) -> None:
    """Refuse a word for what becomes of rows with missing cells that is not known."""
    if missing not in ("refuse", "drop"):
        raise BadInput(f"`missing=` is refuse or drop, not {missing!r}")


def drop_rows(columns: Mapping[str, Any], at: Places, labelled: str) -> tuple[dict[str, Any], Places, tuple[Note, ...]]:
    """Return the columns without the rows that miss a cell in one of them; rows keep their numbers in sentences.

    A truth that nobody knows is no gap where that was said. Columns that do not match are left to who checks them.
    Where no ids are given the rows' numbers are, so that models which lack different rows are not taken for a pair.
    """
    arrays = {role: as_array(column, at[role]) for role, column in columns.items() if column is not None}
    if len({len(array) for array in arrays.values()}) != 1:
        return dict(columns), at, ()
    gaps = {role: _gaps(array) for role, array in arrays.items() if role != "truth" or labelled == "all"}
    dropped = np.logical_or.reduce(list(gaps.values()))
    number, numbers = int(dropped.sum()), {at[role]: int(gap.sum()) for role, gap in gaps.items()}
    if not number:
        return dict(columns), at, ()
    if number == len(dropped):
        raise BadInput(f"every row has a missing cell in what was given ({gaps_in_words(numbers)})")
    kept, first = np.flatnonzero(~dropped), at.first
    complete = dict(columns)
    for role, array in arrays.items():
        complete[role] = array[kept]
        if array.ndim == 1 and role in gaps and gaps[role].any():
            complete[role] = _without_gap_type(complete[role])
    if isinstance(columns.get("proba"), NamedColumns):
        complete["proba"] = replace(columns["proba"], array=complete["proba"])
    if all(role in columns and columns[role] is None for role in ("rows", "fold", "repeat")):
        complete["rows"] = kept
    note = left_out_note("", len(dropped), number, numbers)
    return complete, replace(at, first=RowNames(lambda place: int(kept[place]) + first)), (note,)


def _gaps(array: Array) -> Array:
    """Return where a row lacks a cell; of several columns, any."""
    if array.dtype.kind == "f":
        gaps = np.isnan(array)
    elif array.dtype.kind in "Mm":
        gaps = np.isnat(array)
    elif array.dtype.kind == "O":
        gaps = np.fromiter(map(is_missing, array.ravel()), bool, array.size).reshape(array.shape)
    else:
        gaps = np.zeros(array.shape, bool)
    return np.asarray(gaps.any(axis=tuple(range(1, gaps.ndim))))


def left_out_note(place: str, rows: int, number: int, gaps: Mapping[str, int]) -> Note:
    """Return the caution that rows with a gap were left out: how many of them, and the gaps of each column."""
    has, cells, were = ("has a", "cell", "was") if number == 1 else ("have", "cells", "were")
    says = f"{number} of {plural(rows, 'row')} {has} missing {cells} ({gaps_in_words(gaps)}) and {were} left out"
    return Note("rows-left-out", "caution", f"{place}: {says}" if place else says)


def gaps_in_words(gaps: Mapping[str, int]) -> str:
    """Return how many gaps each column has that has any."""
    return ", ".join(f"{brief(str(name), 30)} {number}" for name, number in gaps.items() if number)
