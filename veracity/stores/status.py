"""How far a study is, counted without reading it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, ScalarSelect, Table, cast, func, select
from sqlalchemy.types import Integer

from veracity.stores.cells import PLANNED
from veracity.stores.claims import running
from veracity.stores.outcomes import present
from veracity.stores.schema import about, failures, outcomes, shared


class Status(NamedTuple):
    """Splits planned, and those whose fit is done, has failed or is running now; and fits that no split asked for."""

    planned: int
    done: int
    failed: int
    running: int
    extra: int = 0


def _counts(table: Table) -> tuple[ScalarSelect[int], ...]:
    """All fits of a table; what must be added to count splits; those that answer no split."""
    unusual = shared.join(table, table.c.key == shared.c.key)
    every = select(func.count()).select_from(table).scalar_subquery()
    more = select(func.coalesce(func.sum(shared.c.splits - 1), 0)).select_from(unusual).scalar_subquery()
    none = select(func.count()).select_from(unusual).where(shared.c.splits == 0).scalar_subquery()
    return every, more, none


_PLANNED = select(cast(about.c.value, Integer)).where(about.c.name == PLANNED).scalar_subquery()
# Made once, as making it takes as long as counting 100,000 fits.
_COUNTED = select(func.coalesce(_PLANNED, 0), *_counts(outcomes), *_counts(failures))


def status(connection: Connection) -> Status:
    """Of everything in the store."""
    planned, done, more, extra_done, failed, more_failed, extra_failed = connection.execute(_COUNTED).one()
    return Status(planned, done + more, failed + more_failed, running(connection), extra_done + extra_failed)


def status_of(connection: Connection, keys: Iterable[str]) -> Status:
    """Of some fits, each counted once."""
    wanted = set(keys)
    done, failed = (len(present(connection, table, wanted)) for table in (outcomes, failures))
    return Status(len(wanted), done, failed, running(connection, wanted))
