"""Carrying out a plan: only what is missing is fitted, and each outcome is stored as soon as it is there."""

from __future__ import annotations

import math
import os
import socket
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from veracity.core.errors import VeracityError
from veracity.records.data import Data
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import Plan, Progress, ProgressCallback
from veracity.running.engines import Engine
from veracity.running.fit_learner import failed_outcomes
from veracity.running.worker import is_ready, run_batch

FLUSH = 0.2  # seconds an outcome may wait before it is stored
GRACE = 5.0  # seconds beyond its timeout before a silent worker is killed
BATCH = 0.1  # seconds of fitting in one batch
LARGEST = 200  # fits in one batch


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
        tell: ProgressCallback | None = None,
    ) -> None:
        self.plan, self.data, self.learners = plan, data, learners
        self.store, self.engine, self.timeout, self.tell = store, engine, timeout, tell
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"
        self.clock = Clock()
        self.buffer: list[Outcome] = []
        self.flushed = time.monotonic()
        self.todo: list[Fit] = []  # the next one last
        self.elsewhere: list[Fit] = []  # another process is at them
        self.waiting: Counter[tuple[str, str]] = Counter()  # fits to do of each data set and learner
        self.flying: dict[Future[Any], tuple[list[Fit], float]] = {}
        self.ended: Counter[str] = Counter()  # splits by how their fit ended

    def run(self, retry_failed: bool = False) -> Progress:
        """Fit what is missing; when interrupted, everything finished so far is stored."""
        self.store.tell_trouble = self._tell_trouble
        if retry_failed:
            self.store.forget_failures([answer.key for fit in self.plan.fits for answer in fit.stored])
        self._find_missing()
        try:
            if self.todo:
                self._work()
        finally:
            self._collect()
            self._flush()
            self.store.release(self.owner)
            self.store.tell_trouble = None
        return self._progress()

    def _find_missing(self) -> None:
        """What the store lacks is to do; of a fit whose answers are there in part, only the others."""
        stored = self.store.finished()
        self.ended = Counter(stored.get(cell.key, "") for cell in self.plan.cells)
        for fit in reversed(self.plan.fits):
            missing = tuple(answer for answer in fit.stored if answer.key not in stored)
            if missing:
                self.todo.append(fit if len(missing) == len(fit.stored) else fit.only(missing))
                self.waiting[fit.data, fit.learner] += 1

    def _work(self) -> None:
        self.makers = self.engine.share(dict(self.learners))
        self.parcels = {name: self.engine.share(self.data[name]) for name in {fit.data for fit in self.todo}}
        self._flush()  # whoever watches learns what is to do
        while self.todo or self.flying or self.elsewhere:
            self._launch()
            suspects = self._land_finished()
            if suspects or self._is_overdue():
                for fit in suspects + self._abandon():
                    self._run_alone(fit)
            self._flush_in_time()
            self._take_back()

    def _launch(self) -> None:
        """Keep every worker busy with one batch and one waiting behind it."""
        while self.todo and len(self.flying) < 2 * self.engine.workers:
            batch = self._claim(list(self._next_batch()))
            if batch:
                self.flying[self._submit(batch)] = (batch, time.monotonic())

    def _next_batch(self) -> Iterator[Fit]:
        first = self.todo.pop()
        yield first
        for _ in range(self.clock.number(first) - 1):
            if not self.todo or (self.todo[-1].data, self.todo[-1].learner) != (first.data, first.learner):
                return
            yield self.todo.pop()

    def _claim(self, batch: list[Fit]) -> list[Fit]:
        """Those fits of a batch that nobody else is at; the others are looked at again later."""
        mine = set(self.store.claim([answer.key for fit in batch for answer in fit.stored], self.owner))
        own = [fit for fit in batch if all(answer.key in mine for answer in fit.stored)]
        self.elsewhere += [fit for fit in batch if fit not in own]
        return own

    def _submit(self, batch: list[Fit]) -> Future[Any]:
        return self.engine.submit(run_batch, self.parcels[batch[0].data], self.makers, batch, self.timeout)

    def _land_finished(self) -> list[Fit]:
        """Take in what is finished; the fits of a batch whose worker died are suspects."""
        if not self.flying:
            time.sleep(FLUSH if self.elsewhere and not self.todo else 0)
            return []
        finished, _ = wait(self.flying, timeout=FLUSH, return_when=FIRST_COMPLETED)
        return [fit for future in finished for fit in self._land(future)]

    def _land(self, future: Future[Any]) -> list[Fit]:
        batch, _ = self.flying.pop(future)
        if future.cancelled() or future.exception() is not None:
            return batch
        for fit, outcomes in zip(batch, future.result(), strict=True):
            self._keep(fit, outcomes)
        return []

    def _keep(self, fit: Fit, outcomes: list[Outcome]) -> None:
        self.clock.learn(fit, outcomes[0])
        self.waiting[fit.data, fit.learner] -= 1
        self.buffer += outcomes
        for outcome in outcomes:
            self.ended[outcome.status] += self.plan.splits.get(outcome.key, 0)

    def _is_overdue(self) -> bool:
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

    def _run_alone(self, fit: Fit) -> None:
        """A fit that may have killed its worker gets one to itself, so that the guilty one is known."""
        limit = None if self.timeout is None else self.timeout + GRACE
        try:
            self._await(self.engine.submit(is_ready))  # a worker that has yet to start is not late
            outcomes = self._await(self._submit([fit]), limit)[0]
        except VeracityError:  # of the store or the engine: no fault of the fit
            raise
        except TimeoutError:
            outcomes = failed_outcomes(fit, f"the fit hung past its timeout of {self.timeout:g} s")
            self.engine.renew()
        except Exception as why:
            outcomes = failed_outcomes(fit, _blame(why), repr(why))
            self.engine.renew()
        self._keep(fit, outcomes)
        self._flush_in_time()

    def _await(self, future: Future[Any], limit: float | None = None) -> Any:
        """Wait for one call, and be heard of meanwhile: whoever is silent loses its claims."""
        end = math.inf if limit is None else time.monotonic() + limit
        while not future.done() and time.monotonic() < end:
            wait([future], timeout=FLUSH)
            self._flush_in_time()
        return future.result(0)

    def _take_back(self) -> None:
        """When nothing else is left, what another process was at is finished there, or is ours after all."""
        if self.todo or self.flying or not self.elsewhere:
            return
        stored = self.store.finished()
        fits, self.elsewhere = self.elsewhere, []
        for fit in fits:
            missing = tuple(answer for answer in fit.stored if answer.key not in stored)
            for answer in fit.stored:
                self.ended[stored.get(answer.key, "")] += self.plan.splits.get(answer.key, 0)
            if missing:
                self.todo.append(fit.only(missing))
            else:
                self.waiting[fit.data, fit.learner] -= 1

    def _collect(self) -> None:
        """After an interruption, what is finished already is not thrown away."""
        for future in [future for future in self.flying if future.done()]:
            self._land(future)
        self.flying.clear()

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
            self.tell(self._progress(), self.clock.left(self.waiting.items(), self.engine.workers))

    def _tell_trouble(self, says: str) -> None:
        """A store that waits for its database says so in the progress line."""
        if self.tell is not None:
            self.tell(replace(self._progress(), trouble=says), None)

    def _progress(self) -> Progress:
        running = sum(len(batch) for batch, _ in self.flying.values())
        return Progress(self.plan.planned, self.ended["done"], self.ended["failed"], running)


def _blame(why: Exception) -> str:
    """What to say of a fit that gave no outcome although it was alone with its worker."""
    names = {kind.__name__ for kind in type(why).__mro__}
    if names & {"BrokenExecutor", "BrokenProcessPool", "KilledWorker", "CommClosedError"}:
        return "the fit killed its process (out of memory, or a crash in compiled code)"
    return f"the worker could not take the fit: {type(why).__name__}: {why}"


@dataclass
class Clock:
    """Seconds per fit of each data set and learner, learned on the way: batches are neither tiny nor late."""

    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, fit: Fit, outcome: Outcome) -> None:
        kind = (fit.data, fit.learner)
        known = self.seconds.get(kind, outcome.seconds)
        self.seconds[kind] = 0.7 * known + 0.3 * outcome.seconds

    def number(self, fit: Fit) -> int:
        """How many fits like this one make a batch; one, as long as nothing is known of them."""
        known = self.seconds.get((fit.data, fit.learner))
        return 1 if known is None else max(1, min(LARGEST, int(BATCH / max(known, 1e-4))))

    def left(self, fits: Iterable[tuple[tuple[str, str], int]], workers: int) -> float | None:
        """Seconds until so many fits of each kind are done; a kind not met yet counts as the mean of the others."""
        if not self.seconds:
            return None
        mean = sum(self.seconds.values()) / len(self.seconds)
        return sum(number * self.seconds.get(kind, mean) for kind, number in fits) / workers
