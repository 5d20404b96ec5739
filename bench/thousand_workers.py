"""What one parent does for a thousand workers: they only say that they fit, the parent and its PostgreSQL are real.

`.ci/postgres python -m bench.thousand_workers 1000 50000` prints a line for `docs/explanation/scale-out.md`:
so many workers, so many fits that are said to take a second each.
"""

from __future__ import annotations

import heapq
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, make_url, text

from bench.scale_out import COMMITS, LEARNERS, Tenths, new_database
from bench.studies import _plan, _tables
from veracity.records.fit import Fit, Outcome
from veracity.running.runner import Runner
from veracity.running.worker import BatchResult, run_batch
from veracity.stores.open_store import open_store

SECONDS = 1.0  # that a fit is said to take


class SaidWorkers:
    """An engine whose workers take their time and then answer as one real fit of the same data set did."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.folder: Path | None = None
        self.batches = 0
        self._free = [0.0] * workers  # when each worker is done with what it has
        self._due: list[tuple[float, int, Future[Any], BatchResult]] = []
        self._real: dict[str, Outcome] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._answer, daemon=True).start()

    def share(self, thing: Any) -> Any:
        return thing

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        data, learner, fits, *_ = arguments
        future: Future[Any] = Future()
        result = BatchResult([self._said(data, learner, fit) for fit in fits])
        with self._changed:
            self.batches += 1
            end = max(time.monotonic(), heapq.heappop(self._free)) + SECONDS * len(fits)
            heapq.heappush(self._free, end)
            heapq.heappush(self._due, (end, self.batches, future, result))
            self._changed.notify()
        return future

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self.submit(function, *arguments)

    def _said(self, data: Any, learner: Any, fit: Fit) -> Outcome:
        if fit.data not in self._real:
            self._real[fit.data] = run_batch(data, learner, [fit]).outcomes[0]
        return replace(self._real[fit.data], key=fit.key, seconds=SECONDS)

    def _answer(self) -> None:
        while True:
            with self._changed:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is None or wait > 0:
                    self._changed.wait(wait)
                    continue
                _, _, future, result = heapq.heappop(self._due)
            future.set_result(result)

    def is_well(self) -> bool:
        return True

    def mend(self) -> None:
        """Nobody dies."""

    def end_worker(self, name: str) -> None:
        """Nobody hangs."""

    def close(self) -> None:
        """Nothing is held."""


def capacity(workers: int, number: int, where: str) -> dict[str, Any]:
    """What the parent spends on so many fits, and how much longer they take than with a parent that costs nothing."""
    tables = _tables()
    plan, engine, tenths = _plan(tables, max(1, number // 50), LEARNERS), SaidWorkers(workers), Tenths()
    with create_engine(where, isolation_level="AUTOCOMMIT").connect() as connection, open_store(where) as store:
        before = connection.execute(text(COMMITS)).scalar_one()
        clock, processor = time.perf_counter(), time.process_time()
        Runner(plan, tables, LEARNERS, store, engine, tell=tenths).run()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        time.sleep(2)  # until the database has counted
        commits, fits = connection.execute(text(COMMITS)).scalar_one() - before, len(store.finished())
    ideal = SECONDS * fits / workers
    spent = {"seconds": round(clock, 1), "at best": round(ideal, 1), "parent": round(processor, 1)}
    counts = {"batches": engine.batches, "transactions": commits}
    return {"workers": workers, "fits": fits, **spent, "parent by tenths": tenths.seconds, **counts}


if __name__ == "__main__":
    with new_database(make_url(os.environ["VERACITY_TEST_POSTGRES"]), f"workers_{os.getpid()}") as address:
        print(json.dumps(capacity(*map(int, sys.argv[1:] or ["1000", "50000"]), address)))
