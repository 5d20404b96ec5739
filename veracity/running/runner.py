"""Carrying out a plan: only what is missing is fitted, and each outcome is stored as soon as it is there."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import EngineLost
from veracity.learners.libraries import library_versions
from veracity.records.data import Data
from veracity.records.fit import Fit, Outcome
from veracity.records.plan import Plan, Progress, ProgressCallback
from veracity.running.ending import end_if_asked
from veracity.running.engines import Clock, Engine
from veracity.running.fit_learner import failed_outcome
from veracity.running.short_turns import short_turns
from veracity.running.suspects import KILLED, STARTS, Suspects, is_death, why_lost
from veracity.running.time_limit import GRACE
from veracity.running.whereabouts import Standstill, beginnings, left_by_the_dead, longest_standstill
from veracity.running.worker import hung_reason, never_begun_reason, run_batch
from veracity.stores.claims import BEAT_INTERVAL_S, name_workers, owner_name

LOOK_INTERVAL_S = 2.0  # between two looks whether another run has finished fits that are waited for
FLUSH = 0.2  # seconds an outcome may wait before it is stored,
LAST_FLUSH = 0.01  # and when nothing is left to launch
PATIENCE = 3  # times that a worker has to end a fit that hangs, before it is ended itself
END = 1000  # fits to do, from which on it is asked how long they will take
BEFORE = 4  # batches of each worker while the store is told of the splits, which takes longer than two quick ones
TRIALS = 50  # batches of a data set and a learner that fly at a time, while nothing is known of their time


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
        self.clock = Clock()
        self.buffer: list[Outcome] = []
        self.flushed = time.monotonic()
        self.todo: list[Fit] = []  # the next one last
        self.elsewhere: list[Fit] = []  # another process is at them
        self.suspects = Suspects()
        self.alone: Future[Any] | None = None  # the flight of the first of them
        self.standstill = Standstill()
        self.late: set[str] = set()  # keys of fits whose workers did not end them in time
        self.waiting: Counter[tuple[str, str]] = Counter()  # fits to do of each data set and learner
        self.flying: dict[Future[Any], list[Fit]] = {}
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
            self._collect()
            self._flush()
            self.store.release(self.owner)
            self.store.tell_trouble = None
        return self._progress()

    def _find_missing(self, retry_failed: bool, refit_outdated: bool) -> None:
        """What the store lacks is to do, also a fit that was not asked to predict all rows that are wanted now."""
        stored = self.store.finished()
        again = self.store.lacking(self.plan.fits)
        again |= self._outdated(stored) if refit_outdated else set()
        again |= {fit.key for fit in self.plan.fits if retry_failed and stored.get(fit.key) == "failed"}
        again_fits = {fit.key: fit for fit in self._to_make_again([fit for fit in self.plan.fits if fit.key in again])}
        stored = {key: ended for key, ended in stored.items() if key not in self.again}
        self.ended = Counter(stored.get(cell.key, "") for cell in self.plan.cells)
        for fit in reversed(self.plan.fits):
            if fit.key not in stored:
                self.todo.append(again_fits.get(fit.key, fit))
                self.waiting[fit.data, fit.learner] += 1

    def _to_make_again(self, fits: Sequence[Fit]) -> list[Fit]:
        """Return fits whose outcomes are to be replaced; they predict the rows again that they predicted before."""
        keys = [fit.key for fit in fits]
        self.again |= self.store.seconds_of(keys)
        before = self.store.rows_of(keys)
        return [
            replace(fit, predict=np.union1d(fit.predict, before[fit.key])) if fit.key in before else fit for fit in fits
        ]

    def _outdated(self, stored: Mapping[str, str]) -> set[str]:
        """Fits that are done by other versions of libraries than those of this process, or by nobody knows which."""
        now = {name: library_versions(self.learners[name]) for name in {fit.learner for fit in self.plan.fits}}
        learner_of = {fit.key: fit.learner for fit in self.plan.fits}
        made = self.store.versions_of([key for key in learner_of if stored.get(key) == "done"])
        return {key for key, versions in made.items() if versions != now[learner_of[key]]}

    @short_turns()
    def _work(self, register: Iterable[None]) -> None:
        self.makers = {name: self.engine.share(self.learners[name]) for name in {fit.learner for fit in self.todo}}
        self.parcels = {name: self.engine.share(self.data[name]) for name in {fit.data for fit in self.todo}}
        self._flush()  # whoever watches learns what is to do
        self._begin(register)
        while self.todo or self.flying or self.suspects or self.elsewhere:
            end_if_asked()
            self._launch()
            self._flush_in_time()  # while workers are busy
            self._land_finished()
            self._end_late_workers()
            self._take_back()

    def _begin(self, register: Iterable[None]) -> None:
        """A store that refuses, or was not told all, gets no outcome."""
        try:
            self._launch(BEFORE)
            for _ in register:
                self._flush_in_time()  # whoever holds claims must be heard of
        except BaseException:
            self.flying.clear()
            raise

    def _launch(self, each: int = 2) -> None:
        """Keep every worker busy with one batch, and one or more waiting behind it; a suspect flies alone."""
        if self.suspects:
            if not self.flying:
                self.alone = self._submit([self.suspects.first], self.engine.submit_alone)
            return
        while self.todo and (free := each * self.engine.workers - len(self.flying)) > 0:
            batches = self._next_batches(free)
            if not batches:
                return
            for batch in self._claim(batches):
                self._submit(batch, self.engine.submit)

    def _next_batches(self, most: int) -> list[list[Fit]]:
        """Of fits that nothing is known of a few are tried: a thousand workers would take them all one by one."""
        flying = Counter((batch[0].data, batch[0].learner) for batch in self.flying.values())
        batches: list[list[Fit]] = []
        while self.todo and len(batches) < most:
            kind = (self.todo[-1].data, self.todo[-1].learner)
            if flying[kind] >= TRIALS and kind not in self.clock.seconds:
                break
            flying[kind] += 1
            batches.append(list(self._next_batch()))
        return batches

    def _next_batch(self) -> Iterator[Fit]:
        first = self.todo.pop()
        yield first
        kind, workers = (first.data, first.learner), self.engine.workers
        left = self.clock.left(self.waiting.items(), workers) if len(self.todo) < END else None
        number = self.clock.number(first, workers, math.inf if left is None else left, self.waiting[kind])
        for _ in range(number - 1):
            if not self.todo or (self.todo[-1].data, self.todo[-1].learner) != kind:
                return
            yield self.todo.pop()

    def _claim(self, batches: list[list[Fit]]) -> list[list[Fit]]:
        """Those fits that nobody else is at, by one transaction for all batches; the others are looked at later."""
        keys = [fit.key for batch in batches for fit in batch]
        again = {key: self.again[key] for key in keys if key in self.again}
        mine, own = set(self.store.claim(keys, self.owner, again)), []
        self.beaten = time.monotonic()  # whoever claims is heard of
        for batch in batches:
            own.append([fit for fit in batch if fit.key in mine])
            self.elsewhere += [fit for fit in batch if fit not in own[-1]]
        return [batch for batch in own if batch]

    def _submit(self, batch: list[Fit], submit: Callable[..., Future[Any]]) -> Future[Any]:
        shared = self.parcels[batch[0].data], self.makers[batch[0].learner]
        enough = self.clock.enough(batch[0])
        future = submit(run_batch, *shared, batch, self.timeout, self.engine.folder, enough)
        self.flying[future] = batch
        return future

    def _land_finished(self) -> None:
        """Take in what is finished; what died with its worker is looked into."""
        if not self.flying:
            time.sleep(FLUSH if self.elsewhere and not self.todo else 0)
            return
        finished, _ = wait(self.flying, timeout=FLUSH, return_when=FIRST_COMPLETED)
        landed = [self._land(future) for future in finished]
        self._heed_workers(finished)
        if not all(landed) or not self.engine.is_well():
            self.engine.mend()
            lost = [future for future in list(self.flying) if future.done() and not self._land(future)]
            self._look_into({future: self.flying.pop(future) for future in lost})

    def _heed_workers(self, finished: Iterable[Future[Any]]) -> None:
        """A worker that says that no fit can be carried out where it is ends the run; the fits are not to blame."""
        for future in finished:
            if not future.cancelled() and isinstance(why := future.exception(), EngineLost):
                raise why

    def _land(self, future: Future[Any]) -> bool:
        """Whether a batch came back; fits after one that got stuck, or for which time was up, are still to do."""
        if future.cancelled() or future.exception() is not None:
            return False
        batch, result = self.flying.pop(future), future.result()
        for fit, outcome in zip(batch, result.outcomes, strict=False):
            self._keep(fit, replace(outcome, libraries=result.libraries))
        if left := batch[len(result.outcomes) :]:
            self.store.let_go([fit.key for fit in left], self.owner)
            self._wait_again(left)
        if future is self.alone:
            self.suspects.acquit()
        if result.stuck:
            self.engine.end_worker(result.stuck)
        return True

    def _look_into(self, lost: Mapping[Future[Any], list[Fit]]) -> None:
        """Workers died, and with them what they were at: who hung, who is suspect, and who was merely there."""
        begun = {one.key: one.trace for one in left_by_the_dead(folder)} if (folder := self.engine.folder) else {}
        hung = [fit for batch in lost.values() for fit in batch if begun.get(fit.key)]
        for fit in hung:
            self._keep(fit, failed_outcome(fit, hung_reason(self.timeout), begun[fit.key]))
        for future in lost.keys() & {self.alone}:
            if hung:
                self.suspects.acquit()
            else:
                self._judge(self.suspects.first, why_lost(future), folder is None or self.suspects.first.key in begun)
            return
        dead = [fit for future, batch in lost.items() for fit in batch if not (hung or future.cancelled())]
        accused = [fit for fit in dead if fit.key in begun] or dead  # one that hung explains it all
        self.suspects.accuse(accused)
        self._wait_again([fit for batch in lost.values() for fit in batch if fit not in (*hung, *accused)])

    def _judge(self, fit: Fit, why: Exception, begun: bool) -> None:
        """Of a fit that was alone and gave no outcome: whether it is known to be its own fault."""
        if not is_death(why):
            reason = f"the worker could not take the fit: {type(why).__name__}: {why}"
        elif not self.suspects.convict(begun):
            return  # it is tried once more
        elif not begun:
            reason = f"its process died {STARTS} times before the fit could begin"
        else:
            reason = hung_reason(self.timeout) if fit.key in self.late else KILLED
        self._keep(fit, failed_outcome(fit, reason, repr(why)))
        self.suspects.acquit()

    def _wait_again(self, fits: Sequence[Fit]) -> None:
        self.todo += reversed(fits)

    def _keep(self, fit: Fit, outcome: Outcome) -> None:
        self.clock.learn(fit, outcome)
        self.waiting[fit.data, fit.learner] -= 1
        self.buffer.append(outcome)
        self.ended[outcome.status] += self.plan.splits.get(outcome.key, 0)

    def _end_late_workers(self) -> None:
        """A worker ends a fit that hangs by itself; one that cannot, as it was stopped, is ended. No verdict."""
        if self.timeout is None or self.engine.folder is None:
            return
        flying = {fit.key: fit for batch in self.flying.values() for fit in batch}
        all_begun = beginnings(self.engine.folder)
        for begun in all_begun:
            if begun.key in flying and time.monotonic() - begun.since > PATIENCE * (self.timeout + GRACE):
                self.late.add(begun.key)
                self.engine.end_worker(str(begun.pid))
        if flying and self.standstill.look(all_begun) > (limit := longest_standstill(self.timeout)):
            raise EngineLost(never_begun_reason(limit, {fit.learner for fit in flying.values()}))

    def _take_back(self) -> None:
        """When nothing else is left, what another process was at is finished there, or is ours after all."""
        if self.todo or self.flying or not self.elsewhere or time.monotonic() - self.looked < LOOK_INTERVAL_S:
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
                self.waiting[fit.data, fit.learner] -= 1

    def _collect(self) -> None:
        """After an interruption, what is finished already is not thrown away."""
        for future in [future for future in self.flying if future.done()]:
            self._land(future)
        self.flying.clear()

    def _flush_in_time(self) -> None:
        """When nothing is left to launch, at once: the last ones to come then wait for themselves alone."""
        if time.monotonic() - self.flushed >= (FLUSH if self.todo else LAST_FLUSH):
            self._flush()

    def _flush(self) -> None:
        if self.buffer:
            self.store.write(self.buffer, self.again)
            self.buffer = []
        self.flushed = time.monotonic()
        if self.flushed - self.beaten >= BEAT_INTERVAL_S:
            self.store.beat(self.owner)
            self.beaten = time.monotonic()
        self.tell(self._progress(), self.clock.left(self.waiting.items(), self.engine.workers))

    def _tell_trouble(self, says: str) -> None:
        """A store that waits for its database says so in the progress line."""
        self.tell(replace(self._progress(), trouble=says), None)

    def _progress(self) -> Progress:
        running = min(self.engine.workers, sum(map(len, self.flying.values())))  # the others wait for a free worker
        return Progress(self.plan.planned, self.ended["done"], self.ended["failed"], running)
