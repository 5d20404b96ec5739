"""Columns of pandas, polars and Arrow frames, mappings of arrays and structured arrays, none of them required."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark, is_missing
from veracity.core.words import brief
from veracity.readers.cells import MAX_CELL_CHARS, different_kinds, too_long, with_gaps
from veracity.readers.source import Source, Wanted, names_wanted, no_column
from veracity.records.arrays import Array, as_array

SOURCE = Source("the frame", "frame")


def columns(frame: Any, names: Wanted) -> dict[str, Array]:
    """Return the asked columns."""
    known = _names(frame)
    arrays = {}
    for name in names_wanted(known, names):
        if name not in known:
            raise no_column(SOURCE, str(name), map(str, known))
        arrays[name] = _column(frame, name)
        if arrays[name].ndim != 1:
            raise BadInput(f"{SOURCE.column(str(name))}: one value per row is needed, not shape {arrays[name].shape}")
    sizes = [(brief(str(name)), len(array)) for name, array in arrays.items()]
    if sizes and not sizes[0][1]:
        raise BadInput("the frame has no rows")
    for name, size in sizes:
        if size != sizes[0][1]:
            raise BadInput(f"the frame's column {sizes[0][0]} has {sizes[0][1]} rows, but {name} has {size}")
    return arrays


def _names(frame: Any) -> list[str]:
    if isinstance(frame, Mapping):
        return list(frame)
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return list(frame.dtype.names)
    import narwhals.stable.v1 as nw

    try:
        return list(nw.from_native(frame, eager_only=True).columns)
    except (TypeError, ValueError) as why:
        if "nique" in str(why) or "uplicate" in str(why):
            raise BadInput("the frame has two columns of the same name: rename one") from None
        way = "a file's path, a pandas, polars or pyarrow frame, a mapping of arrays, or a structured array"
        raise BadInput(f"cannot read columns from {type(frame).__name__}: give {way}") from None


def _column(frame: Any, name: str) -> Array:
    """Return one column as a plain array; a list of mixed types stays what it is instead of becoming text."""
    import narwhals.stable.v1 as nw

    if not isinstance(frame, (Mapping, np.ndarray)):
        return _series_array(nw.from_native(frame, eager_only=True).get_column(name), name)
    column = frame[name]
    if isinstance(column, (list, tuple)):
        kinds = {type(item) for item in column}
        return _plain_array(np.array(column, None if len(kinds) == 1 or kinds == {int, float} else object), name)
    if np.ma.isMaskedArray(column):  # a hidden cell is a missing one
        column = column.filled(column.dtype.type("NaT")) if column.dtype.kind in "Mm" else as_array(column)
    if hasattr(column, "dtype") and isinstance(column.dtype, np.dtype):
        return _plain_array(np.asarray(column), name)
    try:
        return _series_array(nw.from_native(column, series_only=True), name)
    except TypeError:
        return _plain_array(np.asarray(column), name)


def _series_array(series: Any, name: str) -> Array:
    """Return a series of any library, nullable or not, categorical or not."""
    import narwhals.stable.v1 as nw

    if series.dtype == nw.Categorical or series.dtype == nw.Enum:
        categories = series.cat.get_categories().to_numpy()
        series = series.cast(nw.String) if all(isinstance(each, str) for each in categories) else series
    elif series.dtype.is_temporal():
        series = series.cast(nw.String)
    elif series.dtype.is_nested() or series.dtype == nw.Binary:
        kind = f"{SOURCE.column(str(name))} is of type {brief(str(series.dtype))}"
        raise BadInput(f"{kind}: a column of numbers, text or true/false is needed")
    gaps = np.asarray(series.is_null().to_numpy(), bool)
    if not gaps.any():
        return _plain_array(series.to_numpy(), name)
    present = _plain_array(series.filter(~series.is_null()).to_numpy(), name)
    whole = np.full(len(gaps), np.nan) if present.dtype.kind == "f" else np.full(len(gaps), None, object)
    whole[~gaps] = present
    return whole


def _plain_array(column: Array, name: str) -> Array:
    """Return times as texts, and objects as the plain type they all have."""
    if column.dtype.kind in "Mm":
        return with_gaps(column.astype(str).astype(object), np.isnat(column))
    if column.dtype.kind != "O" or column.ndim != 1:
        return column
    kinds = [None if is_missing(item) else _kind(item) for item in column]
    if not set(kinds) <= {None, "text"}:  # a text that marks a missing value among numbers is one
        kinds = [None if is_mark(item) else kind for item, kind in zip(column, kinds, strict=True)]
    present = set(kinds) - {None}
    if len(present) > 1:
        raise different_kinds(SOURCE.column(str(name)), SOURCE.first, kinds)
    if present == {"text"}:
        for row, item in enumerate(column):
            if kinds[row] is not None and len(item) > MAX_CELL_CHARS:
                raise too_long(SOURCE, str(name), row)
    if present <= {"text"} or None in kinds:
        return with_gaps(column, np.array([kind is None for kind in kinds], bool))
    return np.array(list(column))


def _kind(item: Any) -> str:
    if isinstance(item, (str, np.str_)):
        return "text"
    if isinstance(item, (bool, np.bool_)):
        return "true or false"
    return "a number" if isinstance(item, (int, float, np.number)) else f"a {type(item).__name__}"
