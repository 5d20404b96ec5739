"""Arrow batches as arrays, read straight from the C stream that duckdb hands out, so that pyarrow is not needed.

The two structures are those of the Arrow C data and C stream interfaces; only fixed-width columns without missing cells
are read, which the queries that use this see to.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

from veracity.records.arrays import Array


class _Batch(ctypes.Structure):
    """struct ArrowArray"""


class _Stream(ctypes.Structure):
    """struct ArrowArrayStream"""


_Batch._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Batch))),
    ("dictionary", ctypes.POINTER(_Batch)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Batch))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.c_void_p)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Batch))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class StreamError(Exception):
    """The stream broke; the text is what its maker said."""


def batches(capsule: Any, *types: Any) -> Iterator[tuple[Array, ...]]:
    """The columns of each batch as views that are valid until the next one is taken."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = ctypes.cast(pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
    while True:
        batch = _Batch()
        if stream.contents.get_next(stream, ctypes.byref(batch)):
            said = stream.contents.get_last_error(stream) or b"unknown error"
            raise StreamError(said.decode(errors="replace"))
        if not batch.release:
            return
        try:
            yield tuple(_column(batch, place, kind) for place, kind in enumerate(types))
        finally:
            batch.release(ctypes.byref(batch))


def _column(batch: Any, place: int, kind: Any) -> Array:
    if not batch.length:
        return np.empty(0, kind)
    column = batch.children[place].contents
    size = np.dtype(kind).itemsize
    start = (column.buffers[1] or 0) + (column.offset + batch.offset) * size
    held = (ctypes.c_char * (batch.length * size)).from_address(start)
    return np.frombuffer(held, kind, batch.length)
