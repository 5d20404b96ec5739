"""Designs as compact bytes: 100 splits of 10,000 rows in about 70 kB."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.records.arrays import Array, frozen
from veracity.records.design import Design, Split
from veracity.stores.packing import pack, unpack

NONE, REST = -1, -2  # in place of a number of rows: there are none, or all rows that the split has nowhere else


def pack_design(design: Design) -> tuple[str, bytes]:
    """What describes a design as JSON, and its splits."""
    splits = design.splits
    parts = sorted({split.part for split in splits})
    places = [[split.repeat, split.fold, parts.index(split.part)] for split in splits]
    roles = [_pack_role([_training(split, design.rows) for split in splits])]
    roles += [_pack_role([split.test for split in splits]), _pack_role([split.validation for split in splits])]
    described = {"seed": design.seed, "rows": design.rows, "parts": parts}
    described["inner"] = None if design.inner is None else str(design.inner)  # as it is spelled
    described["notes"] = [note.to_json() for note in design.notes]
    arrays = pack(np.array(places, np.int64).reshape(-1, 3), *(array for role in roles for array in role))
    return json.dumps(described), arrays


def unpack_design(name: str, described: str, packed: bytes) -> Design:
    """The design as it was."""
    about = json.loads(described)
    places, *roles = (array if array is not None else np.empty(0) for array in unpack(packed))
    train, test, validation = (_unpack_role(*roles[at : at + 2]) for at in (0, 2, 4))
    splits = tuple(
        _split(about, place, *rows) for place, *rows in zip(places.tolist(), train, test, validation, strict=True)
    )
    notes = tuple(Note(**note) for note in about["notes"])
    return Design(name, about["seed"], about["rows"], splits, notes, about["inner"])


def _training(split: Split, rows: int) -> Array | int:
    """Most designs train on the rows they do not test on: then nothing need be written."""
    train = np.asarray(split.train)
    others = _others(rows, split.test, split.validation)
    return REST if np.array_equal(train, others) else train


def _others(rows: int, test: Array, validation: Array | None) -> Array:
    left = np.ones(rows, bool)
    left[np.asarray(test, np.int64)] = False
    if validation is not None:
        left[np.asarray(validation, np.int64)] = False
    return np.flatnonzero(left)


def _pack_role(role: list[Any]) -> tuple[Array, Array]:
    """Sizes, and the steps from row to row, which are small where rows ascend."""
    sizes = [NONE if rows is None else rows if isinstance(rows, int) else len(rows) for rows in role]
    steps = [np.diff(np.asarray(rows, np.int64), prepend=0) for rows, size in zip(role, sizes, strict=True) if size > 0]
    return np.array(sizes, np.int64), np.concatenate([np.empty(0, np.int64), *steps])


def _unpack_role(sizes: Array, steps: Array) -> list[Array | int | None]:
    found: list[Array | int | None] = []
    place = 0
    for size in sizes.tolist():
        if size < 0:
            found.append(None if size == NONE else size)
            continue
        found.append(np.cumsum(steps[place : place + size], dtype=np.int64))
        place += size
    return found


def _split(about: dict[str, Any], place: list[int], train: Any, test: Any, validation: Any) -> Split:
    repeat, fold, part = place
    rows = _others(about["rows"], test, validation) if isinstance(train, int) else train
    kept = None if validation is None else frozen(validation)
    return Split(frozen(rows), frozen(test), repeat, fold, about["parts"][part], kept)
