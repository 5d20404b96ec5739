"""The store of a study: every verb is one short transaction, and writers take turns."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import update_wrapper
from itertools import islice
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, func, select

from veracity.records.fit import Outcome
from veracity.stores import claims, data_and_designs, outcomes, planned_cells, study_description
from veracity.stores.database_errors import translate_errors
from veracity.stores.schema import ledger

P = ParamSpec("P")
R = TypeVar("R")
Session = Callable[["Store"], AbstractContextManager[Connection]]


def _method(session: Session, verb: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """What is done with a connection, as a method that does it in one transaction."""

    def method(store: Store, /, *arguments: P.args, **options: P.kwargs) -> R:
        with session(store) as connection:
            return verb(connection, *arguments, **options)

    update_wrapper(method, verb)
    return method


class Answers(NamedTuple):
    """What a store holds of one learner on the splits of one data set."""

    learner: str
    keys: tuple[str, ...]  # of the splits, in their order
    outcomes: dict[str, Outcome]  # by key, without those that are not there yet


class Store:
    """What was planned, what came of it, who is running what, and what was asked. Opened by `open_store`."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.where = where  # for people: without the password
        self._reader = engine.execution_options(where=where)
        self._writer = engine.execution_options(where=where, writing=True)
        self._dispose = weakref.finalize(self, engine.dispose)  # at the latest when nobody holds the store any more

    def close(self) -> None:
        """Let go of every connection."""
        self._dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({self.where})"

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._writer.begin() as connection:
            yield connection

    # What was planned

    save_study = _method(_writing, study_description.save_study)
    study = _method(_reading, study_description.read_study)
    save_data = _method(_writing, data_and_designs.save_data)
    data = _method(_reading, data_and_designs.read_data)
    save_design = _method(_writing, data_and_designs.save_design)
    design = _method(_reading, data_and_designs.read_design)
    save_cells = _method(_writing, planned_cells.save_cells)
    cells = _method(_reading, planned_cells.read_cells)
    cells_of = _method(_reading, planned_cells.read_cells_of)
    places = _method(_reading, planned_cells.read_places)

    # Who is running what

    claim = _method(_writing, claims.claim)
    beat = _method(_writing, claims.beat)
    release = _method(_writing, claims.release)

    # What came of it

    write = _method(_writing, outcomes.write)
    finished = _method(_reading, outcomes.finished)
    failures = _method(_reading, outcomes.read_failures)
    forget_failures = _method(_writing, outcomes.forget_failures)
    status = _method(_reading, planned_cells.status)
    _fetch = _method(_reading, outcomes.fetch)

    def outcomes(self, keys: Iterable[str] | None = None) -> Iterator[Outcome]:
        """Stored outcomes in the order of their keys, read in small batches; of all fits when no key is given."""
        every = list(self.finished() if keys is None else dict.fromkeys(keys))
        return (outcome for _, outcome in self._stream(every) if outcome is not None)

    def answers(self, data: str, design: str, learners: Sequence[str]) -> Iterator[Answers]:
        """Of each learner, the keys of its splits and what is stored of them; batches span learners."""
        every = self.cells_of(data, design, learners)
        pairs = self._stream([key for keys in every.values() for key in dict.fromkeys(keys)])
        for learner, keys in every.items():
            own = islice(pairs, len(set(keys)))
            yield Answers(learner, keys, {key: outcome for key, outcome in own if outcome is not None})

    def _stream(self, keys: list[str]) -> Iterator[tuple[str, Outcome | None]]:
        with translate_errors(self.where):
            yield from outcomes.stream(keys, self._fetch)

    # What was asked

    def ask(self, question: str, rows: str) -> int:
        """Enter a question about some test rows, given by their fingerprint; how often they have been asked now."""
        with self._writing() as connection:
            connection.execute(ledger.insert().values(rows=rows, question=outcomes.storable_text(question)))
            counted = select(func.count()).select_from(ledger).where(ledger.c.rows == rows)
            return connection.execute(counted).scalar_one()

    def asked(self, rows: str) -> dict[str, int]:
        """Every question about some test rows, in the order of asking, and how often it was asked."""
        with self._reading() as connection:
            entries = select(ledger.c.question, func.count()).where(ledger.c.rows == rows)
            entries = entries.group_by(ledger.c.question).order_by(func.min(ledger.c.entry))
            return {row[0]: row[1] for row in connection.execute(entries)}
