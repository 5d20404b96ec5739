"""A store is made when it is new, converted once when it is of an older veracity, and refused when it is of a newer.

Stores of versions 1 to 5 (veracity 0.1 to 0.3) kept the keys of all splits of a place as one compressed text, done and
failed fits in two tables, arrays in a binary format of their own, and two audit logs.
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from contextlib import suppress
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, Row, inspect
from sqlalchemy.exc import DBAPIError

from veracity.core.errors import BadInput, StoreError
from veracity.core.words import brief
from veracity.records.arrays import Array
from veracity.records.fit import Outcome
from veracity.stores import audit
from veracity.stores.errors import DAMAGED, DamagedBytes, DamagedStore, is_read_only, reading
from veracity.stores.plan import STUDY
from veracity.stores.results import fit_row
from veracity.stores.schema import (
    SCHEMA,
    VERSION,
    about,
    data,
    designs,
    expand,
    fits,
    libraries,
    pack,
    sealed,
    splits,
    tables,
)

MAX_CHECKED_BYTES = 2**30  # of an SQLite file that is looked through when it is opened, in 0.2 s for 100,000 fits
MAX_VERSION = 10**6  # a version that no veracity will reach
ROWS_AT_ONCE = 500  # that are converted


class NothingStored(BadInput):
    """A database that may become a store, and is none yet."""


def prepare_tables(engine: Engine, where: str, create: bool, renew: bool = True) -> None:
    """Leave a store of today's version, or say why that cannot be."""
    with engine.connect() as connection:
        version = _version(connection, where)
        if version is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
            raise BadInput(f"{where} is an SQLite database of something else, not a store: name another file")
        if version is None and not create:
            raise NothingStored(f"there is no study in {where}")
        if version is not None:
            _check_file(connection, where)
    if version == VERSION:
        return
    if version is not None and not renew:
        raise StoreError(f"{where} was made by an older veracity: veracity status {where} renews it")
    try:
        with engine.execution_options(writing=True).begin() as connection:
            version = _version(connection, where)  # another process may have been faster
            if version is None:
                _make_tables(connection)
            elif version != VERSION:
                _convert(connection)
    except DamagedBytes as why:
        raise DamagedStore(DAMAGED.format(where=where, why=f"{why} of an older veracity")) from why
    except DBAPIError as why:
        if version is not None and is_read_only(why.orig):
            says = f"{where} was made by an older veracity, and nothing may be written to it"
            raise StoreError(f"{says}: copy it to where that is allowed, and veracity status COPY renews it") from why
        raise


def _check_file(connection: Connection, where: str) -> None:
    """Refuse an SQLite file whose tables and indexes are not as SQLite wrote them: a row that an index does not find
    would be missing in silence. One that is too large for that has only the checksums of its rows.
    """
    if connection.dialect.name != "sqlite":
        return
    pages, size = (connection.exec_driver_sql(f"pragma {name}").scalar_one() for name in ("page_count", "page_size"))
    if pages * size > MAX_CHECKED_BYTES:
        return
    found = connection.exec_driver_sql("pragma integrity_check(1)").scalar_one()
    if found != "ok":
        raise DamagedStore(DAMAGED.format(where=where, why=found.splitlines()[-1]))


def _version(connection: Connection, where: str) -> int | None:
    if not inspect(connection).has_table(about.name):
        return None
    found = connection.exec_driver_sql(f"select value from {about.name} where name = '{SCHEMA}'").scalar()
    if found is None or not str(found).isdecimal() or not 1 <= int(found) <= MAX_VERSION:
        why = "the version of its tables is lost" if found is None else f"tables of version {brief(str(found))}"
        raise DamagedStore(DAMAGED.format(where=where, why=why))
    if int(found) > VERSION:
        newer = f"a newer veracity (schema {found}, this one knows {VERSION})"
        raise BadInput(f"{where} was made by {newer}: pip install --upgrade veracity")
    return int(found)


def _make_tables(connection: Connection) -> None:
    tables.create_all(connection, checkfirst=False)
    connection.execute(about.insert().values(sealed(name=SCHEMA, value=str(VERSION))))


# Stores of versions 1 to 5

CONVERTED = {
    "about": about,
    "data": data,
    "designs": designs,
    "cells": splits,
    "outcomes": fits,
    "failures": fits,
    "libraries": libraries,
}  # by the name of an older table, the one in which its rows stand today
COUNTS = ("shared", "owners", "claims")  # tables that counted, and that said who was at work
_SEAL = re.compile("\n#([0-9a-f]{8})\\Z")  # the end of a text with a checksum


def _convert(connection: Connection) -> None:
    """Write everything that an older veracity stored in today's tables; a damaged fit is left out and made anew."""
    names = [*CONVERTED, *COUNTS, "ledger", "looks"]
    there = [name for name in names if inspect(connection).has_table(f"veracity_{name}")]
    connection.exec_driver_sql("drop index if exists ix_veracity_claims_owner")
    for name in there:
        connection.exec_driver_sql(f"alter table veracity_{name} rename to old_{name}")
    _make_tables(connection)
    for name, table in CONVERTED.items():
        new: list[dict[str, Any]] = []
        for row in _old_rows(connection, name) if name in there else ():
            with reading(f"the table of {name}"):
                new += _new_rows(name, row)
            if len(new) >= ROWS_AT_ONCE:
                connection.execute(table.insert(), new)
                new = []
        if new:
            connection.execute(table.insert(), new)
    with reading("the ledger"):
        for row in _old_rows(connection, "ledger order by entry").all():
            audit.enter(connection, row.rows, _old_text(row.question, row.rows))
        for row in _old_rows(connection, "looks order by place").all() if "looks" in there else ():
            found = _old_text(row.found, row.question, row.place, row.times)
            audit.enter(connection, audit.RUNS, row.question, found, row.times)
    for name in there:
        connection.exec_driver_sql(f"drop table old_{name}")


def _old_rows(connection: Connection, table: str) -> Any:
    return connection.exec_driver_sql(f"select * from old_{table}", execution_options={"yield_per": ROWS_AT_ONCE})


def _new_rows(table: str, row: Row[Any]) -> list[dict[str, Any]]:
    """Return the rows of today that stand for a row of an older table; none of a fit that is damaged."""
    if table == "about":  # everything but the description of the study were counts
        return [sealed(name=STUDY, value=_old_text(row.value, STUDY))] if row.name == STUDY else []
    if table == "libraries":
        return [sealed(number=row.number, versions=_old_text(row.versions, row.number))]
    if table == "data":
        arrays, _ = _old_arrays(row.arrays, (row.name, row.fingerprint, row.described))
        return [sealed(name=row.name, fingerprint=row.fingerprint, described=row.described, arrays=pack(*arrays))]
    if table == "designs":
        arrays, _ = _old_arrays(row.arrays, (row.data, row.name, row.fingerprint, row.described))
        for at in (1, 3, 5):  # steps from row to row began anew in each split
            sizes, steps = np.maximum(arrays[at], 0).astype(np.int64), arrays[at + 1]
            sums = np.concatenate([[0], np.cumsum(steps, dtype=np.int64)])
            rows = sums[1:] - np.repeat(sums[np.cumsum(sizes) - sizes], sizes)
            arrays[at + 1] = np.diff(rows, prepend=0)
        content = {"fingerprint": row.fingerprint, "described": row.described, "arrays": pack(*arrays)}
        return [sealed(data=row.data, name=row.name, **content)]
    if table == "cells":
        text = _old_packed_text(row._mapping["keys"], (row.data, row.learner, row.design))
        place = {"data": row.data, "design": row.design, "learner": row.learner}
        return [sealed(**place, split=split, key=key) for split, key in enumerate(text.split("\n") if text else ())]
    with suppress(DamagedBytes), reading("a fit"):
        if table == "failures":
            traceback = _old_packed_text(row.traceback, (row.key, row.seconds, row.reason))
            failure = Outcome(row.key, "failed", reason=row.reason, traceback=traceback, seconds=row.seconds)
            return [fit_row(failure, 0)]
        arrays, number = _old_arrays(row.arrays, (row.key, row.seconds, row.chosen))
        fit, predict = arrays.pop().tolist() if len(arrays) > 5 else (math.nan, math.nan)  # since version 3
        times = {"seconds": row.seconds, "seconds_fit": fit, "seconds_predict": predict}
        rows, label, proba, value, of_number = arrays
        success = Outcome(row.key, "done", rows, label, proba, value, of_number, chosen=row.chosen, **times)
        return [fit_row(success, number)]
    return []


def _old_checksum(body: bytes, of: tuple[Any, ...], number: int = 0) -> int:
    return zlib.crc32(body, zlib.crc32(repr((*of, number)).encode("utf-8", "surrogatepass")))


def _old_text(sealed_text: str, *of: Any) -> str:
    """Return a text without the checksum that stores of version 5 put at its end."""
    seal = _SEAL.search(sealed_text)
    if seal is None:
        return sealed_text
    text = sealed_text[: seal.start()]
    if _old_checksum(text.encode("utf-8", "surrogatepass"), of) != int(seal[1], 16):
        raise DamagedBytes("checksum")
    return text


def _old_packed_text(packed: bytes, of: tuple[Any, ...]) -> str:
    return expand(_unseal(packed, of)[0]).decode("utf-8", "surrogatepass")


def _unseal(packed: bytes, of: tuple[Any, ...]) -> tuple[bytes, int]:
    """Return bytes without their checksum, and the number of the versions of libraries that made them."""
    if packed[0] == 2:
        _, crc, number = struct.unpack_from("<BIH", packed)
        body = packed[7:]
        expected = _old_checksum(body, of, number)
    elif packed[0] == 1:  # as before version 5, with a checksum of themselves alone
        (_, crc), number, body = struct.unpack_from("<BI", packed), 0, packed[5:]
        expected = zlib.crc32(body)
    else:
        return packed, 0
    if crc != expected:
        raise DamagedBytes("checksum")
    return body, number


def _old_arrays(packed: bytes, of: tuple[Any, ...]) -> tuple[list[Any], int]:
    """Return arrays as they were, and the number of the versions of libraries that made them.

    Each is a text `type:stored type:flags:shape:bytes` behind its length, and its numbers, perhaps as steps, perhaps
    compressed.
    """
    body, number = _unseal(packed, of)
    arrays: list[Array | None] = []
    place = 0
    while place < len(body):
        start = place + 2
        place = start + int.from_bytes(body[place:start], "little")
        if place == start:
            arrays.append(None)
            continue
        dtype, stored, flags, shape, size = body[start:place].decode().split(":")
        held = body[place : place + int(size)]
        place += int(size)
        flat = np.frombuffer(expand(held) if flags[1] == "1" else held, np.dtype(stored))
        flat = flat.cumsum(dtype=dtype) if flags[0] == "1" else flat.astype(dtype)
        arrays.append(flat.reshape([int(side) for side in shape.split(",") if side]))
    return arrays, number
