"""Every look that was taken at the results of a store: what was asked, how often, and which tests it made."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, inspect, select

from veracity.stores.outcomes import storable_text
from veracity.stores.packing import reading, seal_text, unseal_text
from veracity.stores.schema import insert_into, looks
from veracity.stores.study_description import write_text

LOOKED = "looked"  # the name under which the number of looks is kept


class StoredLook(NamedTuple):
    """A question, how often it was asked, and what came of it the last time."""

    question: dict[str, Any]
    times: int
    found: dict[str, Any]


def enter_look(connection: Connection, question: dict[str, Any], found: dict[str, Any]) -> None:
    """Count a question, once more where it was asked before."""
    text, came = (storable_text(json.dumps(part, sort_keys=True)) for part in (question, found))
    key = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    total = connection.execute(select(func.count()).select_from(looks)).scalar_one()
    known = connection.execute(select(looks.c.place, looks.c.times).where(looks.c.key == key)).one_or_none()
    place, times = (total, 1) if known is None else (known.place, known.times + 1)
    held = {"place": place, "times": times, "found": seal_text(came, text, place, times)}
    row = insert_into(connection.dialect.name, looks).values(key=key, question=text, **held)
    connection.execute(row.on_conflict_do_update(index_elements=["key"], set_=held))
    write_text(connection, LOOKED, str(counted_looks(connection)))


def counted_looks(connection: Connection) -> int:
    """How many looks are listed."""
    return int(connection.execute(select(func.coalesce(func.sum(looks.c.times), 0))).scalar_one())


def read_looks(connection: Connection) -> list[StoredLook] | None:
    """In the order of asking; None of an older store where nothing may be written, which has no list of them."""
    if not inspect(connection).has_table(looks.name):
        return None
    rows = connection.execute(select(looks).order_by(looks.c.place, looks.c.key))
    with reading("the ledger of what was asked"):
        return [
            StoredLook(json.loads(row.question), row.times, _read_answer(row.question, row.place, row.times, row.found))
            for row in rows
        ]


def _read_answer(question: str, place: int, times: int, sealed: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(unseal_text(sealed, question, place, times))
    return found
