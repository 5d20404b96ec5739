"""The store of a study: every verb is one short transaction, and writers take turns."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from sqlalchemy import Connection, Engine, Row, delete, func, select

from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores import claims, data_and_designs, outcomes, planned_cells, study_description
from veracity.stores.database_errors import translate_errors
from veracity.stores.planned_cells import Status
from veracity.stores.schema import failures, ledger, successes


class Store:
    """What was planned, what came of it, who is running what, and what was asked. Opened by `open_store`."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.where = where  # for people: without the password
        self._reader = engine
        self._writer = engine.execution_options(writing=True)
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

    def save_study(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """Keep or grow the description; another seed, or the same name for another thing, is refused."""
        with self._writing() as connection:
            return study_description.save_study(connection, self.where, description)

    def study(self) -> dict[str, Any]:
        """The description; empty when none was kept yet."""
        with self._reading() as connection:
            return study_description.read_study(connection)

    def save_data(self, data: Data) -> None:
        """Keep a data set without its features; the same name for other rows is refused."""
        with self._writing() as connection:
            data_and_designs.save_data(connection, self.where, data)

    def data(self, name: str) -> Data:
        """A data set without features, with the fingerprint it had."""
        with self._reading() as connection:
            return data_and_designs.read_data(connection, self.where, name)

    def save_design(self, data: str, design: Design) -> None:
        """Keep the splits of a data set; the same name for other splits is refused."""
        with self._writing() as connection:
            data_and_designs.save_design(connection, self.where, data, design)

    def design(self, data: str, name: str) -> Design:
        """The splits that a design made of a data set."""
        with self._reading() as connection:
            return data_and_designs.read_design(connection, self.where, data, name)

    def save_cells(self, planned: Iterable[PlannedSplit], extra: Iterable[str] = ()) -> None:
        """Add which fit answers which split, and the keys of fits that no split asks for."""
        with self._writing() as connection:
            planned_cells.save_cells(connection, self.where, planned, extra)

    def cells(self, data: str, learner: str, design: str) -> tuple[str, ...]:
        """The keys of the fits that answer the splits of a design, in their order."""
        with self._reading() as connection:
            return planned_cells.read_cells(connection, self.where, (data, learner, design))

    def places(self) -> set[tuple[str, str, str]]:
        """Data set, learner and design of everything planned."""
        with self._reading() as connection:
            return planned_cells.read_places(connection)

    # What came of it

    def write(self, batch: Iterable[Outcome]) -> None:
        """Add outcomes in one transaction; one that is there stays, only a success replaces a failure."""
        with self._writing() as connection:
            outcomes.write(connection, batch)

    def outcomes(self, keys: Iterable[str] | None = None) -> Iterator[Outcome]:
        """Stored outcomes in the order of their keys, read in small batches; of all fits when no key is given."""
        wanted = list(self.finished() if keys is None else dict.fromkeys(keys))
        return self._stream(wanted)

    def _stream(self, keys: list[str]) -> Iterator[Outcome]:
        with translate_errors(self.where):
            yield from outcomes.stream(keys, self._fetch)

    def _fetch(self, keys: list[str]) -> dict[str, Row[Any]]:
        with self._reading() as connection:
            return outcomes.fetch(connection, keys)

    def finished(self) -> dict[str, Literal["done", "failed"]]:
        """Every finished fit and how it ended."""
        with self._reading() as connection:
            failed: dict[str, Literal["done", "failed"]] = dict.fromkeys(
                connection.execute(select(failures.c.key)).scalars(), "failed"
            )
            return failed | dict.fromkeys(connection.execute(select(successes.c.key)).scalars(), "done")

    def failures(self) -> list[Outcome]:
        """Every failure with its reason and traceback."""
        with self._reading() as connection:
            return [outcomes.read_failed(row) for row in connection.execute(select(failures).order_by(failures.c.key))]

    def forget_failures(self, keys: Iterable[str] | None = None) -> None:
        """Let failed fits be missing again, so that they are tried once more."""
        with self._writing() as connection:
            if keys is None:
                connection.execute(delete(failures))
            else:
                outcomes.remove(connection, failures, keys)

    def status(self, keys: Iterable[str] | None = None) -> Status:
        """How many splits are planned, done, failed and running; or how many of these fits."""
        with self._reading() as connection:
            return planned_cells.status(connection) if keys is None else planned_cells.status_of(connection, keys)

    # Who is running what

    def claim(self, keys: Iterable[str], owner: str) -> list[str]:
        """Mark fits as running; those that are not finished and that nobody alive runs are the owner's."""
        with self._writing() as connection:
            return claims.claim(connection, list(keys), owner)

    def beat(self, owner: str) -> None:
        """Say that the owner lives; without this for a while its claims count no more."""
        with self._writing() as connection:
            claims.beat(connection, owner)

    def release(self, owner: str) -> None:
        """Let go of everything the owner claimed."""
        with self._writing() as connection:
            claims.release(connection, owner)

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
