"""Labels of classes turned into codes and back into the words the user gave; the rows of each slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from itertools import chain, repeat
from numbers import Real
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.records.arrays import Array, FirstRow, as_array, python_value

LABELS = (str, bytes, Real, Decimal, date, time, timedelta, np.generic)
LEAVE_OUT = "fill it in or leave such rows out, `missing='drop'`"
SMALL_RANGE = 1_000  # integer labels this close together are coded by counting, not by sorting
UNITS_OF_TIME = {"D": "days", "h": "hours", "m": "minutes", "s": "seconds", "ms": "ms", "us": "us", "ns": "ns"}
PIECE = 2**16  # rows


def as_labels(column: Any, place: str, first: FirstRow = 0, way_out: str = "fill it in or leave the row out") -> Array:
    """A one-dimensional array of labels without missing ones; `way_out` says what to do about one."""
    array = as_array(column, place)
    if array.ndim != 1:
        raise BadInput(f"{place}: one label per row is needed, not an array of shape {array.shape}")
    if array.dtype.kind in "cV":
        raise BadInput(f"{place}: labels are texts, numbers, dates or true/false, not of type {array.dtype}")
    if array.dtype.kind == "f":
        missing = ~np.isfinite(array)
    elif array.dtype.kind in "Mm":
        missing = np.isnat(array)
    elif array.dtype.kind == "O" and not set(map(type, array)) <= {str, int, bool}:  # none of which can be missing
        missing = np.fromiter(map(is_missing, array), bool, len(array))
        for row in np.flatnonzero(~missing):  # what has no equal or no order, such as lists
            if not isinstance(array[row], LABELS) or isinstance(array[row], np.complexfloating):
                says = f"row {row + first} holds a {type(array[row]).__name__}, which is no label"
                raise BadInput(f"{place}: {says}: labels are texts, numbers, dates or true/false")
    else:
        missing = np.zeros(1, bool)
    if missing.any():
        raise BadInput(f"{place}: row {int(missing.argmax()) + first} holds no label; {way_out}")
    return time_texts(array)


def _as_times(array: Array) -> Array:
    """Return Python's dates, or its lengths of time, as numpy's; any other array as it is."""
    if array.dtype.kind != "O" or array.ndim != 1 or not len(array) or not isinstance(array[0], (date, timedelta)):
        return array
    kinds = set(map(type, array.tolist()))
    if all(issubclass(kind, timedelta) for kind in kinds):
        return array.astype("m8[us]")
    plain = all(issubclass(kind, date) for kind in kinds) and all(getattr(one, "tzinfo", None) is None for one in array)
    return array.astype("M8[us]") if plain else array


def time_texts(array: Array) -> Array:
    """Return dates or lengths of time as texts that are equal where the times are, in any unit; others as they are."""
    array = _as_times(array)
    if array.dtype.kind not in "Mm":
        return array
    distinct, place = np.unique(array, return_inverse=True)
    if array.dtype.kind == "M":
        in_days = distinct.astype("M8[D]") if np.datetime_data(array.dtype)[0] in "YMW" else distinct
        texts = [_date_text(str(one)) for one in in_days.astype(str)]
    else:
        texts = [_length_text(one) for one in distinct]
    return np.array(texts, str)[place]


def _date_text(time: str) -> str:
    """Return a date and time to the last digit that is not 0, with seconds where there is a time of day."""
    time = time.rstrip("0").removesuffix(".") if "." in time else time + {13: ":00:00", 16: ":00"}.get(len(time), "")
    return time.removesuffix("T00:00:00")


def _length_text(length: Any) -> str:
    """A length of time in the largest unit of which it is a whole number."""
    if np.datetime_data(length.dtype)[0] in ("Y", "M"):  # no number of days
        return str(length)
    nothing, one = np.timedelta64(0, "ns"), {unit: np.array(1, f"m8[{unit}]") for unit in UNITS_OF_TIME}
    unit = next((unit for unit in UNITS_OF_TIME if length % one[unit] == nothing), "ns")
    return f"{length // one[unit]} {UNITS_OF_TIME[unit]}"


def text_codes(array: Array) -> Array:
    """Return a number for each row, the same where what it holds is written alike; numpy's texts lose zero bytes."""
    if array.dtype.kind != "O":
        return np.unique(array, return_inverse=True)[1]
    texts = [str(item) for item in array.tolist()]
    numbers = {text: number for number, text in enumerate(sorted(set(texts)))}
    return np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))


def id_codes(ids: Array) -> Array:
    """Return a number for each row, the same for the same id, in the order of ids; those of several types by type."""
    try:
        return np.unique(ids, return_inverse=True)[1]
    except TypeError:
        items = ids.tolist()
        ordered = sorted(set(items), key=lambda item: (type(item).__name__, item))
        return np.fromiter(map({item: code for code, item in enumerate(ordered)}.__getitem__, items), np.int64)


def is_missing(item: Any) -> bool:
    # pandas' NA compares to itself as NA, whose truth is an error: told apart by its name
    return item is None or type(item).__name__ in ("NAType", "NaTType") or (isinstance(item, LABELS) and item != item)


def distinct_labels(array: Array) -> tuple[Any, ...]:
    """The labels that occur, sorted."""
    if array.dtype.kind in "iub" and len(array):
        low, high = int(array.min()), int(array.max())
        if high - low < SMALL_RANGE:
            seen = np.ones(2) if high - low == 1 else np.bincount(_offsets(array, low))
            return tuple(python_value(array.dtype.type(low + int(k))) for k in np.flatnonzero(seen))
    items = set().union(*_pieces(array)) if array.dtype.kind in "OU" else np.unique(array)
    labels = [python_value(label) for label in items]
    try:
        return tuple(sorted(labels))
    except TypeError:
        return tuple(sorted(labels, key=lambda label: (type(label).__name__, label)))


def _pieces(array: Array) -> Iterator[list[Any]]:
    """Give the items as Python's own, some rows at a time, which takes little memory."""
    return (array[first : first + PIECE].tolist() for first in range(0, len(array), PIECE))


def _offsets(array: Array, low: int) -> Array:
    """Return how far whole numbers of a small range lie above its lower end, whatever their type can hold."""
    if array.dtype == np.uint64:
        return (array - np.uint64(low % 2**64)).astype(np.int64)
    return array.astype(np.int64, copy=False) - low


def codes(array: Array, classes: tuple[Any, ...], place: str, first: FirstRow = 0) -> Array:
    """Return the index of each label in `classes`; raise BadInput where a label is not there."""
    kind = np.int8 if len(classes) < 128 else np.int32
    whole = array.dtype.kind in "iub" and len(array) > 0 and all(isinstance(label, int) for label in classes)
    low, high = (min(classes), max(classes)) if whole else (0, 0)
    if whole and high - low < SMALL_RANGE and low <= array.min() and array.max() <= high:
        if classes == tuple(range(low, high + 1)):
            return (array if low == 0 else _offsets(array, low)).astype(kind)
        table = np.full(high - low + 1, -1, kind)
        table[[label - low for label in classes]] = range(len(classes))
        result = table[_offsets(array, low)]
    else:
        index = {label: number for number, label in enumerate(classes)}
        labels = chain.from_iterable(_pieces(array))
        result = np.fromiter(map(index.get, labels, repeat(-1)), kind, len(array))
    if len(result) and result.min() < 0:
        row = int((result < 0).argmax())
        label, known = brief(repr(python_value(array[row])), 80), brief(repr(list(classes)), 80)
        raise BadInput(f"{place}: row {row + first} holds {label}, which is not among the classes {known}")
    return result


@dataclass(frozen=True)
class Places:
    """How to name a column and a row in a sentence: the argument's name, or a file's column."""

    names: Mapping[str, str] = field(default_factory=dict)
    first: FirstRow = 0  # the number of the first row

    def __getitem__(self, role: str) -> str:
        return self.names.get(role, role)


SIMULTANEOUS = "simultaneous-level"  # the code of the note that only answers about slices have


def slice_rows(labels: Any, name: str, rows: int) -> list[tuple[str, Array]]:
    """Each slice's name and places, from one sort of the rows by slice; `name` is the argument that labels them."""
    groups = as_labels(labels, name)
    if len(groups) != rows:
        raise BadInput(f"{name} has {len(groups)} rows, but the predictions have {rows}: they must match")
    distinct = distinct_labels(groups)
    number = codes(groups, distinct, name)
    order = np.argsort(number, kind="stable")
    bounds = np.searchsorted(number[order], np.arange(len(distinct) + 1))
    return [(str(label), order[bounds[k] : bounds[k + 1]]) for k, label in enumerate(distinct)]


def simultaneous_note(slices: int, each: float, level: float, of_one: str) -> Note:
    """At which level each interval is, so that all slices hold together."""
    one = f"{plural(slices, 'slice')}: each interval has level {each:.6g}"
    says = f"{one}, so that all of one {of_one} hold together with level {level:g} (Bonferroni)"
    return Note(SIMULTANEOUS, "remark", says)
