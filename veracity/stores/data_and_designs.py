"""Data sets without their features, designs with their splits: what predictions are read against."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, Table, select

from veracity.core.errors import BadInput
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.stores.packing import pack, unpack
from veracity.stores.schema import data, designs
from veracity.stores.splits import pack_design, unpack_design
from veracity.stores.study_description import changed


def save_data(connection: Connection, where: str, table: Data) -> None:
    """Keep everything of a data set but its features."""
    row = {"name": storable(table.name)}
    if _known(connection, where, "data set", data, row, table.fingerprint):
        return
    about = {
        "kind": table.kind,
        "classes": [_label(label) for label in table.classes],
        "positive": None if table.positive is None else int(table.positive),
        "columns": [str(name) for name in table.columns],
        "categorical": [int(place) for place in table.categorical],
        "incomplete": bool(table.incomplete),
    }
    arrays = pack(table.truth, table.weights, table.groups, table.time)
    content = {"fingerprint": table.fingerprint, "described": json.dumps(about), "arrays": arrays}
    connection.execute(data.insert().values(**row, **content))


def read_data(connection: Connection, where: str, name: str) -> Data:
    """A data set without features."""
    found = _found(connection, where, "data set", data, {"name": name})
    about = json.loads(found.described)
    truth, weights, groups, time = unpack(found.arrays)
    assert truth is not None
    for field in ("classes", "columns", "categorical"):
        about[field] = tuple(about[field])
    table = Data(name, None, truth=truth, weights=weights, groups=groups, time=time, **about)
    vars(table)["fingerprint"] = found.fingerprint  # of the features too, which are not here to be read again
    return table


def save_design(connection: Connection, where: str, of: str, design: Design) -> None:
    """Keep the splits that a design made of a data set."""
    row = {"data": storable(of), "name": storable(design.name)}
    if _known(connection, where, f"design of {of!r}", designs, row, design.fingerprint):
        return
    about, arrays = pack_design(design)
    content = {"fingerprint": design.fingerprint, "described": about, "arrays": arrays}
    connection.execute(designs.insert().values(**row, **content))


def read_design(connection: Connection, where: str, of: str, name: str) -> Design:
    """The splits that a design made of a data set."""
    found = _found(connection, where, f"design of {of!r}", designs, {"data": of, "name": name})
    return unpack_design(name, found.described, found.arrays)


def storable(name: str) -> str:
    """A name that every database takes."""
    if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
        raise BadInput(f"the name {name!r} has characters that cannot be stored: use another one")
    return name


def _known(connection: Connection, where: str, noun: str, table: Table, row: dict[str, str], mark: str) -> bool:
    found = connection.execute(select(table.c.fingerprint).filter_by(**row)).scalar()
    if found not in (None, mark):
        raise changed(where, noun, row["name"])
    return found is not None


def _found(connection: Connection, where: str, noun: str, table: Table, row: dict[str, str]) -> Row[Any]:
    found = connection.execute(select(table).filter_by(**row)).one_or_none()
    if found is None:
        other = {name: value for name, value in row.items() if name != "name"}
        names = connection.execute(select(table.c.name).filter_by(**other).order_by(table.c.name)).scalars()
        there = ", ".join(names) or "none"
        raise BadInput(f"{where} has no {noun} called {row['name']!r}: there are {there}")
    return found


def _label(label: Any) -> Any:
    plain = label.item() if isinstance(label, np.generic) else label
    if not isinstance(plain, (str, int, float, bool, type(None))):
        raise BadInput(f"a class {plain!r} cannot be stored: name classes by texts or numbers")
    return plain
