"""The audit log: every question that was asked of results, or of a set of test rows, how often, and what it found."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, inspect, select

from veracity.stores.errors import reading
from veracity.stores.schema import insert_into, questions, sealed, storable_text, verify

RUNS = ""  # the subject of questions that were asked of runs


class StoredLook(NamedTuple):
    """A question, how often it was asked, and what came of it the last time."""

    question: dict[str, Any]
    times: int
    found: dict[str, Any]


def ask(connection: Connection, question: str, rows: str) -> int:
    """Enter a question about some test rows, given by their digest; return how often they have been asked now."""
    enter(connection, rows, question)
    return sum(read_questions(connection, rows).values())


def read_questions(connection: Connection, rows: str) -> dict[str, int]:
    """Return every question about some test rows, in the order of asking, and how often it was asked."""
    return {question: times for question, times, _ in _read(connection, rows)}


def look(connection: Connection, question: dict[str, Any], found: dict[str, Any]) -> None:
    """Enter a question about runs, once more where it was asked before."""
    enter(connection, RUNS, json.dumps(question, sort_keys=True), json.dumps(found, sort_keys=True))


def read_looks(connection: Connection) -> list[StoredLook] | None:
    """Return what was asked of runs, in the order of asking; None where the store has lost its audit log."""
    if not inspect(connection).has_table(questions.name):
        return None
    with reading("the ledger of what was asked"):
        return [
            StoredLook(json.loads(text), times, json.loads(found)) for text, times, found in _read(connection, RUNS)
        ]


def enter(connection: Connection, subject: str, question: str, found: str = "", times: int = 1) -> None:
    """Count a question about a subject, once more where it was asked before."""
    text = storable_text(question)
    key = hashlib.blake2b(f"{subject}\0{text}".encode(), digest_size=16).hexdigest()
    known = connection.execute(select(questions).where(questions.c.key == key)).one_or_none()
    entries = connection.execute(select(func.count()).select_from(questions)).scalar_one()
    number, times = (entries, times) if known is None else (known.number, known.times + times)
    row = sealed(key=key, number=number, subject=subject, question=text, times=times, found=storable_text(found))
    insert = insert_into(connection, questions).values(row)
    connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_=row))


def _read(connection: Connection, subject: str) -> list[tuple[str, int, str]]:
    entries = select(questions).where(questions.c.subject == subject).order_by(questions.c.number, questions.c.key)
    found = []
    with reading("the ledger of what was asked"):
        for row in connection.execute(entries):
            verify(row)
            found.append((row.question, row.times, row.found))
    return found
