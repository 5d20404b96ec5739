"""What fits cost beside themselves on a dask cluster with a PostgreSQL store: writes, messages, bytes, time.

`.ci/postgres python -m bench.scale_out 1000 10000 100000 -1000` prints a line for each number of fits, of which
`docs/explanation/scale-out.md` is made; of a negative number each fit is sent by itself. Each has its own database.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import cloudpickle
from distributed import LocalCluster
from sklearn.dummy import DummyClassifier
from sqlalchemy import URL, Connection, create_engine, make_url, text

from bench.studies import _plan, _tables
from veracity.records.plan import Progress
from veracity.running import runner
from veracity.running.cluster import Dask
from veracity.stores.open_store import open_store

LEARNERS = {"dummy": DummyClassifier()}
MIN_FIT_S = runner.MIN_FIT_S
COMMITS = "select xact_commit from pg_stat_database where datname = current_database()"
ROWS = """select coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_del), 0), coalesce(sum(seq_tup_read), 0)
from pg_stat_user_tables"""
SIZES = "select pg_database_size(current_database()), pg_current_wal_lsn() - '0/0'"
SIZE_OF_TABLE = "select relname, pg_total_relation_size(relid) from pg_stat_user_tables order by 2 desc limit 4"


class Counted(Dask):
    """The cluster, with every batch and every answer weighed as they are sent."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
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


class Tenths:
    """Seconds of the parent's processor for each tenth of the fits: whether they grow with what is stored."""

    def __init__(self) -> None:
        self.marks = [time.process_time()]

    def __call__(self, progress: Progress, left: float | None) -> None:
        while 10 * progress.done >= len(self.marks) * progress.fits and len(self.marks) <= 10:
            self.marks.append(time.process_time())

    @property
    def seconds(self) -> list[float]:
        return [round(after - before, 2) for before, after in zip(self.marks, self.marks[1:], strict=False)]


@contextmanager
def new_database(server: URL, name: str) -> Iterator[str]:
    """The address of a database that is there as long as it is needed."""
    with create_engine(server, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"create database {name}"))
        try:
            yield server.set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(text(f"drop database {name} with (force)"))


def _database(connection: Connection) -> dict[str, int]:
    connection.execute(text("select pg_stat_force_next_flush()"))
    commits = connection.execute(text(COMMITS)).scalar_one()
    inserted, deleted, scanned = map(int, connection.execute(text(ROWS)).one())
    size, log = map(int, connection.execute(text(SIZES)).one())
    rows = {"rows inserted": inserted, "rows deleted": deleted, "rows scanned": scanned}
    return {"transactions": commits, **rows, "bytes stored": size, "bytes logged": log}


def _transitions(dask_scheduler: Any) -> int:
    """How often the scheduler has changed the state of a task."""
    return int(dask_scheduler.transition_counter)


def cost(number: int, where: str, alone: bool) -> dict[str, Any]:
    """Of so many fits of a learner that does next to nothing, with two workers; perhaps each sent by itself."""
    runner.MIN_FIT_S = runner.BATCH_S if alone else MIN_FIT_S
    tables = _tables()
    plan = _plan(tables, max(1, number // 50), LEARNERS)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        create_engine(where, isolation_level="AUTOCOMMIT").connect() as connection,
        open_store(where) as store,
    ):
        engine, tenths = Counted(cluster.scheduler_address), Tenths()
        try:
            before = _database(connection)
            transitions = engine.client.run_on_scheduler(_transitions)
            begun, processor = time.perf_counter(), time.process_time()
            runner.Runner(plan, tables, LEARNERS, store, engine, tell=tenths).run()
            elapsed, processor = time.perf_counter() - begun, time.process_time() - processor
            moved = engine.client.run_on_scheduler(_transitions) - transitions
            time.sleep(2)  # until the database has counted
            after, fits = _database(connection), len(store.finished())
            largest = {name: int(size) for name, size in connection.execute(text(SIZE_OF_TABLE))}
        finally:
            engine.close()
    found = {name: after[name] - before[name] for name in before}
    found |= {"batches": engine.batches, "bytes there": engine.there, "bytes back": engine.back, "transitions": moved}
    each = {name: round(value / fits, 4) for name, value in found.items()}
    spent = {"seconds": round(elapsed, 2), "parent": round(processor, 2), "parent by tenths": tenths.seconds}
    memory = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return {"fits": fits, **spent, "parent MB": memory, "of each fit": each, "bytes of tables": largest}


def main() -> None:
    """A line for each number."""
    server = make_url(os.environ["VERACITY_TEST_POSTGRES"])
    for place, size in enumerate(map(int, sys.argv[1:] or ["1000", "10000"])):
        with new_database(server, f"scale_out_{os.getpid()}_{place}") as where:
            print(json.dumps(cost(abs(size), where, size < 0)), flush=True)


if __name__ == "__main__":
    main()
