"""The same values in every container that a user may hold them in, and what no verb can take."""

from __future__ import annotations

import array
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

Wrap = Callable[[Sequence[Any]], Any]


def _object_array(values: Sequence[Any]) -> Any:
    return np.fromiter(values, object, len(values))


def _strided(values: Sequence[Any]) -> Any:
    return np.repeat(np.asarray(values), 2)[::2]


def _reversed_twice(values: Sequence[Any]) -> Any:
    return np.asarray(values)[::-1].copy()[::-1]


def _read_only(values: Sequence[Any]) -> Any:
    found = np.array(values)
    found.flags.writeable = False
    return found


ANY: dict[str, Wrap] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "object array": _object_array,
    "strided": _strided,
    "reversed": _reversed_twice,
    "read-only": _read_only,
    "deque": deque,
    "dict values": lambda values: dict(enumerate(values)).values(),
    "masked without mask": lambda values: np.ma.array(np.array(values)),
    "pandas": lambda values: pd.Series(list(values)),
    "pandas index": lambda values: pd.Index(list(values)),
    "pandas nullable": lambda values: pd.Series(list(values)).convert_dtypes(),
    "polars": lambda values: pl.Series("column", list(values)),
    "pyarrow": lambda values: pa.array(list(values)),
    "pyarrow chunks": lambda values: pa.chunked_array([list(values)[:2], list(values)[2:]]),
}
LABELS: dict[str, Wrap] = {
    **ANY,
    "categorical": lambda values: pd.Categorical(list(values)),
    "pandas categorical": lambda values: pd.Series(list(values), dtype="category"),
}
NUMBERS: dict[str, Wrap] = {
    **ANY,
    "array module": lambda values: array.array("d", values),
    "memoryview": lambda values: memoryview(np.array(values, float)),
    "big-endian": lambda values: np.array(values, ">f8"),
    "long double": lambda values: np.array(values, np.longdouble),
    "pyarrow dictionary": lambda values: pa.array(list(values)),
}


def wrapped(random: Random, values: Sequence[Any], wraps: dict[str, Wrap]) -> tuple[str, Any]:
    """The values in a container, with its name."""
    name = random.choice(list(wraps))
    return name, wraps[name](values)


def ruined(random: Random, values: Sequence[Any]) -> tuple[str, Any]:
    """What is nearly the values: a part replaced, or a container that no verb can read."""
    items, place = list(values), random.randrange(max(1, len(values)))
    name = random.choice(list(STRANGE_ITEMS | STRANGE_CONTAINERS))
    if name in STRANGE_CONTAINERS:
        return name, STRANGE_CONTAINERS[name](items)
    items[place : place + 1] = [STRANGE_ITEMS[name]]
    return name, items if random.random() < 0.5 else _object_array(items)


STRANGE_ITEMS: dict[str, Any] = {
    "none": None,
    "nan": float("nan"),
    "infinite": float("inf"),
    "minus infinite": float("-inf"),
    "missing": pd.NA,
    "no time": pd.NaT,
    "list": [1, 2],
    "dict": {"a": 1},
    "set": {1},
    "frozen set": frozenset({1}),
    "tuple": (1, 2),
    "complex": 1 + 2j,
    "2^64": 2**64,
    "2^63": 2**63,
    "10^400": 10**400,
    "negative": -(2**70),
    "bytes": b"a\x00",
    "text": "text",
    "empty text": "",
    "long text": "x" * 5_000,
    "control characters": "\x1b[31m\x00\u202e",
    "lone surrogate": "\ud800",
    "true": True,
    "date": datetime(2024, 2, 29),
    "numpy date": np.datetime64("2024-02-29", "ns"),
    "timedelta": timedelta(1),
    "object": SimpleNamespace(),
    "function": len,
    "class": int,
    "exception": ValueError("x"),
    "array": np.arange(3),
    "array of none": np.array(None),
    "denormal": 5e-324,
    "largest": 1.7976931348623157e308,
    "minus zero": -0.0,
    "ellipsis": ...,
    "not implemented": NotImplemented,
}


class Breaks:
    """Fails in its own way when it is made an array."""

    def __init__(self, items: Any = None) -> None:
        self.items = items

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no array here")

    def __len__(self) -> int:
        return 3


STRANGE_CONTAINERS: dict[str, Wrap] = {
    "iterator": iter,
    "generator": lambda items: (item for item in items),
    "map": lambda items: map(str, items),
    "endless": lambda items: count(),
    "set of them": lambda items: set(map(str, items)),
    "dict of them": lambda items: dict(enumerate(items)),
    "dict keys": lambda items: dict.fromkeys(map(str, items)).keys(),
    "text of them": str,
    "bytes of them": lambda items: str(items).encode(),
    "byte array": lambda items: bytearray(len(items)),
    "none instead": lambda items: None,
    "number instead": lambda items: len(items),
    "function instead": lambda items: len,
    "class instead": lambda items: list,
    "object instead": lambda items: object(),
    "0-d": lambda items: np.array(len(items)),
    "0-d object": lambda items: np.array(None, object),
    "empty": lambda items: [],
    "empty array": lambda items: np.empty((0,)),
    "shorter": lambda items: items[:-1],
    "twice": lambda items: items + items,
    "column": lambda items: [[item] for item in items],
    "row": lambda items: [items],
    "3-d": lambda items: np.zeros((len(items), 2, 2)),
    "ragged": lambda items: [[item] * (1 + k % 2) for k, item in enumerate(items)],
    "nested": lambda items: [[[item]] for item in items],
    "complex": lambda items: np.arange(len(items)) + 1j,
    "sparse": lambda items: sparse.csr_matrix(np.eye(len(items) or 1)),
    "sparse array": lambda items: sparse.coo_array(np.eye(len(items) or 1)),
    "datetimes": lambda items: np.arange(len(items)).astype("datetime64[D]"),
    "timedeltas": lambda items: np.arange(len(items)).astype("timedelta64[s]"),
    "not a time": lambda items: np.full(len(items), np.datetime64("NaT")),
    "records": lambda items: np.zeros(len(items), [("a", int), ("b", "U3")]),
    "void": lambda items: np.zeros(len(items), "V4"),
    "fixed bytes": lambda items: np.array([str(item).encode() for item in items], "S1"),
    "masked": lambda items: np.ma.array(np.arange(float(len(items))), mask=[k == 0 for k in range(len(items))]),
    "all masked": lambda items: np.ma.masked_all(len(items)),
    "matrix": lambda items: np.matrix(np.arange(len(items))),
    "bools": lambda items: [k % 2 == 0 for k in range(len(items))],
    "frame": lambda items: pd.DataFrame({"a": [str(item) for item in items]}),
    "frame of numbers": lambda items: pd.DataFrame(np.zeros((len(items), 2))),
    "polars frame": lambda items: pl.DataFrame({"a": range(len(items))}),
    "lazy frame": lambda items: pl.LazyFrame({"a": range(len(items))}),
    "arrow table": lambda items: pa.table({"a": range(len(items))}),
    "arrow nulls": lambda items: pa.nulls(len(items)),
    "arrow lists": lambda items: pa.array([[1]] * len(items)),
    "nullable with gap": lambda items: pd.array([1, None, *range(len(items) - 2)], dtype="Int64"),
    "nullable truth": lambda items: pd.array([True, None, *[False] * (len(items) - 2)], dtype="boolean"),
    "dates with zone": lambda items: pd.Series(pd.date_range("2024", periods=len(items), tz="UTC")),
    "periods": lambda items: pd.period_range("2024", periods=len(items), freq="D"),
    "intervals": lambda items: pd.interval_range(0, len(items)),
    "multi index": lambda items: pd.MultiIndex.from_arrays([range(len(items)), range(len(items))]),
    "breaks": Breaks,
    "memoryview of bytes": lambda items: memoryview(bytes(len(items))),
}
