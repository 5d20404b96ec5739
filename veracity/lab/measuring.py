"""Trials asked in parts: kept in a file as they come, so that what was interrupted goes on; by several processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.running.engines import make_engine

PART = 200  # trials that are asked, and kept, together
FORM = "lab of veracity, form 1"
TABLES = (
    "CREATE TABLE about (form TEXT, seed INTEGER)",
    "CREATE TABLE answers (question TEXT, first INTEGER, last INTEGER, answer TEXT,"
    " PRIMARY KEY (question, first, last))",
)
Progress = Callable[[int, int], None]  # told of the trials that are done, and of all


class Question(Protocol):
    """What is asked of trials: every one has random numbers of its own."""

    @property
    def seed(self) -> int:
        """Of all random numbers."""

    @property
    def key(self) -> str:
        """A text that differs where answers can."""

    def ask(self, numbers: range) -> Any:
        """The answer of some trials, as JSON has it."""


@dataclass(frozen=True)
class Keeping:
    """Where answers are kept, by how many processes they are found, and who is told."""

    store: str | None = None
    workers: int = 1
    progress: Progress | None = None

    def answers(self, question: Question, trials: int) -> list[Any]:
        """Of all trials, part by part; those that the store has are not asked again."""
        whole_number("workers", self.workers)
        parts = [range(first, min(first + PART, trials)) for first in range(0, trials, PART)]
        if self.store is None:
            return self._all(question, parts, {}, lambda part, answer: None)
        with closing(_open(self.store, question.seed)) as base:
            known = _read_answers(base, question.key)

            def keep(part: range, answer: Any) -> None:
                with base:
                    row = question.key, part.start, part.stop, json.dumps(answer)
                    base.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

            return self._all(question, parts, known, keep)

    def _all(
        self, question: Question, parts: list[range], known: dict[range, Any], keep: Callable[[range, Any], None]
    ) -> list[Any]:
        found = {part: known[part] for part in parts if part in known}
        missing = [part for part in parts if part not in found]
        for part, answer in self._asked(question, missing):
            keep(part, answer)
            found[part] = answer
            if self.progress is not None:
                self.progress(sum(map(len, found)), parts[-1].stop)
        return [found[part] for part in parts]

    def _asked(self, question: Question, parts: list[range]) -> Iterator[tuple[range, Any]]:
        if self.workers == 1 or len(parts) < 2:
            yield from ((part, question.ask(part)) for part in parts)
            return
        engine = make_engine("local", self.workers)
        try:
            flying: dict[Future[Any], range] = {engine.submit(question.ask, part): part for part in parts}
            while flying:
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    yield flying.pop(future), future.result()
        finally:
            engine.close()


def _open(where: str, seed: int) -> sqlite3.Connection:
    """The file of answers; one of another seed, or of something else, is refused."""
    if not Path(where).resolve().parent.is_dir():
        raise BadInput(f"`store=` {where}: there is no folder {Path(where).parent}")
    base = sqlite3.connect(where)
    try:
        with base:
            if base.execute("PRAGMA schema_version").fetchone() == (0,):  # nothing was ever written
                for table in TABLES:
                    base.execute(table)
                base.execute("INSERT INTO about VALUES (?, ?)", (FORM, seed))
            ((form, kept),) = base.execute("SELECT form, seed FROM about")
            if form != FORM:
                raise sqlite3.DatabaseError
    except sqlite3.DatabaseError:
        base.close()
        raise BadInput(f"{where} holds no measurements of the lab: name another file as `store=`") from None
    if kept != seed:
        base.close()
        way = f"ask with `seed={kept!r}`, or name another file as `store=`"
        raise BadInput(f"{where} holds measurements of seed {kept}, and not of seed {seed}: {way}")
    return base


def _read_answers(base: sqlite3.Connection, key: str) -> dict[range, Any]:
    rows = base.execute("SELECT first, last, answer FROM answers WHERE question = ?", (key,))
    return {range(first, last): json.loads(answer) for first, last, answer in rows}
