"""Data sets without their features, designs with their splits: what predictions are read against."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, Table, select

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, Split, SplitPart
from veracity.stores.database_errors import DamagedStore
from veracity.stores.packing import DamagedBytes, Named, pack, reading, unpack
from veracity.stores.schema import cells, data, designs
from veracity.stores.study_description import changed_error, where_of

IN_MEMORY = 100_000_000  # bytes of designs that are remembered
NONE, REST = -1, -2  # in place of a number of rows: there are none, or all rows that the split has nowhere else


def save_data(connection: Connection, table: Data) -> None:
    """Keep a data set without its features; the same name for other rows is refused."""
    row = {"name": storable(table.name)}
    stored = connection.execute(select(data.c.fingerprint).filter_by(**row)).scalar()
    if stored not in (None, table.fingerprint):
        raise changed_error(where_of(connection), "data set", table.name)
    if stored is not None:
        return
    about = {
        "kind": table.kind,
        "classes": [_label(label) for label in table.classes],
        "positive": None if table.positive is None else int(table.positive),
        "columns": [str(name) for name in table.columns],
        "categorical": [int(place) for place in table.categorical],
        "incomplete": bool(table.incomplete),
    }
    described = json.dumps(about)
    of = (row["name"], table.fingerprint, described)
    arrays = pack(table.truth, table.weights, table.groups, table.time, of=of)
    content = {"fingerprint": table.fingerprint, "described": described, "arrays": arrays}
    connection.execute(data.insert().values(**row, **content))


def read_data(connection: Connection, name: str) -> Data:
    """A data set without features, with the fingerprint it had."""
    row = _read_row(connection, "data set", data, {"name": name})
    with reading(f"the data set {name!r}"):
        return unpack_data(name, row)


def unpack_data(name: str, row: Row[Any]) -> Data:
    """The data set as it was, without its features."""
    truth, weights, groups, time = unpack(row.arrays, (name, row.fingerprint, row.described))
    about = json.loads(row.described)
    for field in ("classes", "columns", "categorical"):
        about[field] = tuple(about[field])
    if truth is None or any(array is not None and len(array) != len(truth) for array in (weights, groups, time)):
        raise DamagedBytes("columns of other lengths")
    table = Data(name, None, truth=truth, weights=weights, groups=groups, time=time, **about)
    if table.kind not in ("classes", "numbers") or (table.kind == "classes" and not _are_codes(truth, table.classes)):
        raise DamagedBytes("a truth of classes that are not there")
    vars(table)["fingerprint"] = row.fingerprint  # of the features too, which are not here to be read again
    return table


def _are_codes(truth: Array, classes: tuple[Any, ...]) -> bool:
    return truth.dtype.kind in "iu" and (not truth.size or 0 <= truth.min() <= truth.max() < len(classes))


def save_designs(connection: Connection, of: str, every: Iterable[Design]) -> list[Design]:
    """Keep the splits of a data set by some designs; the same name for other splits is refused.

    Gives those that were not there: of the same splits, the seed and the notes that came first stay.
    """
    here = select(designs.c.name, designs.c.fingerprint).where(designs.c.data == storable(of))
    stored = {row.name: row.fingerprint for row in connection.execute(here)}
    new, rows = [], []
    for design in every:
        name = storable(design.name)
        if name not in stored:
            new.append(design)
            about, arrays = pack_design(design, (of, name, design.fingerprint))
            content = {"fingerprint": design.fingerprint, "described": about, "arrays": arrays}
            rows.append({"data": of, "name": name, **content})
        elif stored[name] != design.fingerprint:
            raise changed_error(where_of(connection), f"design of {of!r}", name)
    if rows:
        connection.execute(designs.insert(), rows)
    return new


def read_design(connection: Connection, of: str, name: str) -> Design:
    """The splits that a design made of a data set."""
    row = _read_row(connection, f"design of {of!r}", designs, {"data": of, "name": name})
    with reading(f"the design {name!r} of {of!r}"):
        return unpack_design(name, row.described, row.arrays, (of, name, row.fingerprint))


def storable(name: str) -> str:
    """A name that every database takes."""
    if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
        raise BadInput(f"the name {name!r} has characters that cannot be stored: use another one")
    return name


def _read_row(connection: Connection, noun: str, table: Table, row: dict[str, str]) -> Row[Any]:
    content = connection.execute(select(table).filter_by(**row)).one_or_none()
    if content is None:
        of, design = (row["name"], "") if table is data else (row["data"], row["name"])
        planned = select(cells.c.data).where(cells.c.data == of, *([cells.c.design == design] if design else []))
        if connection.execute(planned.limit(1)).scalar() is not None:
            says = f"{where_of(connection)} has lost the {noun} called {row['name']!r}"
            raise DamagedStore(f"{says}: run the study again, which writes it anew and fits nothing twice")
        other = {name: value for name, value in row.items() if name != "name"}
        names = connection.execute(select(table.c.name).filter_by(**other).order_by(table.c.name)).scalars()
        there = ", ".join(names) or "none"
        raise BadInput(f"{where_of(connection)} has no {noun} called {row['name']!r}: there are {there}")
    return content


def _label(label: Any) -> Any:
    plain = label.item() if isinstance(label, np.generic) else label
    if not isinstance(plain, (str, int, float, bool, type(None))):
        raise BadInput(f"a class {plain!r} cannot be stored: name classes by texts or numbers")
    return plain


def pack_design(design: Design, of: Named | None = None) -> tuple[str, bytes]:
    """What describes a design as JSON, and its splits, sealed for what they belong to."""
    splits = design.splits
    texts = {key: str(part) for key, part in {id(split.part): split.part for split in splits}.items()}
    parts = sorted(set(texts.values()))
    numbers = {key: parts.index(text) for key, text in texts.items()}
    places = [[split.repeat, split.fold, numbers[id(split.part)]] for split in splits]
    roles = [_pack_role([_training_rows(split, design.rows) for split in splits])]
    roles += [_pack_role([split.test for split in splits]), _pack_role([split.validation for split in splits])]
    described = {"seed": design.seed, "rows": design.rows, "parts": parts}
    described["inner"] = None if design.inner is None else str(design.inner)  # as it is spelled
    described["notes"] = [note.to_json() for note in design.notes]
    text, every = json.dumps(described), [array for role in roles for array in role]
    named = None if of is None else (*of, text)
    return text, pack(np.array(places, np.int64).reshape(-1, 3), *every, of=named)


def unpack_design(name: str, described: str, packed: bytes, of: Named = ()) -> Design:
    """The design as it was."""
    places, *roles = (array if array is not None else np.empty(0) for array in unpack(packed, (*of, described)))
    about = json.loads(described)
    train, test, validation = (_unpack_role(roles[at], roles[at + 1], about["rows"]) for at in (0, 2, 4))
    about["parts"] = [SplitPart.parse(text) for text in about["parts"]]
    splits = tuple(
        _split(about, place, *rows) for place, *rows in zip(places.tolist(), train, test, validation, strict=True)
    )
    notes = tuple(Note(**note) for note in about["notes"])
    return Design(name, about["seed"], about["rows"], splits, notes, about["inner"])


def _training_rows(split: Split, rows: int) -> Array | int:
    """Most designs train on the rows they do not test on: then nothing need be written."""
    train = np.asarray(split.train)
    elsewhere = len(split.test) + (0 if split.validation is None else len(split.validation))
    if not rows - elsewhere <= len(train) < rows + (not elsewhere):  # too few or too many to be all others
        return train
    return REST if np.array_equal(train, _other_rows(rows, split.test, split.validation)) else train


def _other_rows(rows: int, test: Array, validation: Array | None) -> Array:
    left = np.ones(rows, bool)
    left[np.asarray(test, np.int64)] = False
    if validation is not None:
        left[np.asarray(validation, np.int64)] = False
    return left.nonzero()[0]


def _pack_role(role: list[Any]) -> tuple[Array, Array]:
    """Sizes, and the steps from row to row, which are small where rows ascend."""
    sizes = [NONE if rows is None else rows if isinstance(rows, int) else len(rows) for rows in role]
    parts = [rows for rows, size in zip(role, sizes, strict=True) if size > 0]
    every = np.concatenate([np.empty(0, np.int64), *parts], dtype=np.int64)
    firsts = np.cumsum([0, *map(len, parts)])[:-1]
    steps = np.diff(every, prepend=0)
    steps[firsts] = every[firsts]
    return np.array(sizes, np.int64), steps


def _unpack_role(sizes: Array, steps: Array, rows: int) -> list[Array | int | None]:
    lengths = np.maximum(sizes, 0).astype(np.int64)
    ends = np.cumsum(lengths)
    totals = np.concatenate([[0], np.cumsum(steps, dtype=np.int64)])
    every = totals[1:] - np.repeat(totals[ends - lengths], lengths)
    if every.size and not 0 <= every.min() <= every.max() < rows:
        raise DamagedBytes("rows that the data set does not have")
    marks = {NONE: None, REST: REST}
    parts = zip(sizes.tolist(), (ends - lengths).tolist(), ends.tolist(), strict=True)
    return [every[start:end] if size >= 0 else marks[size] for size, start, end in parts]


def _split(about: dict[str, Any], place: list[int], train: Any, test: Any, validation: Any) -> Split:
    repeat, fold, part = place
    rows = _other_rows(about["rows"], test, validation) if isinstance(train, int) else train
    kept = None if validation is None else freeze(validation)
    return Split(freeze(rows), freeze(test), repeat, fold, about["parts"][part], kept)
