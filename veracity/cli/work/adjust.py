"""The p-values of a file, adjusted: a column of them or a matrix of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import adjust, read_p_values
from veracity.cli.output import page_of
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.readers.columns import Columns, read_columns
from veracity.readers.source import quote_names
from veracity.records.arrays import Array
from veracity.reports.output import Output

USUAL = ("p", "p_value")


def adjust_typed(words: Sequence[str], using: str, column: str | None) -> Output:
    """What `veracity adjust` prints, of p-values that were typed or of a file."""
    choice = adjustments.choose(using)
    typed = [_number(word) for text in words for word in text.split(",") if word]
    if all(number is not None for number in typed) and typed:
        if column is not None:
            raise BadInput("--column names one of a file, and these are p-values: leave it out")
        p = np.array(typed, float)
        return _result(p, adjust(p, choice), choice, [])
    if len(words) > 1:
        raise BadInput(f"adjust reads one file, or p-values such as 0.01 0.02, not {', '.join(map(repr, words))}")
    columns = read_columns(words[0], None if column is None else [column])
    names = _columns_of_p(columns, column)
    try:
        p = _column(columns, names[0]) if len(names) == 1 else _matrix(columns, names)
        return _result(p, adjust(p, choice), choice, names)
    except BadInput as why:
        raise BadInput(f"{columns.source.name}: {why.says}") from None


def _result(p: Array, adjusted: Any, choice: Choice, names: list[str]) -> Output:
    shape: dict[str, Any] = {"using": choice.spelling, "p_values": p.tolist(), "adjusted": adjusted.tolist()}
    if adjusted.notes:
        shape["notes"] = [note.to_json() for note in adjusted.notes]
    if p.ndim == 2:
        adjusted.learners = names
    title = f"veracity: {choice.spelling}"
    return Output(title, (adjusted.table(),), lambda: shape, page=lambda: page_of(adjusted, title))


def read_p_column(file: str, name: str) -> Array:
    """One column of p-values, none of them missing."""
    columns = read_columns(file, [name])
    p = _column(columns, name)
    for row in np.flatnonzero(np.isnan(p))[:1]:
        place = f"{columns.source.name}: column '{name}', row {row + 1}"
        raise BadInput(f"{place} has no p-value: each data set needs one")
    return p


def _columns_of_p(columns: Columns, asked: str | None) -> list[str]:
    """The names of the columns with p-values: one, or one for each learner."""
    names = list(columns)
    usual = [name for name in names if name.lower() in USUAL]
    if asked is not None or len(names) == 1:
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
    """A column of p-values; in a file without a header the first one stands where the name should be."""
    cells = _numbers(columns, name)
    for row in np.flatnonzero((cells < 0) | (cells > 1))[:1]:
        raise BadInput(f"column '{name}', row {row + 1} is {cells[row]:g}, but p-values lie between 0 and 1")
    head = _number(name)
    return cells if head is None else np.concatenate([[head], cells])


def _matrix(columns: Columns, names: list[str]) -> Array:
    if all(_number(name) is not None for name in names):
        raise BadInput("the first line holds numbers: write the names of the learners there")
    matrix = np.stack([_numbers(columns, name) for name in names], axis=1)
    return read_p_values(matrix, pairs=True).array  # or the sentence why it is none


def _numbers(columns: Columns, name: str) -> Array:
    cells = columns[name]
    if len(cells) and all(cell is None for cell in cells.tolist()):
        return np.full(len(cells), np.nan)
    if cells.dtype.kind in "iuf":
        return cells.astype(float)
    read = [float("nan") if cell is None else _number(str(cell)) for cell in cells.tolist()]  # beyond 64 bits an object
    if None in read:
        row = read.index(None)
        says = f"column '{name}', row {row + 1} is {str(cells[row])[:40]!r}, not a p-value"
        raise BadInput(f"{says}; leave missing ones empty")
    return np.array(read, float)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
