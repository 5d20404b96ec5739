"""Carrying out a plan: only what is missing is fitted, and each outcome is stored as soon as it is there."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any

from veracity.records.data import Data
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import Plan, Progress
from veracity.running.batch import run_batch
from veracity.running.engines import Engine

FLUSH = 0.2  # seconds an outcome may wait before it is stored
BATCH = 0.1  # seconds of fitting in one batch
GRACE = 5.0  # seconds beyond its timeout before a silent worker is killed


@dataclass
class Clock:
    """How long fits of each kind take, so that batches of short ones are neither tiny nor late."""

    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, fit: Fit, outcome: Outcome) -> None:
        kind = (fit.data, fit.learner)
        known = self.seconds.get(kind, outcome.seconds)
        self.seconds[kind] = 0.7 * known + 0.3 * outcome.seconds

    def number(self, fit: Fit) -> int:
        """How many fits like this one make a batch."""
        known = self.seconds.get((fit.data, fit.learner))
        return 1 if known is None else max(1, min(200, int(BATCH / max(known, 1e-4))))

    def left(self, fits: list[Fit], workers: int) -> float | None:
        """Seconds until the rest is done, as far as one can tell."""
        known = [self.seconds.get((fit.data, fit.learner)) for fit in fits]
        told = [seconds for seconds in known if seconds is not None]
        return sum(told) / len(told) * len(known) / workers if told else None


class Runner:
    """One run of a plan on one engine into one store."""

    def __init__(
        self,
        plan: Plan,
        data: Mapping[str, Data],
        learners: Mapping[str, Any],
        store: Any,
        engine: Engine,
        timeout: float | None = None,
        tell: Callable[[Progress, float | None], None] | None = None,
    ) -> None:
        self.plan, self.data, self.learners = plan, data, learners
        self.store, self.engine, self.timeout, self.tell = store, engine, timeout, tell
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"
        self.clock = Clock()
        self.parcels: dict[str, Any] = {}
        self.buffer: list[Outcome] = []
        self.flushed = time.monotonic()
        self.flying: dict[Future[Any], tuple[list[Fit], float]] = {}

    def run(self, retry_failed: bool = False) -> Progress:
        """Fit what is missing; stop cleanly when interrupted, with everything finished so far stored."""
        if retry_failed:
            self.store.forget_failures([fit.key for fit in self.plan.fits])
        stored = self.store.finished()
        self.counted = {status: 0 for status in ("done", "failed")}
        self.todo = []
        for fit in reversed(self.plan.fits):
            if fit.key in stored:
                self.counted[stored[fit.key]] += 1
            else:
                self.todo.append(fit)
        try:
            if self.todo:
                self._share()
                self._work()
        finally:
            self._flush()
            self.store.release(self.owner)
        return self._progress()

    def _share(self) -> None:
        self.makers = self.engine.share(dict(self.learners))
        needed = {fit.data for fit in self.todo}
        self.parcels = {name: self.engine.share(self.data[name]) for name in needed}

    def _work(self) -> None:
        suspects: list[Fit] = []
        while self.todo or self.flying:
            self._launch()
            finished, _ = wait(self.flying, timeout=FLUSH, return_when=FIRST_COMPLETED)
            for future in finished:
                suspects += self._land(future)
            if self._overdue():
                suspects += self._abandon()
            if suspects:
                suspects += self._abandon()
                for fit in suspects:
                    self._alone(fit)
                suspects = []
            self._flush_in_time()

    def _launch(self) -> None:
        """Keep every worker busy with one batch and one waiting behind it."""
        while self.todo and len(self.flying) < 2 * self.engine.workers:
            batch = list(self._next_batch())
            future = self.engine.submit(run_batch, self.parcels[batch[0].data], self.makers, batch, self.timeout)
            self.flying[future] = (batch, time.monotonic())
            self.store.claim([fit.key for fit in batch], self.owner)

    def _next_batch(self) -> Iterator[Fit]:
        first = self.todo.pop()
        yield first
        for _ in range(self.clock.number(first) - 1):
            if not self.todo or (self.todo[-1].data, self.todo[-1].learner) != (first.data, first.learner):
                return
            yield self.todo.pop()

    def _land(self, future: Future[Any]) -> list[Fit]:
        """Take in a finished batch; the fits of one whose worker died are suspects."""
        batch, _ = self.flying.pop(future)
        if future.exception() is not None:
            return batch
        for fit, outcome in zip(batch, future.result(), strict=True):
            self._keep(fit, outcome)
        return []

    def _keep(self, fit: Fit, outcome: Outcome) -> None:
        self.clock.learn(fit, outcome)
        self.counted[outcome.status] += 1
        self.buffer.append(outcome)

    def _overdue(self) -> bool:
        if self.timeout is None:
            return False
        now = time.monotonic()
        return any(
            now - started > 2 * (self.timeout * len(batch) + GRACE) and not future.done()
            for future, (batch, started) in self.flying.items()
        )

    def _abandon(self) -> list[Fit]:
        """Throw all workers away; what was flying must be looked at one by one."""
        flying = [fit for batch, _ in self.flying.values() for fit in batch]
        self.flying.clear()
        self.engine.renew()
        return flying

    def _alone(self, fit: Fit) -> None:
        """A fit that may have killed its worker gets one to itself, so that the guilty one is known."""
        future = self.engine.submit(run_batch, self.parcels[fit.data], self.makers, [fit], self.timeout)
        try:
            limit = None if self.timeout is None else self.timeout + GRACE
            outcome = future.result(limit)[0]
        except TimeoutError:
            outcome = Outcome(fit.key, "failed", reason=f"the fit hung past its timeout of {self.timeout:g} s")
            self.engine.renew()
        except Exception as why:
            outcome = Outcome(fit.key, "failed", reason=_blame(why), traceback=repr(why))
            self.engine.renew()
        self._keep(fit, outcome)
        self._flush_in_time()

    def _flush_in_time(self) -> None:
        if time.monotonic() - self.flushed >= FLUSH:
            self._flush()

    def _flush(self) -> None:
        if self.buffer:
            self.store.write(self.buffer)
            self.buffer = []
        self.store.beat(self.owner)
        self.flushed = time.monotonic()
        if self.tell is not None:
            self.tell(self._progress(), self.clock.left(self.todo, self.engine.workers))

    def _progress(self) -> Progress:
        running = sum(len(batch) for batch, _ in self.flying.values())
        return Progress(len(self.plan.fits), self.counted["done"], self.counted["failed"], running)


def _blame(why: Exception) -> str:
    """What to say of a fit that gave no outcome although it was alone with its worker."""
    names = {kind.__name__ for kind in type(why).__mro__}
    if names & {"BrokenExecutor", "BrokenProcessPool", "KilledWorker", "CommClosedError"}:
        return "the fit killed its process (out of memory, or a crash in compiled code)"
    return f"the worker could not take the fit: {type(why).__name__}: {why}"
