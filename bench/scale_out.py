"""What fits cost beside themselves on a dask cluster with a PostgreSQL store: writes, messages, bytes, time.

`.ci/postgres python -m bench.scale_out 1000 10000 -1000` prints a line for each number of fits, of which
`docs/explanation/scale-out.md` is made; of a negative number each fit is sent by itself.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import cloudpickle
from sklearn.dummy import DummyClassifier
from sqlalchemy import Connection, create_engine, text

from bench.studies import _plan, _tables
from veracity.running import runner
from veracity.running.cluster import Dask
from veracity.stores.open_store import open_store

LEARNERS = {"dummy": DummyClassifier()}
COUNTED = "select xact_commit, xact_rollback from pg_stat_database where datname = current_database()"
ROWS = "select coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_del), 0) from pg_stat_user_tables"


class Counted(Dask):
    """The cluster, with every batch and every answer weighed as they are sent."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.batches, self.there, self.back = 0, 0, 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        self.batches += 1
        self.there += len(cloudpickle.dumps((function, arguments)))
        future = super().submit(function, *arguments)
        future.add_done_callback(self._weigh)
        return future

    def _weigh(self, future: Future[Any]) -> None:
        if not future.cancelled() and future.exception() is None:
            self.back += len(cloudpickle.dumps(future.result()))


def _database(connection: Connection) -> dict[str, int]:
    connection.execute(text("select pg_stat_force_next_flush()"))
    commits, _ = connection.execute(text(COUNTED)).one()
    inserted, deleted = connection.execute(text(ROWS)).one()
    size = connection.execute(text("select pg_database_size(current_database())")).scalar_one()
    return {"commits": commits, "rows inserted": int(inserted), "rows deleted": int(deleted), "bytes stored": size}


def _transitions(dask_scheduler: Any) -> int:
    """How often the scheduler has changed the state of a task."""
    return int(dask_scheduler.transition_counter)


def cost(number: int, where: str, alone: bool) -> dict[str, Any]:
    """Of so many fits of a learner that does next to nothing, with two workers; perhaps each sent by itself."""
    runner.LARGEST = 1 if alone else runner.LARGEST
    tables = _tables()
    plan = _plan(tables, max(1, number // 50), LEARNERS)
    with create_engine(where, isolation_level="AUTOCOMMIT").connect() as connection, open_store(where) as store:
        engine = Counted(2)
        try:
            before, there = _database(connection), len(store.finished())
            transitions = engine.client.run_on_scheduler(_transitions)
            clock, processor = time.perf_counter(), time.process_time()
            runner.Runner(plan, tables, LEARNERS, store, engine).run()
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            moved = (
                engine.client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter) - transitions
            )
            time.sleep(2)  # until the database has counted
            after, fits = _database(connection), len(store.finished()) - there
        finally:
            engine.close()
    found = {name: after[name] - before[name] for name in before}
    found |= {"batches": engine.batches, "bytes there": engine.there, "bytes back": engine.back, "transitions": moved}
    each = {name: round(value / fits, 4) for name, value in found.items()}
    return {"fits": fits, "seconds": round(clock, 2), "parent": round(processor, 2), "of each fit": each}


if __name__ == "__main__":
    for size in map(int, sys.argv[1:] or ["1000", "10000"]):
        print(json.dumps(cost(abs(size), os.environ["VERACITY_TEST_POSTGRES"], size < 0)), flush=True)
