"""The store of a study: every verb is one short transaction, and writers take turns."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import update_wrapper
from itertools import islice
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from sqlalchemy import Connection, Engine, func, select

from veracity.core.errors import StoreError, damage_error
from veracity.core.notes import Note
from veracity.core.recent import Recent
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores import (
    cell_counts,
    claims,
    data_and_designs,
    fit_problems,
    looks,
    mixed_versions,
    outcomes,
    planned_cells,
    recorded_places,
    study_description,
)
from veracity.stores.database_errors import DamagedStore, translate_errors
from veracity.stores.databases import unchanged
from veracity.stores.packing import reading, seal_text, unseal_text
from veracity.stores.patience import Patience
from veracity.stores.plan_problems import Problem
from veracity.stores.recorded_places import ASKED, Place
from veracity.stores.schema import ledger

P = ParamSpec("P")
R = TypeVar("R")
Session = Callable[["Store"], AbstractContextManager[Connection]]


def _method(session: Session, verb: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """What is done with a connection, as a method that does it in one transaction."""

    def method(store: Store, /, *arguments: P.args, **options: P.kwargs) -> R:
        given: Any = tuple(list(each) if isinstance(each, Iterator) else each for each in arguments)

        def once() -> R:
            with session(store) as connection:
                return verb(connection, *given, **options)

        running = store.tell_trouble is not None
        return store._patience.carry_out(once, store._tell, store._database_returned, running)

    update_wrapper(method, verb)
    return method


def _register(
    connection: Connection,
    tables: Mapping[str, tuple[Data, list[Design]]],
    planned: Sequence[PlannedSplit],
    extra: Sequence[str],
) -> tuple[dict[str, list[Design]], dict[Place, tuple[str, ...]]]:
    """Keep all at once; gives the designs that are new and the keys of each place."""
    new = {}
    for name, (table, designs) in tables.items():
        data_and_designs.save_data(connection, table)
        new[name] = data_and_designs.save_designs(connection, name, designs)
    return new, planned_cells.save_cells(connection, planned, extra)


def _ask(connection: Connection, question: str, rows: str) -> int:
    """Enter a question about some test rows, given by their fingerprint; how often they have been asked now."""
    sealed = seal_text(outcomes.storable_text(question), rows)
    connection.execute(ledger.insert().values(rows=rows, question=sealed))
    before = study_description.read_text(connection, ASKED)
    total = select(func.count()).select_from(ledger)
    number = connection.execute(total).scalar_one() if before is None else int(before) + 1
    study_description.write_text(connection, ASKED, str(number))
    counted = select(func.count()).select_from(ledger).where(ledger.c.rows == rows)
    return connection.execute(counted).scalar_one()


def _read_questions(connection: Connection, rows: str) -> dict[str, int]:
    """Every question about some test rows, in the order of asking, and how often it was asked."""
    entries = select(ledger.c.question, func.count()).where(ledger.c.rows == rows)
    entries = entries.group_by(ledger.c.question).order_by(func.min(ledger.c.entry))
    with reading("the ledger of what was asked"):
        asked = [(unseal_text(question, rows), times) for question, times in connection.execute(entries)]
    return {question: sum(times for other, times in asked if other == question) for question, _ in asked}


class Answers(NamedTuple):
    """What a store holds of one learner on the splits of one data set."""

    learner: str
    keys: tuple[str, ...]  # of the splits, in their order
    outcomes: dict[str, Outcome]  # by key, without those that are not there yet


class Store:
    """What was planned, what came of it, who is running what, and what was asked. Opened by `open_store`."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.where = where  # for people: without the password
        # who hears that the database does not answer, and by an empty text that it does again
        self.tell_trouble: Callable[[str], None] | None = None
        self._patience, self._watch = Patience(), claims.Watch()
        self.forget()
        self._reader = engine.execution_options(where=where, watch=self._watch)
        self._writer = engine.execution_options(where=where, watch=self._watch, writing=True)
        self._dispose = weakref.finalize(self, engine.dispose)  # at the latest when nobody holds the store any more

    def forget(self) -> None:
        """Read anew what was written or read before, as after somebody has mended the store."""
        self._recent = outcomes.RecentOutcomes()
        self._designs: Recent[tuple[str, str], Design] = Recent(data_and_designs.IN_MEMORY)  # that were saved here
        self._cells: Recent[Place, tuple[str, ...]] = Recent(planned_cells.IN_MEMORY)  # the same

    def damage_error(self, what: str) -> StoreError:
        """What to say of something that was read and cannot be; it is read anew, as somebody may mend it."""
        self.forget()
        return damage_error(self.where, what)

    def close(self) -> None:
        """Let go of every connection."""
        self._dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({self.where})"

    def _tell(self, says: str) -> None:
        if self.tell_trouble is not None:
            self.tell_trouble(says)

    def _database_returned(self) -> None:
        self._watch.forget()
        self._tell("")

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._reader.connect() as connection, unchanged(connection):
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _looking(self) -> Iterator[Connection]:
        """Everything as it is at one moment, while others write."""
        alone = {"isolation_level": "REPEATABLE READ"} if self._reader.dialect.name == "postgresql" else {}
        with translate_errors(self.where), self._reader.connect() as connection, unchanged(connection):
            yield connection.execution_options(**alone)

    # Whether all is as it was written

    _problems = _method(_looking, fit_problems.find_problems)
    _repair = _method(_writing, fit_problems.repair_problems)

    def problems(self) -> tuple[Problem, ...]:
        """All that is lost, damaged, misplaced or belongs to nothing, each with what to do."""
        with suppress(DamagedStore):  # which is found again
            if None in self.owners().values():
                time.sleep(claims.GLANCE)
        return self._problems()

    def repair(self, problems: Iterable[Problem]) -> None:
        """Do for each problem what can be done without the study, and forget what was known of the store."""
        self._repair(problems)
        self.forget()

    # What was planned

    save_study = _method(_writing, study_description.save_study)
    study = _method(_reading, study_description.read_study)
    save_data = _method(_writing, data_and_designs.save_data)
    data = _method(_reading, data_and_designs.read_data)
    _save_designs = _method(_writing, data_and_designs.save_designs)
    _read_design = _method(_reading, data_and_designs.read_design)
    _save_cells = _method(_writing, planned_cells.save_cells)
    _register = _method(_writing, _register)
    _read_cells = _method(_reading, planned_cells.read_cells)
    places = _method(_reading, recorded_places.read_places)
    planned_keys = _method(_reading, recorded_places.all_keys)
    incomplete_notes = _method(_reading, recorded_places.incomplete_notes)
    mixed_notes = _method(_reading, mixed_versions.mixed_notes)
    versions_at = _method(_reading, mixed_versions.versions_at)
    versions_of = _method(_reading, mixed_versions.versions_of)

    def notes(self) -> tuple[Note, ...]:
        """Cautions about what the store has lost, and about fits of one learner by different versions of libraries."""
        return self.incomplete_notes() + self.mixed_notes()

    def save_designs(self, of: str, every: Iterable[Design]) -> None:
        """Keep the splits of a data set by some designs; the same name for other splits is refused."""
        self._keep_designs(of, self._save_designs(of, list(every)))

    def _keep_designs(self, of: str, new: Iterable[Design]) -> None:
        for design in new:
            spelled = design if design.inner is None else replace(design, inner=str(design.inner))  # as it is read
            self._designs.keep((of, design.name), spelled, design.nbytes)

    def design(self, of: str, name: str) -> Design:
        """The splits that a design made of a data set."""
        return self._designs.get((of, name)) or self._read_design(of, name)

    def register(
        self, tables: Mapping[str, tuple[Data, list[Design]]], planned: Sequence[PlannedSplit], extra: Iterable[str]
    ) -> None:
        """Keep data sets with their designs and which fit answers each split, all or nothing: a check that comes in
        between sees no data set that nothing is planned of.
        """
        given = list(extra)
        designs, places = self._register(tables, planned, given)
        for of, new in designs.items():
            self._keep_designs(of, new)
        self._keep_cells(places)

    def save_cells(self, planned: Iterable[PlannedSplit], extra: Iterable[str] = ()) -> None:
        """Add which fit answers which split, and the keys of fits that no split asks for."""
        self._keep_cells(self._save_cells(planned, extra))

    def _keep_cells(self, places: Mapping[Place, tuple[str, ...]]) -> None:
        for place, keys in places.items():
            self._cells.keep(place, keys, planned_cells.EACH * len(keys))

    def cells(self, data: str, learner: str, design: str) -> tuple[str, ...]:
        """The keys of the fits that answer the splits of a design, in their order."""
        return self.cells_of(data, design, [learner])[learner]

    def cells_of(self, data: str, design: str, learners: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The same of several learners, by their names."""
        known = {learner: self._cells.get((data, learner, design)) for learner in learners}
        others = [learner for learner, keys in known.items() if keys is None]
        read = self._read_cells(data, design, others) if others else {}
        return {learner: read[learner] if keys is None else keys for learner, keys in known.items()}

    # Who is running what

    owners = _method(_reading, claims.living_owners)
    claim = _method(_writing, claims.claim)
    beat = _method(_writing, claims.beat)
    let_go = _method(_writing, claims.let_go)
    release = _method(_writing, claims.release)

    # What came of it

    _write = _method(_writing, outcomes.write)
    finished = _method(_reading, outcomes.finished)
    news = _method(_reading, cell_counts.news)
    failures = _method(_reading, outcomes.read_failures)
    seconds_of = _method(_reading, outcomes.finished_keys)
    _status = _method(_reading, planned_cells.status)
    _fetch = _method(_reading, outcomes.fetch)

    def write(self, batch: Iterable[Outcome], again: Container[str] = ()) -> None:
        """Add outcomes in one transaction; one that is there stays, only a success replaces a failure, and any outcome
        that of a fit that was made `again`.
        """
        every = list(batch)
        if any(outcome.key in again for outcome in every):
            self._recent = outcomes.RecentOutcomes()
        if self._write(every, again):
            for outcome in every:
                self._recent.keep(outcome, written=True)

    def lacking(self, fits: Iterable[Fit]) -> set[str]:
        """The keys of those fits that are done, but were not asked to predict all of their rows."""
        wanted = {fit.key: fit.predict for fit in fits}
        rows = self.rows_of(wanted)
        return {key for key, there in rows.items() if not np.isin(wanted[key], there, assume_unique=True).all()}

    def rows_of(self, keys: Iterable[str]) -> dict[str, Array]:
        """The rows that those of the fits predicted that are done."""
        return {one.key: one.rows for one in self.outcomes(keys) if one.rows is not None}

    def status(self, keys: Iterable[str] | None = None) -> planned_cells.Status:
        """How many splits are planned, done, failed and running; or how many of these fits, each counted once.

        An owner whose clock does not agree with ours is looked at twice.
        """
        wanted = None if keys is None else set(keys)
        status, unsure = self._status(wanted)
        if unsure:
            time.sleep(claims.GLANCE)
            status, _ = self._status(wanted)
        return status

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
            yield from outcomes.stream(keys, self._fetch, self._recent)

    # What was asked

    ask = _method(_writing, _ask)
    asked = _method(_reading, _read_questions)
    look = _method(_writing, looks.enter_look)
    looks = _method(_reading, looks.read_looks)
