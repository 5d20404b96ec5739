"""The target and what belongs to each row, checked, with sentences that name the place and the row."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.evidence.labels import Places, as_labels, codes, distinct_labels, text_codes
from veracity.records.arrays import Array, as_array, as_numbers, freeze, python_value

Kind = Literal["classes", "numbers"]
FEW = 20  # different values of floating point that may still be classes
MANY = 100  # different whole numbers that are hardly classes
TRUTHS = {"true": True, "false": False, "1": True, "0": False}


def kind_of(y: Any, asked: str, at: Places, rows: int, meant: Kind | None = None) -> Kind:
    """Classes or numbers: as asked, else as meant where the values could be either, else by the rule of `data_of`."""
    array = one_per_row(as_labels(y, at["target"], at.first), "target", at, rows)
    if asked in ("classes", "numbers"):
        return asked  # type: ignore[return-value]
    if asked != "auto":
        raise BadInput(f"kind is 'auto', 'classes' or 'numbers', not {asked!r}")
    fractions = array.dtype.kind == "f" and bool((array % 1 != 0).any())
    whole = array.dtype.kind in "iuf" and not fractions  # which count things, measure them or name them
    if whole and meant == "numbers":
        return meant
    number = len(distinct_labels(array)) if whole else 0
    if whole and meant == "classes":
        if number > MANY:
            says = f"{at['target']} holds {number} different numbers, and the learners are classifiers"
            raise BadInput(f"{says}: use regressors, or say `kind='classes'`")
        return meant
    if array.dtype.kind == "f":
        return "numbers" if fractions or number > FEW else "classes"
    if number > MANY:
        way = "say `kind='numbers'` or `kind='classes'`"
        raise BadInput(f"{at['target']} holds {number} different whole numbers: {way}")
    return "classes"


def target_of(y: Any, kind: Kind, positive: Any, at: Places) -> tuple[Array, tuple[Any, ...], int | None]:
    """The truth in codes or numbers, the classes in order, and the place of the positive one."""
    if kind == "numbers":
        if positive is not None:
            raise BadInput(f"{at['target']} is numeric: it has no positive class {positive!r}")
        return _numbers(y, "target", at), (), None
    array = as_labels(y, at["target"], at.first)
    _check_one_kind(array, at)
    classes = distinct_labels(array)
    if len(classes) < 2:
        raise BadInput(f"{at['target']} holds only the class {classes[0]!r}: two are needed to learn anything")
    place = None
    if positive is not None:
        label = as_label(positive, array)
        if label not in classes:
            raise BadInput(f"the positive class {label!r} does not occur: {at['target']} holds {list(classes)[:20]}")
        place = classes.index(label)
    return freeze(codes(array, classes, at["target"], at.first)), classes, place


def one_per_row(array: Array, role: str, at: Places, rows: int) -> Array:
    """The array, if it is as long as the features."""
    if len(array) != rows:
        raise BadInput(f"{at[role]} has {len(array)} rows, but the features have {rows}: they must match")
    return array


def groups_of(given: Any, at: Places, rows: int) -> Array:
    """Groups as codes."""
    labels = one_per_row(as_labels(given, at["groups"], at.first), "groups", at, rows)
    return freeze(text_codes(labels))


def weights_of(given: Any, at: Places, rows: int) -> Array:
    """Weights, each greater than 0."""
    array = one_per_row(_numbers(given, "weights", at), "weights", at, rows)
    if (array <= 0).any():
        row = int((array <= 0).argmax())
        raise BadInput(f"{at['weights']}: row {row + at.first} is {array[row]:g}; each must be greater than 0")
    return array


def time_of(given: Any, at: Places, rows: int) -> Array:
    """Numbers that grow with time, from numbers or dates."""
    array = one_per_row(as_array(given, at["time"]), "time", at, rows)
    if array.dtype.kind in "iuf":
        return _numbers(array, "time", at)
    if array.dtype.kind != "M":
        array = np.array([_date(item, row, at) for row, item in enumerate(array)])
    if np.isnat(array).any():
        raise BadInput(f"{at['time']}: row {int(np.isnat(array).argmax()) + at.first} holds no time")
    return freeze(array.astype("datetime64[us]").astype(np.int64).astype(np.float64))


def _date(item: Any, row: int, at: Places) -> Any:
    try:
        return np.datetime64(str(item).strip(), "us")
    except ValueError:
        held = f"{at['time']}: row {row + at.first} holds {brief(repr(python_value(item)))}"
        raise BadInput(f"{held}, which is neither a number nor a date such as 2024-03-31") from None


def _numbers(given: Any, role: str, at: Places) -> Array:
    numbers = as_numbers(given, at[role], at.first).astype(np.float64, copy=False)
    if numbers.ndim != 1:
        raise BadInput(f"{at[role]}: one number per row is needed, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        raise BadInput(f"{at[role]}: row {row + at.first} is {numbers[row]}; every number must be finite")
    return freeze(numbers)


def _check_one_kind(array: Array, at: Places) -> None:
    """Learners turn labels into an array, which would make 1 and '1' the same."""
    if array.dtype.kind != "O":
        return
    kinds: dict[str, int] = {}
    for row, item in enumerate(array):
        if not isinstance(python_value(item), (str, int, float)):
            raise BadInput(f"{at['target']}: row {row + at.first} holds a {type(item).__name__}, which is no label")
        kinds.setdefault("text" if isinstance(item, str) else "a number", row)
    if len(kinds) > 1:
        (one, first), (other, second) = kinds.items()
        says = f"row {second + at.first} holds {other}, but row {first + at.first} holds {one}: make them alike"
        raise BadInput(f"{at['target']}: {says}")


def as_label(given: Any, column: Array) -> Any:
    """A label given as text turned into the column's type; left as it is where that is not possible."""
    if not isinstance(given, str):
        return python_value(given)
    try:
        if column.dtype.kind in "iu":
            return _whole(given)
        if column.dtype.kind == "b":
            return TRUTHS.get(given.strip().lower(), given)
        return float(given) if column.dtype.kind == "f" else given
    except (ValueError, OverflowError):
        return given


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
    if not number.is_integer():
        raise ValueError(text)
    return int(number)
