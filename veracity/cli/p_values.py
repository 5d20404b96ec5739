"""Read p-values that were typed, or stand in a column or a matrix of a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veracity.adjustments.adjust import read_p_values
from veracity.core.errors import BadInput
from veracity.readers.columns import Columns, read_columns
from veracity.readers.source import quote_names
from veracity.records.arrays import Array

COLUMN_NAMES = ("p", "p_value")


def typed_p_values(words: Sequence[str]) -> Array | None:
    """Return the p-values that were typed; None where a word is no number."""
    numbers = [_number(word) for text in words for word in text.split(",") if word]
    return None if None in numbers or not numbers else np.array(numbers, float)


def read_p_values_of_file(file: str, column: str | None) -> tuple[Array, list[str], str]:
    """Return a column of p-values, or a matrix of those of pairs; the names of the columns, and what the file is."""
    columns = read_columns(file, None if column is None else [column])
    names = _p_value_columns(columns, column)
    try:
        if len(names) == 1:
            return _column(columns, names[0]), names, columns.source.name
        if all(_number(name) is not None for name in names):
            raise BadInput("the first line holds numbers: write the names of the learners there")
        matrix = np.stack([_numbers(columns, name) for name in names], axis=1)
        p = read_p_values(matrix, pairs=True).array  # or the sentence why it is none
    except BadInput as why:
        raise BadInput(f"{columns.source.name}: {why.says}") from None
    return p, names, columns.source.name


def read_p_value_column(file: str, name: str) -> Array:
    """Return one column of p-values, none of them missing."""
    columns = read_columns(file, [name])
    p = _column(columns, name)
    for row in np.flatnonzero(np.isnan(p))[:1]:
        place = f"{columns.source.name}: column '{name}', row {row + 1}"
        raise BadInput(f"{place} has no p-value: each data set needs one")
    return p


def _p_value_columns(columns: Columns, column: str | None) -> list[str]:
    """Return the names of the columns with p-values: one, or one for each learner."""
    names = list(columns)
    usual = [name for name in names if name.lower() in COLUMN_NAMES]
    if column is not None or len(names) == 1:
        return names
    if len(usual) == 1:
        return usual
    rows = len(columns[names[0]])
    square = names[1:] if len(names) == rows + 1 else names  # the first column names the learners
    if len(square) == rows > 1:
        return square
    raise BadInput(
        f"{columns.source.name} is neither one column of p-values nor a square matrix of them: "
        f"name the column by --column; there are {quote_names(names)}"
    )


def _column(columns: Columns, name: str) -> Array:
    """Return a column of p-values; in a file without a header the first one stands where the name should be."""
    cells = _numbers(columns, name)
    for row in np.flatnonzero((cells < 0) | (cells > 1))[:1]:
        raise BadInput(f"column '{name}', row {row + 1} is {cells[row]:g}, but p-values lie between 0 and 1")
    head = _number(name)
    return cells if head is None else np.concatenate([[head], cells])


def _numbers(columns: Columns, name: str) -> Array:
    cells = columns[name]
    if cells.dtype.kind in "iuf":
        return cells.astype(float)
    read = [float("nan") if cell is None else _number(str(cell)) for cell in cells.tolist()]  # beyond 64 bits an object
    if None in read:
        row = read.index(None)
        message = f"column '{name}', row {row + 1} is {str(cells[row])[:40]!r}, not a p-value"
        raise BadInput(f"{message}; leave missing ones empty")
    return np.array(read, float)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
