"""Rows with the same features get the same code."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from veracity.records.arrays import Array
from veracity.records.data import Data


def row_codes(data: Data) -> Array:
    """One whole number per row, equal for rows whose features are all equal; missing cells equal each other."""
    if isinstance(data.features, np.ndarray) and data.features.dtype.kind in "biuf":
        return _of_numbers(data.features)
    if hasattr(data.features, "tocsr"):
        return _of_sparse(data.features.tocsr(copy=True))
    found = np.zeros(len(data), np.int64)
    for place in range(len(data.columns)):
        codes = _of_column(data.column(place))
        found = np.unique(found * (codes.max() + 1) + codes, return_inverse=True)[1]
    return found


def _of_numbers(table: Array) -> Array:
    """Rows compared as bytes; adding 0 makes -0.0 and 0.0 alike."""
    rows = np.ascontiguousarray(table + 0.0 if table.dtype.kind == "f" else table)
    return np.unique(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), return_inverse=True)[1]


def _of_sparse(table: Any) -> Array:
    table.sum_duplicates()
    table.eliminate_zeros()
    seen: dict[bytes, int] = {}
    spans = [slice(*span) for span in pairwise(table.indptr)]
    rows = (table.indices[span].tobytes() + b"|" + table.data[span].tobytes() for span in spans)
    return np.array([seen.setdefault(row, len(seen)) for row in rows])


def _of_column(column: Array) -> Array:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(None if item != item else item, len(seen)) for item in column.tolist()])
