"""One table of rows to learn from: features, target, and what belongs to each row."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.arrays import Array, as_array, freeze
from veracity.records.design import Rows


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """Read-only. `features` is a two-dimensional array, a sparse one, or a pandas or polars frame; truth is coded."""

    name: str
    features: Any
    kind: Literal["classes", "numbers"]
    truth: Array  # codes into `classes`, or numbers
    classes: tuple[Any, ...] = ()
    positive: int | None = None
    weights: Array | None = None
    groups: Array | None = None  # codes 0..groups-1
    time: Array | None = None  # numbers that grow with time
    columns: tuple[str, ...] = ()  # names of the features
    categorical: tuple[int, ...] = ()  # places of features that are categories, for the default preparation
    incomplete: bool = False  # whether a feature that is a number has missing cells
    prepare: Any = "default"  # "default", None, or a transformer put before every learner
    test: Array | None = None  # which rows come from a test file of its own
    notes: tuple[Note, ...] = ()  # about how the file was read

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def labels(self) -> Array:
        """The classes as an array."""
        return as_array(self.classes)

    @cached_property
    def codes(self) -> Array:
        """The places of the classes, in the smallest type that predicted labels are stored in."""
        return freeze(np.arange(len(self.classes), dtype=np.int8 if len(self.classes) < 128 else np.int32))

    @cached_property
    def target(self) -> Array:
        """The truth as a learner sees it: labels or numbers."""
        return self.labels[self.truth] if self.kind == "classes" else self.truth

    @property
    def nbytes(self) -> int:
        """Bytes of what is known of its rows, without their features."""
        return sum(array.nbytes for array in (self.truth, self.weights, self.groups, self.time) if array is not None)

    def place_of(self, label: Any) -> int:
        """Where a class stands, -1 where the target is of numbers; a class typed as text may be a number."""
        known = [place for place, each in enumerate(self.classes) if label in (each, str(each))]
        if self.classes and not known:
            raise BadInput(f"the positive class {label!r} is not among those of {self.name}: {list(self.classes)[:20]}")
        return known[0] if known else -1

    def take(self, rows: Array) -> Any:
        """The features of some rows."""
        if isinstance(self.features, np.ndarray) or hasattr(self.features, "tocsr"):
            return self.features[rows]
        if hasattr(self.features, "iloc"):
            return self.features.iloc[rows]
        import narwhals as nw

        return nw.from_native(self.features)[rows.tolist()].to_native()

    def column(self, place: int) -> Array:
        """One feature over all rows."""
        if isinstance(self.features, np.ndarray):
            return self.features[:, place]
        if hasattr(self.features, "tocsc"):
            return self.features[:, [place]].toarray()[:, 0]
        import narwhals as nw

        frame = nw.from_native(self.features)
        return np.asarray(frame[frame.columns[place]].to_numpy())

    @property
    def for_designs(self) -> Rows:
        """What a design may know of the rows."""
        classes = self.truth if self.kind == "classes" else None
        return Rows(len(self), classes, self.groups, self.time, self.classes, self.name, self.test)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that a fit could depend on; the name is not part of it."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.kind, self.classes, self.positive, self.columns, self.categorical):
            digest.update(repr(part).encode() + b"\0")
        if isinstance(self.features, np.ndarray):
            features = [self.features]
        elif hasattr(self.features, "tocsr"):
            features = [self.features.data, self.features.indices, self.features.indptr]
        else:
            features = [self.column(place) for place in range(len(self.columns))]
        test = () if self.test is None else (self.test,)
        for array in (self.truth, self.weights, self.groups, self.time, *features, *test):
            if array is None:
                digest.update(b"none\0")
                continue
            is_object = array.dtype.kind == "O"
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(repr(array.tolist()).encode() if is_object else np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        what = f"{len(self.classes)} classes" if self.kind == "classes" else "numbers"
        return f"Data({self.name}: {len(self)} rows, {len(self.columns)} features, {what})"
