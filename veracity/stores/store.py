"""The store of a study: every method is one short transaction, and writers take turns."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

import numpy as np
from sqlalchemy import Connection, Engine, Row, func, select

from veracity.core.errors import StoreError, damage_error
from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores import audit, claims, plan, results
from veracity.stores.connect import check_unchanged
from veracity.stores.errors import Retries, translate_errors
from veracity.stores.plan import Place, SplitCount
from veracity.stores.problems import Problem, find_problems, repair_problems
from veracity.stores.schema import fits, in_chunks, splits

P = ParamSpec("P")
R = TypeVar("R")


# what is read in one transaction is of one moment, also while others write, as in SQLite
SNAPSHOT: dict[str, dict[str, Any]] = {"sqlite": {}, "postgresql": {"isolation_level": "REPEATABLE READ"}}


class Status(NamedTuple):
    """Splits planned, those whose fit is done, has failed, is running or waits for a worker of the run that has taken
    it; and fits that no split asked for.
    """

    planned: int
    done: int
    failed: int
    running: int
    extra: int = 0
    waiting: int = 0


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
        self._retries = Retries()
        self._reader = engine.execution_options(where=where, **SNAPSHOT[engine.dialect.name])
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

    def damage_error(self, what: str) -> StoreError:
        """Return what to raise where something that was read cannot be."""
        return damage_error(self.where, what)

    def _tell(self, says: str) -> None:
        if self.tell_trouble is not None:
            self.tell_trouble(says)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._reader.connect() as connection, check_unchanged(connection):
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translate_errors(self.where), self._writer.begin() as connection:
            yield connection

    def _read(self, work: Callable[Concatenate[Connection, P], R], *given: P.args, **options: P.kwargs) -> R:
        return self._carry_out(self._reading, lambda connection: work(connection, *given, **options))

    def _write(self, work: Callable[Concatenate[Connection, P], R], *given: P.args, **options: P.kwargs) -> R:
        return self._carry_out(self._writing, lambda connection: work(connection, *given, **options))

    def _carry_out(
        self, session: Callable[[], AbstractContextManager[Connection]], work: Callable[[Connection], R]
    ) -> R:
        def once() -> R:
            with session() as connection:
                return work(connection)

        return self._retries.carry_out(once, self._tell, running=self.tell_trouble is not None)

    # Whether all is as it was written

    def problems(self) -> tuple[Problem, ...]:
        """Return all that is lost or damaged, each with what to do."""
        return self._read(find_problems)

    def repair(self, problems: Iterable[Problem]) -> None:
        """Do for each problem what can be done without the study."""
        self._write(repair_problems, list(problems))

    # What was planned

    def save_study(self, new: Mapping[str, Any]) -> dict[str, Any]:
        """Keep or grow the description of the study; return it."""
        return self._write(plan.save_study, new)

    def study(self) -> dict[str, Any]:
        """Return the description of the study; empty when none was kept yet."""
        return self._read(plan.read_study)

    def save_data(self, table: Data) -> None:
        """Keep a data set without its features; the same name for other rows is refused."""
        self._write(plan.save_data, table)

    def data(self, name: str) -> Data:
        """Return a data set without features, with the fingerprint it had."""
        return self._read(plan.read_data, name)

    def save_designs(self, of: str, every: Iterable[Design]) -> None:
        """Keep the splits of a data set by some designs; the same name for other splits is refused."""
        self._write(plan.save_designs, of, list(every))

    def design(self, of: str, name: str) -> Design:
        """Return the splits that a design made of a data set."""
        return self._read(plan.read_design, of, name)

    def save_cells(self, planned: Iterable[PlannedSplit]) -> None:
        """Add which fit answers which split."""
        self._write(plan.save_splits, list(planned))

    def register(self, tables: Mapping[str, tuple[Data, Sequence[Design]]], planned: Sequence[PlannedSplit]) -> None:
        """Keep data sets with their designs and which fit answers each split, in one transaction."""

        def save(connection: Connection) -> None:
            for name, (table, designs) in tables.items():
                plan.save_data(connection, table)
                plan.save_designs(connection, name, designs)
            plan.save_splits(connection, planned)

        self._write(save)

    def places(self) -> set[Place]:
        """Return data set, learner and design of everything planned."""
        return self._read(plan.read_places)

    def cells(self, data: str, learner: str, design: str) -> tuple[str, ...]:
        """Return the keys of the fits that answer the splits of a design, in their order."""
        return self.cells_of(data, design, [learner])[learner]

    def cells_of(self, data: str, design: str, learners: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the same of several learners, by their names."""
        return self._read(plan.read_keys, data, design, learners)

    def planned_keys(self) -> dict[Place, tuple[str, ...]]:
        """Return the same of everything planned, by data set, learner and design."""
        return self._read(plan.planned_keys)

    def notes(self) -> tuple[Note, ...]:
        """Return cautions about what the store has lost, and about fits by different versions of libraries."""
        return self._read(plan.incomplete_notes) + self.mixed_notes()

    def mixed_notes(self, places: Collection[Place] | None = None) -> tuple[Note, ...]:
        """Return cautions about fits of one learner that were made with different versions of libraries."""
        return self._read(results.mixed_notes, places)

    def versions_at(self, places: Collection[Place]) -> dict[str, list[str]]:
        """Return all versions of each library that made the fits at some places."""
        return self._read(results.versions_at, places)

    def versions_of(self, keys: Iterable[str]) -> dict[str, results.Versions]:
        """Return the versions of the libraries that made fits which are done."""
        return self._read(results.versions_of, list(keys))

    # Who is running what

    def owners(self) -> set[str]:
        """Return the owners of claims that are alive."""
        return self._read(claims.living_owners)

    def claim(self, keys: Iterable[str], owner: str, again: Mapping[str, float] = {}) -> list[str]:
        """Mark fits as running; return those that are the owner's now."""
        return self._write(claims.claim, list(keys), owner, again)

    def beat(self, owner: str) -> None:
        """Say that the owner lives; without this for a while its claims count no more."""
        self._write(claims.beat, owner)

    def let_go(self, keys: Iterable[str], owner: str) -> None:
        """Give some fits back that the owner claimed and has not begun."""
        self._write(claims.let_go, list(keys), owner)

    def release(self, owner: str) -> None:
        """Let go of everything the owner claimed."""
        self._write(claims.release, owner)

    # What came of it

    def write(self, batch: Iterable[Outcome], again: Container[str] = ()) -> None:
        """Add outcomes in one transaction; one that is there stays, only a success replaces a failure, and any outcome
        that of a fit that was made `again`.
        """
        self._write(results.write, list(batch), again)

    def finished(self) -> dict[str, Literal["done", "failed"]]:
        """Return every finished fit and how it ended."""
        return self._read(results.finished)

    def failures(self) -> list[Outcome]:
        """Return every failure with its reason and traceback."""
        return self._read(results.read_failures)

    def seconds_of(self, keys: Iterable[str]) -> dict[str, float]:
        """Return the seconds that those of the fits took that have ended."""
        return self._read(results.finished_seconds, list(keys))

    def counts(self) -> dict[Place, SplitCount]:
        """Return how many splits of each place are planned, done and failed, in the order of planning."""
        return self._read(plan.count_splits)

    def status(self, keys: Iterable[str] | None = None) -> Status:
        """Return how many splits are planned, done, failed and running; or how many of these fits."""
        return self._read(_status, None if keys is None else set(keys))

    def totals(self) -> tuple[int, int, int]:
        """Return the number of planned splits and of done and failed fits, which change whenever an answer may."""
        return self._read(_totals)

    def lacking(self, fits: Iterable[Fit]) -> set[str]:
        """Return the keys of those fits that are done, but were not asked to predict all of their rows."""
        wanted = {fit.key: fit.predict for fit in fits}
        rows = self.rows_of(wanted)
        return {key for key, there in rows.items() if not np.isin(wanted[key], there, assume_unique=True).all()}

    def rows_of(self, keys: Iterable[str]) -> dict[str, Array]:
        """Return the rows that those of the fits predicted that are done."""
        return {one.key: one.rows for one in self.outcomes(keys) if one.rows is not None}

    def outcomes(self, keys: Iterable[str] | None = None) -> Iterator[Outcome]:
        """Yield stored outcomes in the order of their keys, read in small batches; of all fits when no key is given."""
        every = list(self.finished() if keys is None else dict.fromkeys(keys))
        return (outcome for _, outcome in self._stream(every) if outcome is not None)

    def answers(self, data: str, design: str, learners: Sequence[str]) -> Iterator[Answers]:
        """Yield of each learner the keys of its splits and what is stored of them; batches span learners."""
        every = self.cells_of(data, design, learners)
        pairs = self._stream([key for keys in every.values() for key in dict.fromkeys(keys)])
        for learner, keys in every.items():
            own = islice(pairs, len(set(keys)))
            yield Answers(learner, keys, {key: outcome for key, outcome in own if outcome is not None})

    def _stream(self, keys: list[str]) -> Iterator[tuple[str, Outcome | None]]:
        with translate_errors(self.where):
            yield from results.stream(keys, self._fetch)

    def _fetch(self, keys: list[str]) -> dict[str, Row[Any]]:
        return self._read(results.fetch, keys)

    # What was asked

    def ask(self, question: str, rows: str) -> int:
        """Enter a question about some test rows, given by their digest; return how often they have been asked now."""
        return self._write(audit.ask, question, rows)

    def asked(self, rows: str) -> dict[str, int]:
        """Return every question about some test rows, in the order of asking, and how often it was asked."""
        return self._read(audit.read_questions, rows)

    def look(self, question: dict[str, Any], found: dict[str, Any]) -> None:
        """Enter a question about runs, once more where it was asked before."""
        self._write(audit.look, question, found)

    def looks(self) -> list[audit.StoredLook] | None:
        """Return what was asked of runs, in the order of asking; None where the store has lost its audit log."""
        return self._read(audit.read_looks)


def _totals(connection: Connection) -> tuple[int, int, int]:
    planned = connection.execute(select(func.count()).select_from(splits)).scalar_one()
    by_status = select(fits.c.status, func.count()).group_by(fits.c.status)
    ended: dict[str, int] = dict(connection.execute(by_status).all())
    return planned, ended.get("done", 0), ended.get("failed", 0)


def _status(connection: Connection, keys: set[str] | None) -> Status:
    running, waiting = claims.count_claims(connection, keys)
    if keys is None:
        total = sum(plan.count_splits(connection).values(), SplitCount())
        no_split = ~select(splits.c.key).where(splits.c.key == fits.c.key).exists()
        extra = connection.execute(select(func.count()).select_from(fits).where(no_split)).scalar_one()
        return Status(total.planned, total.done, total.failed, running, extra, waiting)
    ended = [
        status
        for some in in_chunks(keys)
        for status in connection.execute(select(fits.c.status).where(fits.c.key.in_(some))).scalars()
    ]
    done, failed = ended.count("done"), ended.count("failed")
    return Status(len(keys), done, failed, running, waiting=waiting)
