"""The store of a study: every method is one short transaction, and writers take turns."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from itertools import islice
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from sqlalchemy import Connection, Engine, func, select

from veracity.core.errors import StoreError, damage_error
from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.records.fit import Fit, Outcome
from veracity.stores import audit, claims, plan, results
from veracity.stores.connect import check_unchanged
from veracity.stores.errors import Retries, translate_errors
from veracity.stores.plan import SplitCount
from veracity.stores.problems import find_problems, repair_problems
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


def count_totals(connection: Connection) -> tuple[int, int, int]:
    """Return the number of planned splits and of done and failed fits, which change whenever an answer may."""
    planned = connection.execute(select(func.count()).select_from(splits)).scalar_one()
    by_status = select(fits.c.status, func.count()).group_by(fits.c.status)
    ended: dict[str, int] = dict(connection.execute(by_status).all())
    return planned, ended.get("done", 0), ended.get("failed", 0)


def count_status(connection: Connection, keys: Collection[str] | None = None) -> Status:
    """Return how many splits are planned, done, failed and running; or how many of these fits."""
    keys = keys if keys is None else set(keys)
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


def _reads(work: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Return a method of a store that does some work in a transaction of its own, which only reads."""

    @wraps(work)
    def method(store: Store, /, *given: P.args, **options: P.kwargs) -> R:
        return store._read(work, *given, **options)

    return method


def _writes(work: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Return a method of a store that does some work in a transaction of its own, which may write."""

    @wraps(work)
    def method(store: Store, /, *given: P.args, **options: P.kwargs) -> R:
        return store._carry_out(store._writing, work, *given, **options)

    return method


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
        return self._carry_out(self._reading, work, *given, **options)

    def _carry_out(
        self,
        session: Callable[[], AbstractContextManager[Connection]],
        work: Callable[Concatenate[Connection, P], R],
        *given: P.args,
        **options: P.kwargs,
    ) -> R:
        def once() -> R:
            with session() as connection:
                return work(connection, *given, **options)

        return self._retries.carry_out(once, self._tell, running=self.tell_trouble is not None)

    problems = _reads(find_problems)
    repair = _writes(repair_problems)

    # What was planned

    save_study = _writes(plan.save_study)
    study = _reads(plan.read_study)
    data = _reads(plan.read_data)
    design = _reads(plan.read_design)
    save_data = _writes(plan.save_data)
    save_designs = _writes(plan.save_designs)
    save_cells = _writes(plan.save_splits)
    register = _writes(plan.register)
    places = _reads(plan.read_places)
    cells_of = _reads(plan.read_keys)
    planned_keys = _reads(plan.planned_keys)
    counts = _reads(plan.count_splits)

    def cells(self, data: str, learner: str, design: str) -> tuple[str, ...]:
        """Return the keys of the fits that answer the splits of a design, in their order."""
        return self.cells_of(data, design, [learner])[learner]

    # Who is running what

    owners = _reads(claims.living_owners)
    claim = _writes(claims.claim)
    beat = _writes(claims.beat)
    let_go = _writes(claims.let_go)
    release = _writes(claims.release)
    claimed = _reads(claims.count_claims)

    # What came of it

    write = _writes(results.write)
    finished = _reads(results.finished)
    failures = _reads(results.read_failures)
    seconds_of = _reads(results.finished_seconds)
    versions_at = _reads(results.versions_at)
    versions_of = _reads(results.versions_of)
    mixed_notes = _reads(results.mixed_notes)
    status = _reads(count_status)
    totals = _reads(count_totals)
    _fetch = _reads(results.fetch)

    def notes(self) -> tuple[Note, ...]:
        """Return cautions about what the store has lost, and about fits by different versions of libraries."""
        return self._read(plan.incomplete_notes) + self.mixed_notes()

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

    # What was asked

    ask = _writes(audit.ask)
    asked = _reads(audit.read_questions)
    look = _writes(audit.look)
    looks = _reads(audit.read_looks)
