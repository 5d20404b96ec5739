"""The tables of a store, the same in SQLite and PostgreSQL, how arrays are packed, and the checksum of each row.

Every row ends with a checksum of all its other columns, so that a changed bit of a name, a key or a payload is noticed.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Insert,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql, sqlite

from veracity.core.bounds import unpacked_limit
from veracity.core.errors import BadInput
from veracity.records.arrays import Array
from veracity.stores.errors import DAMAGE, DamagedBytes

VERSION = 6  # of the schema; a store of an earlier one is converted when it is opened
SCHEMA = "schema"  # the name under which the version is kept
MAX_KEYS_PER_STATEMENT = 500
TRIAL_BYTES = 4096  # of arrays, compressed on trial: probabilities of naive Bayes do not shrink and take long
MAX_TRIAL_RATIO = 0.9

tables = MetaData()


def _table(name: str, *columns: Any) -> Table:
    return Table(f"veracity_{name}", tables, *columns, _column("checksum", BigInteger))


def _key(name: str) -> Column[Any]:
    return Column(name, Text, primary_key=True)


def _column(name: str, kind: Any, index: bool = False) -> Column[Any]:
    return Column(name, kind, nullable=False, index=index)


def _content() -> tuple[Column[Any], ...]:
    return _column("fingerprint", Text), _column("described", Text), _column("arrays", LargeBinary)


about = _table("about", _key("name"), _column("value", Text))
data = _table("data", _key("name"), *_content())
designs = _table("designs", _key("data"), _key("name"), *_content())
splits = _table(
    "splits",
    Column("number", Integer, primary_key=True),  # in the order of planning
    *(_column(name, Text) for name in ("data", "design", "learner")),
    _column("split", Integer),
    _column("key", Text, index=True),
    UniqueConstraint("data", "design", "learner", "split"),
)
fits = _table(
    "fits",
    _key("key"),
    _column("status", Text, index=True),  # "done" or "failed"
    _column("seconds", Double),
    Column("seconds_fit", Double),
    Column("seconds_predict", Double),
    _column("chosen", Text),
    _column("reason", Text),
    _column("libraries", Integer),
    _column("payload", LargeBinary),  # predictions, or the traceback
)
questions = _table(
    "questions",
    _key("key"),
    _column("number", Integer),  # in the order of asking
    _column("subject", Text, index=True),  # a digest of test rows, or nothing where runs were asked
    _column("question", Text),
    _column("times", Integer),
    _column("found", Text),
)
libraries = _table("libraries", Column("number", Integer, primary_key=True), _column("versions", Text))
# Who is at work changes all the time and is not worth a checksum.
owners = Table("veracity_owners", tables, _key("owner"), _column("seen", Double))
claims = Table("veracity_claims", tables, _key("key"), _column("owner", Text, index=True))


def insert_into(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that can say what happens to a row that is already there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def insert_new(connection: Connection, table: Table) -> Insert:
    """Return an insert of rows whose keys are not there yet, which counts them."""
    added = insert_into(connection, table).on_conflict_do_nothing(index_elements=list(table.primary_key))
    return added.execution_options(preserve_rowcount=True)  # psycopg forgets it otherwise


def in_chunks(keys: Iterable[str]) -> Iterator[list[str]]:
    """Yield the keys in lists that fit one statement."""
    every = iter(keys)
    while some := list(islice(every, MAX_KEYS_PER_STATEMENT)):
        yield some


def checksum(values: Iterable[object]) -> int:
    """Return the CRC-32 of the values of a row, in the order of the columns; of bytes only the last may be."""
    names = list(values)
    payload: Any = names.pop() if isinstance(names[-1], bytes) else b""
    return zlib.crc32(payload, zlib.crc32(repr(names).encode("utf-8", "surrogatepass")))


def sealed(**row: Any) -> dict[str, Any]:
    """Return a row, given in the order of its columns, with its checksum."""
    return {**row, "checksum": checksum(row.values())}


def verify(row: Sequence[Any]) -> None:
    """Raise DamagedBytes where a row, whose last column is the checksum, is not as it was written."""
    *values, expected = row
    if checksum(values) != expected:
        raise DamagedBytes("checksum")


def storable_name(name: str) -> str:
    """Return a name that every database takes; refuse others."""
    if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
        raise BadInput(f"the name {name!r} has characters that cannot be stored: use another one")
    return name


def storable_text(text: str) -> str:
    """Return the text with characters that databases refuse written out, so that it can be read with SQL."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def pack(*arrays: Array | None) -> bytes:
    """Return arrays of numbers, truth values, times or texts of fixed length as compressed bytes."""
    head = _head(tuple(None if array is None else (array.dtype, array.shape) for array in arrays))
    raw = b"".join((head, *(array.tobytes() for array in arrays if array is not None)))
    trial = raw[len(raw) // 2 :][:TRIAL_BYTES]
    shrinks = len(raw) <= TRIAL_BYTES or len(zlib.compress(trial, 1)) < MAX_TRIAL_RATIO * len(trial)
    packed = zlib.compress(raw, 1 if shrinks else 0)
    return packed if len(raw) <= unpacked_limit(len(packed)) else zlib.compress(raw, 0)


@lru_cache(1024)  # the same few come again with every fit
def _head(forms: tuple[tuple[np.dtype[Any], tuple[int, ...]] | None, ...]) -> bytes:
    """Return the types and shapes of arrays as JSON behind its length."""
    for form in forms:
        if form is not None and (form[0].hasobject or form[0].names):
            says = f"an array of {form[0]} cannot be stored: use numbers, truth values, times or short texts"
            raise BadInput(says)
    head = json.dumps([form and (form[0].str, form[1]) for form in forms]).encode()
    return len(head).to_bytes(4, "little") + head


@lru_cache(1024)
def _forms(head: bytes) -> list[tuple[np.dtype[Any], tuple[int, ...], int] | None]:
    """Return the types, shapes and sizes of arrays."""
    forms: list[tuple[np.dtype[Any], tuple[int, ...], int] | None] = []
    for form in json.loads(head):
        dtype, shape = (np.dtype(form[0]), tuple(form[1])) if form else (np.dtype(bool), ())
        if dtype.kind not in "biufcmMSU" or min(shape, default=0) < 0:
            raise DamagedBytes("an array that was never packed")
        forms.append((dtype, shape, math.prod(shape)) if form else None)
    return forms


def unpack(packed: bytes) -> list[Array | None]:
    """Return the arrays as they were, read-only; bytes that nobody packed raise DamagedBytes."""
    try:
        raw = expand(packed)
        start = 4 + int.from_bytes(raw[:4], "little")
        arrays: list[Array | None] = []
        for form in _forms(raw[4:start]):
            if form is None:
                arrays.append(None)
                continue
            dtype, shape, count = form
            arrays.append(np.frombuffer(raw, dtype, count, start).reshape(shape))
            start += count * dtype.itemsize
    except DAMAGE as why:
        raise DamagedBytes(str(why)) from why
    return arrays


def expand(packed: bytes) -> bytes:
    """Return what was compressed, up to a limit: a small file must not fill the memory."""
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(packed, unpacked_limit(len(packed)))
    if not unpacker.eof:
        raise DamagedBytes("compressed bytes that go on")
    return raw
