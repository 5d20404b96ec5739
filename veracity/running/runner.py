"""Carry out a plan: only what is missing is fitted, and each outcome is stored as soon as it is there.

A worker that dies takes its whole pool with it. Every fit that was under way then is made once more, alone in a pool of
one worker; one whose worker died twice after it had begun there has failed, or ten times before. A batch of several
fits that gave an ordinary error, as where a learner cannot be unpickled, is made once more one fit at a time; the pool
lives on. A fit that hangs is ended by its worker (`time_limit`), which writes down where; a worker that was stopped and
so cannot is killed.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from veracity.core.errors import EngineLost
from veracity.learners.inspection import library_versions
from veracity.records.data import Data
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import Plan, Progress, ProgressCallback
from veracity.running.ending import end_if_asked
from veracity.running.engines import Engine
from veracity.running.fit_learner import failed_outcome
from veracity.running.time_limit import KILL_AFTER_S
from veracity.running.worker import StartedFit, hung_reason, run_batch, started_fits
from veracity.stores.claims import BEAT_INTERVAL_S, name_workers, owner_name

LOOK_INTERVAL_S = 2.0  # between two looks whether another run has finished fits that are waited for
FLUSH_INTERVAL_S = 0.2  # that an outcome may wait before it is stored
BATCH_S = 0.1  # of fitting in one batch
OVERRUN_FACTOR = 4  # times that a batch may take as long as was expected; then the rest of it is sent again
PARTS = 4  # a batch is at most one in so many parts of what is left for its worker, so that all share the last fits,
SMALLEST_BATCH_S = 0.02  # but not less than so many seconds of fitting
MIN_FIT_S = 0.0005  # that a fit counts for, as it is sent and stored too: at most 200 are in one batch of few workers
MAX_TRIAL_FITS = 10  # in one batch, while nothing is known of their time
FULL_SPEED_WORKERS = 5  # of more, batches are larger: about fifty a second can be sent and stored
MAX_CRASHES = 2  # of workers, each after one fit had begun alone, and the fit has failed
MAX_STARTS = 10  # of workers that died before the fit that they were to make alone could begin
OVERDUE_FACTOR = 3  # times that a worker has to end a fit that hangs, before it is killed
START_TIMEOUT_S = 600.0  # in which, where there is a timeout, some worker must begin a fit,
START_TIMEOUTS = 20  # or as many timeouts, whichever is longer
KILLED = "the fit killed its process (out of memory, or a crash in compiled code)"
# errors that say that a process is gone, rather than what the process itself had to say
CRASH_ERRORS = {"BrokenExecutor", "KilledWorker", "CommClosedError", "CancelledError", "FutureCancelledError"}
LOST_BY_US = "ShutdownExecutorError"  # of calls that were under way when workers were ended here
Kind = tuple[str, str]  # data set and learner, whose fits take about the same time


@dataclass
class FitTimes:
    """Running means of the seconds of a fit, of each data set and learner: how many fits make a batch."""

    workers: int
    seconds: dict[Kind, float] = field(default_factory=dict)

    @property
    def batch_s(self) -> float:
        """The seconds of fitting in one batch."""
        return BATCH_S * max(1.0, self.workers / FULL_SPEED_WORKERS)

    def observe(self, kind: Kind, seconds: float) -> None:
        self.seconds[kind] = 0.7 * self.seconds.get(kind, seconds) + 0.3 * seconds

    def batch_size(self, kind: Kind, waiting: int) -> int:
        """Return how many fits make a batch of those that wait; a few while nothing is known."""
        if kind not in self.seconds:
            return max(1, min(MAX_TRIAL_FITS, waiting // (4 * self.workers)))
        fit_s = max(self.seconds[kind], MIN_FIT_S)
        share = waiting // (PARTS * self.workers)
        smallest = SMALLEST_BATCH_S / BATCH_S * self.batch_s / fit_s
        return max(1, int(min(self.batch_s / fit_s, max(share, smallest))))

    def seconds_left(self, waiting: Mapping[Kind, int]) -> float | None:
        """Return the seconds until so many fits are done; a kind not met yet counts as the mean of the others."""
        if not self.seconds:
            return None
        mean = sum(self.seconds.values()) / len(self.seconds)
        return sum(number * self.seconds.get(kind, mean) for kind, number in waiting.items()) / self.workers


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
        self.store, self.engine, self.timeout = store, engine, timeout
        self.tell = tell or (lambda progress, left: None)
        self.owner = name_workers(owner_name(), engine.workers)
        self.again: dict[str, float] = {}  # seconds of outcomes, by key, that are there and are to be replaced
        self.beaten = self.looked = -math.inf
        self.flushed = self.watched = time.monotonic()
        self.times = FitTimes(engine.workers)
        self.buffer: list[Outcome] = []
        self.todo: list[Fit] = []  # the next one last
        self.elsewhere: list[Fit] = []  # claimed by another process
        self.waiting: Counter[Kind] = Counter()  # fits that are not finished
        self.in_flight: dict[Future[Any], list[Fit]] = {}
        self.retry: deque[Fit] = deque()  # to be made alone
        self.alone: Future[Any] | None = None  # the flight of one of them,
        self.alone_since = 0.0  # and when it was sent
        self.crashes: Counter[str] = Counter()  # by key, of workers in which a fit had begun alone
        self.starts: Counter[str] = Counter()  # by key, of workers that died before a fit could begin there alone
        self.overdue: set[str] = set()  # keys of fits whose workers were killed for them
        self.started: list[StartedFit] = []
        self.standstill_s = 0.0  # in which no worker has begun a fit
        self.ended: Counter[str] = Counter()  # splits by how their fit ended

    def run(self, retry_failed: bool = False, register: Iterable[None] = (), refit_outdated: bool = False) -> Progress:
        """Fit what is missing, and on demand once more what failed or what other versions of libraries made; when
        interrupted, everything finished so far is stored, and of everything else what was there before.

        What the store must know before it is given outcomes, it is told by the steps of `register` while the first fits
        are made.
        """
        self.store.tell_trouble = self._tell_trouble
        self._find_missing(retry_failed, refit_outdated)
        try:
            self._work(register)
        finally:
            for future in [future for future in self.in_flight if future.done()]:  # what is finished is not thrown away
                with suppress(EngineLost):
                    self._record_batch(future)
            self.in_flight.clear()
            self._flush()
            self.store.release(self.owner)
            self.store.tell_trouble = None
        return self._progress()

    def _find_missing(self, retry_failed: bool, refit_outdated: bool) -> None:
        """What the store lacks is to do, also a fit that was not asked to predict all rows that are wanted now."""
        stored = self.store.finished()
        again = self.store.lacking(self.plan.fits)
        if refit_outdated:  # done by other versions of libraries than those of this process, or by nobody knows which
            now = {name: library_versions(self.learners[name]) for name in {fit.learner for fit in self.plan.fits}}
            done = {fit.key: now[fit.learner] for fit in self.plan.fits if stored.get(fit.key) == "done"}
            again |= {key for key, versions in self.store.versions_of(list(done)).items() if versions != done[key]}
        again |= {fit.key for fit in self.plan.fits if retry_failed and stored.get(fit.key) == "failed"}
        again_fits = {fit.key: fit for fit in self._to_make_again([fit for fit in self.plan.fits if fit.key in again])}
        stored = {key: ended for key, ended in stored.items() if key not in self.again}
        self.ended = Counter(stored.get(cell.key, "") for cell in self.plan.cells)
        for fit in reversed(self.plan.fits):
            if fit.key not in stored:
                self.todo.append(again_fits.get(fit.key, fit))
                self.waiting[_kind(fit)] += 1

    def _to_make_again(self, fits: Sequence[Fit]) -> list[Fit]:
        """Return fits whose outcomes are to be replaced; they predict the rows again that they predicted before."""
        keys = [fit.key for fit in fits]
        self.again |= self.store.seconds_of(keys)
        before = self.store.rows_of(keys)
        return [
            replace(fit, predict=np.union1d(fit.predict, before[fit.key])) if fit.key in before else fit for fit in fits
        ]

    def _work(self, register: Iterable[None]) -> None:
        self.makers = {name: self.engine.share(self.learners[name]) for name in {fit.learner for fit in self.todo}}
        self.parcels = {name: self.engine.share(self.data[name]) for name in {fit.data for fit in self.todo}}
        self._flush()  # whoever watches learns what is to do
        try:
            self._launch()
            for _ in register:
                self._flush_in_time()  # whoever holds claims must be heard of
        except BaseException:
            self.in_flight.clear()  # a store that refuses, or was not told all, gets no outcome
            raise
        while self.todo or self.in_flight or self.retry or self.elsewhere:
            end_if_asked()
            self._launch()
            self._flush_in_time()  # while workers are busy
            self._collect_finished()
            self._kill_overdue_workers()
            self._recheck_elsewhere()

    def _launch(self) -> None:
        """Keep every worker busy with one batch, and one more waiting behind it; a fit to be retried flies alone."""
        if self.retry:
            if not self.in_flight:
                self.alone_since = time.monotonic()
                self.alone = self._submit([self.retry.popleft()], self.engine.submit_alone)
            return
        while self.todo and (free := 2 * self.engine.workers - len(self.in_flight)) > 0:
            batches: list[list[Fit]] = []
            while self.todo and len(batches) < free:
                kind = _kind(self.todo[-1])
                size = self.times.batch_size(kind, self.waiting[kind])
                batches.append([self.todo.pop()])
                while self.todo and len(batches[-1]) < size and _kind(self.todo[-1]) == kind:
                    batches[-1].append(self.todo.pop())
            for batch in self._claim(batches):
                self._submit(batch, self.engine.submit)

    def _claim(self, batches: list[list[Fit]]) -> list[list[Fit]]:
        """Keep those fits that no other process makes, by one transaction for all; the others are looked at later."""
        keys = [fit.key for batch in batches for fit in batch]
        again = {key: self.again[key] for key in keys if key in self.again}
        mine = set(self.store.claim(keys, self.owner, again))
        self.beaten = time.monotonic()  # whoever claims is heard of
        self.elsewhere += [fit for batch in batches for fit in batch if fit.key not in mine]
        return [own for batch in batches if (own := [fit for fit in batch if fit.key in mine])]

    def _submit(self, batch: list[Fit], submit: Callable[..., Future[Any]]) -> Future[Any]:
        shared = self.parcels[batch[0].data], self.makers[batch[0].learner]
        known = _kind(batch[0]) in self.times.seconds
        max_seconds = OVERRUN_FACTOR * self.times.batch_s if known else self.times.batch_s
        future = submit(run_batch, *shared, batch, self.timeout, self.engine.folder, max_seconds)
        self.in_flight[future] = batch
        return future

    def _collect_finished(self) -> None:
        """Record what is finished; batches that were lost with their worker are handled."""
        if not self.in_flight:
            time.sleep(FLUSH_INTERVAL_S if self.elsewhere and not self.todo else 0)
            return
        finished, _ = wait(self.in_flight, timeout=FLUSH_INTERVAL_S, return_when=FIRST_COMPLETED)
        lost = [future for future in finished if not self._record_batch(future)]
        if any(_is_crash(_error_of(future)) for future in lost) or not self.engine.is_well():
            self.engine.mend()
            lost = [future for future in list(self.in_flight) if future.done() and not self._record_batch(future)]
        if lost:
            self._handle_lost_batches({future: self.in_flight.pop(future) for future in lost})

    def _record_batch(self, future: Future[Any]) -> bool:
        """Return whether a batch came back; fits that were not begun are still to do."""
        if future.cancelled():
            return False
        error = future.exception()
        if isinstance(error, EngineLost):  # no fit can be made where it is, which is no fault of the fits
            raise error
        if error is not None:
            return False
        batch, result = self.in_flight.pop(future), future.result()
        for fit, outcome in zip(batch, result.outcomes, strict=False):
            self._record(fit, replace(outcome, libraries=result.libraries))
        if left := batch[len(result.outcomes) :]:
            self._give_back(left)
        if result.stuck:
            self.engine.end_worker(result.stuck)
        return True

    def _handle_lost_batches(self, lost: Mapping[Future[Any], list[Fit]]) -> None:
        """Record fits that hung, that crashed alone too often, or gave an ordinary error alone; retry the others."""
        started = started_fits(self.engine.folder)
        traces = {one.key: one.traceback for one in started if one.traceback}
        hung = any(fit.key in traces for batch in lost.values() for fit in batch)
        for future, batch in lost.items():
            error = _error_of(future)
            innocent = future.cancelled() or _is_named(error, {LOST_BY_US}) or (hung and _is_crash(error))
            for fit in batch:
                if fit.key in traces:
                    self._record(fit, failed_outcome(fit, hung_reason(self.timeout), traces[fit.key]))
                elif innocent:  # another fit is known to be the reason, or nobody
                    self._give_back([fit])
                elif not _is_crash(error) and len(batch) == 1:
                    says = f"the worker could not take the fit: {type(error).__name__}: {error}"
                    self._record(fit, failed_outcome(fit, says, repr(error)))
                elif future is not self.alone:
                    self.retry.append(fit)
                else:
                    begun = {one.key for one in started if one.since >= self.alone_since}
                    self._count_crash(fit, error, self.engine.folder is None or fit.key in begun)

    def _give_back(self, fits: Sequence[Fit]) -> None:
        """Put back fits that were not begun, which any process may take now."""
        self.store.let_go([fit.key for fit in fits], self.owner)
        self.todo += reversed(fits)

    def _count_crash(self, fit: Fit, error: BaseException, begun: bool) -> None:
        """Retry a fit whose worker died while it was alone, until that is known to be its fault."""
        counts, limit = (self.crashes, MAX_CRASHES) if begun else (self.starts, MAX_STARTS)
        counts[fit.key] += 1
        if counts[fit.key] < limit:
            self.retry.appendleft(fit)
            return
        reason = hung_reason(self.timeout) if fit.key in self.overdue else KILLED
        if not begun:
            reason = f"its process died {MAX_STARTS} times before the fit could begin"
        self._record(fit, failed_outcome(fit, reason, repr(error)))

    def _record(self, fit: Fit, outcome: Outcome) -> None:
        self.times.observe(_kind(fit), outcome.seconds)
        self.waiting[_kind(fit)] -= 1
        self.buffer.append(outcome)
        self.ended[outcome.status] += self.plan.splits.get(outcome.key, 0)

    def _kill_overdue_workers(self) -> None:
        """Kill workers that were stopped and so cannot end a fit that hangs; where none begins a fit, end the run."""
        if self.timeout is None or self.engine.folder is None:
            return
        now, started = time.monotonic(), started_fits(self.engine.folder)
        fits = {fit.key: fit for batch in self.in_flight.values() for fit in batch}
        for one in started:
            if one.key in fits and now - one.since > OVERDUE_FACTOR * (self.timeout + KILL_AFTER_S):
                self.overdue.add(one.key)
                self.engine.end_worker(str(one.process))
        seconds = min(now - self.watched, 1.0)  # more passed only if this process was stopped itself
        self.standstill_s = self.standstill_s + seconds if fits and started == self.started else 0.0
        self.started, self.watched = started, now
        if self.standstill_s > (limit := max(START_TIMEOUT_S, START_TIMEOUTS * self.timeout)):
            names = ", ".join(sorted({fit.learner for fit in fits.values()}))
            where = "workers cannot start, or hang where they import or unpack what they were sent"
            raise EngineLost(f"no worker has begun a fit for {limit:g} s ({names}): {where}; what is finished is kept")

    def _recheck_elsewhere(self) -> None:
        """When nothing else is left, what another process was at is finished there, or is ours after all."""
        if self.todo or self.in_flight or not self.elsewhere or time.monotonic() - self.looked < LOOK_INTERVAL_S:
            return
        self.looked = time.monotonic()
        fits, self.elsewhere = self.elsewhere, []
        stored = self.store.finished()
        waited = [fit.key for fit in fits if fit.key in self.again]
        for key, seconds in (self.store.seconds_of(waited) if waited else {}).items():
            if seconds == self.again[key]:  # as it was before: nobody has replaced it
                stored.pop(key, None)
        self.todo += [fit for fit in fits if fit.key not in stored]
        finished = [fit for fit in fits if fit.key in stored]
        lacking = self.store.lacking(finished)
        self.todo += self._to_make_again([fit for fit in finished if fit.key in lacking])
        for fit in finished:
            if fit.key not in lacking:
                self.ended[stored[fit.key]] += self.plan.splits.get(fit.key, 0)
                self.waiting[_kind(fit)] -= 1

    def _flush_in_time(self) -> None:
        if time.monotonic() - self.flushed >= FLUSH_INTERVAL_S:
            self._flush()

    def _flush(self) -> None:
        if self.buffer:
            self.store.write(self.buffer, self.again)
            self.buffer = []
        self.flushed = time.monotonic()
        if self.flushed - self.beaten >= BEAT_INTERVAL_S:
            self.store.beat(self.owner)
            self.beaten = time.monotonic()
        self.tell(self._progress(), self.times.seconds_left(self.waiting))

    def _tell_trouble(self, says: str) -> None:
        """A store that waits for its database says so in the progress line."""
        self.tell(replace(self._progress(), trouble=says), None)

    def _progress(self) -> Progress:
        running = min(self.engine.workers, sum(map(len, self.in_flight.values())))  # the others wait for a free worker
        return Progress(self.plan.planned, self.ended["done"], self.ended["failed"], running)


def _kind(fit: Fit) -> Kind:
    return fit.data, fit.learner


def _error_of(future: Future[Any]) -> BaseException:
    """Return why a batch gave no outcomes."""
    error = None if future.cancelled() else future.exception()
    return error or BrokenExecutor("the batch was lost")


def _is_crash(error: BaseException) -> bool:
    """Return whether an error says that a process is gone."""
    return _is_named(error, CRASH_ERRORS)


def _is_named(error: BaseException, names: set[str]) -> bool:
    return not {kind.__name__ for kind in type(error).__mro__}.isdisjoint(names)
