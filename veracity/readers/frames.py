"""Columns of pandas, polars and Arrow frames, mappings of arrays and structured arrays, none of them required."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark, is_missing
from veracity.core.words import brief
from veracity.readers.relation import MAX_CELL_CHARS, too_long, with_gaps
from veracity.readers.source import Source, Wanted, names_wanted, no_column
from veracity.records.arrays import Array, as_array

SOURCE = Source("the frame", "frame")


def columns(frame: Any, names: Wanted) -> tuple[dict[str, Array], Source, dict[str, int]]:
    """Return the asked columns, where they came from, and the first missing row of those that have one."""
    known = _names(frame)
    names = names_wanted(known, names)
    arrays, missing = {}, {}
    for name in names:
        if name not in known:
            raise no_column(SOURCE, str(name), map(str, known))
        array, gaps = _column(frame, name)
        if array.ndim != 1:
            raise BadInput(f"{SOURCE.column(str(name))}: one value per row is needed, not shape {array.shape}")
        arrays[name] = array
        if gaps is not None and gaps.any():
            missing[name] = int(gaps.argmax())
    if names and not len(arrays[names[0]]):
        raise BadInput("the frame has no rows")
    sizes = [(brief(str(name)), len(array)) for name, array in arrays.items()]
    for name, size in sizes:
        if size != sizes[0][1]:
            raise BadInput(f"the frame's column {sizes[0][0]} has {sizes[0][1]} rows, but {name} has {size}")
    return arrays, SOURCE, missing


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


def _column(frame: Any, name: str) -> tuple[Array, Array | None]:
    """Return one column as a plain array, and where it is missing."""
    if isinstance(frame, (Mapping, np.ndarray)):
        return _plain_array(_array(frame[name]), name)
    import narwhals.stable.v1 as nw

    return _series_array(nw.from_native(frame, eager_only=True).get_column(name), name)


def _array(column: Any) -> Any:
    """Return a column as an array or series; a list of mixed types stays what it is instead of becoming text."""
    if isinstance(column, (list, tuple)):
        kinds = {type(item) for item in column}
        return np.array(column, None if len(kinds) == 1 or kinds == {int, float} else object)
    if hasattr(column, "dtype") and isinstance(column.dtype, np.dtype):
        return np.asarray(column)
    import narwhals.stable.v1 as nw

    try:
        return nw.from_native(column, series_only=True)
    except TypeError:
        return np.asarray(column)


def _plain_array(column: Any, name: str) -> tuple[Array, Array | None]:
    if not isinstance(column, np.ndarray):
        return _series_array(column, name)
    if np.ma.isMaskedArray(column):
        gaps = np.ma.getmaskarray(column)
        return as_array(column), gaps
    if column.dtype.kind in "Mm":
        gaps = np.isnat(column)
        return with_gaps(column.astype(str).astype(object), gaps), gaps
    if column.dtype.kind == "O" and column.ndim == 1:
        return _array_of_objects(column, name)
    return (column, np.isnan(column)) if column.dtype.kind == "f" else (column, None)


def _series_array(series: Any, name: str) -> tuple[Array, Array | None]:
    """Return a series of any library, nullable or not, categorical or not, and where it is missing."""
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
    present, _ = _plain_array(series.filter(~series.is_null()).to_numpy(), name)
    whole = np.full(len(gaps), np.nan) if present.dtype.kind == "f" else np.full(len(gaps), None, object)
    whole[~gaps] = present
    return whole, gaps


def _array_of_objects(column: Array, name: str) -> tuple[Array, Array]:
    """Return a column of objects as the plain type they all have, and where it is missing."""
    kinds = [None if is_missing(item) else _kind(item) for item in column]
    if not set(kinds) <= {None, "text"}:  # a text that marks a missing value among numbers is one
        kinds = [None if is_mark(item) else kind for item, kind in zip(column, kinds, strict=True)]
    first: dict[str, int] = {}
    for row, kind in enumerate(kinds):
        if kind is not None:
            first.setdefault(kind, row)
        if kind == "text" and len(column[row]) > MAX_CELL_CHARS:
            raise too_long(SOURCE, str(name), row)
    if len(first) > 1:
        (kind, row), (other, later) = list(first.items())[:2]
        says = f"row {later} holds {other}, but row {row} holds {kind}: make them alike"
        raise BadInput(f"{SOURCE.column(str(name))}: {says}")
    gaps = np.array([kind is None for kind in kinds], bool)
    if not first or "text" in first or gaps.any():
        return with_gaps(column, gaps), gaps
    return np.array(list(column)), gaps


def _kind(item: Any) -> str:
    if isinstance(item, (str, np.str_)):
        return "text"
    if isinstance(item, (bool, np.bool_)):
        return "true or false"
    return "a number" if isinstance(item, (int, float, np.number)) else f"a {type(item).__name__}"
