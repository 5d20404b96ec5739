"""Single columns of predictions, checked where they enter: as long as the others, finite, labels where due."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.evidence.labels import Places, as_labels
from veracity.records.arrays import Array, as_array, as_numbers, freeze


def label_column(column: Any, role: str, size: int, at: Places) -> Array:
    """One label per row."""
    return same_length(as_labels(column, at[role], at.first), role, size, at)


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
        raise BadInput(f"{at[role]}: row {row + at.first} is {array[row]}; every number must be finite")
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


def right_or_wrong(column: Any, role: str, at: Places) -> Array:
    """Whether each row was right: 1 or true, 0 or false."""
    array = as_array(column, at[role])
    answers = array if array.dtype.kind == "b" else number_column(array, role, at)
    if answers.ndim != 1:
        raise BadInput(f"{at[role]}: one answer per row is needed, not an array of shape {answers.shape}")
    other = (answers != 0) & (answers != 1)
    if other.any():
        row = int(other.argmax())
        says = f"row {row + at.first} is {answers[row]:g}; right is 1 or true, wrong 0 or false"
        raise BadInput(f"{at[role]}: {says}: what lies between or beyond is a loss, {option('loss')}")
    return answers != 0
