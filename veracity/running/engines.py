"""Where fits run: worker processes of this machine, or a dask cluster. One contract: submit, and wait for futures.

And how many are sent at a time, by the clock that a run keeps of them.
"""

from __future__ import annotations

import math
import os
import platform
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from veracity.core.errors import BadInput
from veracity.records.fit import Fit, Outcome
from veracity.running import idle_workers, worker
from veracity.running.shared_files import SharedFiles

ENGINES = ("local", "dask")
BATCH = 0.1  # seconds of fitting in one batch
TRIED = 10  # fits in one batch, while nothing is known of their time
PARTS = 4  # a batch is at most one in so many parts of what is left for its worker: none is long at the last one,
SMALLEST = 0.02  # but not less than so many seconds
LARGEST = 200  # fits in one batch
FEW_WORKERS = 5  # of more, batches are larger: about fifty a second are sent and stored, however many workers there are


class Engine(Protocol):
    """What a run needs of an engine."""

    workers: int
    folder: Path | None  # where workers of this machine write down what they are at

    def share(self, thing: Any) -> Any:
        """Make a thing known to all workers; the handle goes into `submit`."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call in some worker."""

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call, while no other is under way, whose death is nobody else's."""

    def is_well(self) -> bool:
        """Whether calls can still come back."""

    def mend(self) -> None:
        """After workers died: see to it that there are some. What flies may be lost, and its futures then say so."""

    def end_worker(self, name: str) -> None:
        """End a worker that does not answer: by its number on this machine, by its address on dask."""

    def close(self) -> None:
        """Let go of everything."""


class Local:
    """Processes of this machine, by loky: a killed one does not take the study with it."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.files = SharedFiles()
        self.folder: Path | None = self.files.path
        self._pool: idle_workers.Pool | None = None  # all workers, or one if a call must be alone
        self._size = workers
        self._flying: set[Future[Any]] = set()

    def share(self, thing: Any) -> Any:
        return self.files.pack(thing)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._submit(self.workers, function, *arguments)

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._submit(1, function, *arguments)

    def _submit(self, size: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if size != self._size:
            self.mend()
            self._size = size
        try:
            future = self._start(function, *arguments)
        except (BrokenExecutor, RuntimeError):  # a worker was killed while it waited
            self.mend()
            future = self._start(function, *arguments)
        self._flying.add(future)
        future.add_done_callback(self._flying.discard)
        return future

    def _start(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if self._pool is None:
            self._pool = idle_workers.take(self._size)
        future: Future[Any] = self._pool.executor.submit(worker.call, self.files.path, function, *arguments)
        return future

    def is_well(self) -> bool:
        return True  # a pool that breaks says so in every future

    def mend(self) -> None:
        if self._pool is not None:
            self._pool.end()
            self._pool = None

    def end_worker(self, name: str) -> None:
        if self._pool is not None and int(name) in self._pool.numbers:
            with suppress(ProcessLookupError):
                os.kill(int(name), signal.SIGKILL)

    def close(self) -> None:
        """Idle workers wait for the next study; those that are at work, or hold code that may change, are ended."""
        idle = all(future.done() for future in list(self._flying))
        if self._pool is not None and idle and not (self.files.path / worker.MARK).exists():
            idle_workers.keep(self._pool)
            self._pool = None
        self.mend()
        self.files.close()


def make_engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """Return the engine that a name stands for; raise BadInput on Windows, which has no signals that end a fit."""
    if platform.system() == "Windows":
        raise BadInput("learners are fitted on Linux and macOS only: on Windows run veracity inside WSL")
    if name not in ENGINES:
        raise BadInput(f"there is no engine called {name!r}: there are {' and '.join(ENGINES)}")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise BadInput(f"workers is a whole number of at least 1, not {workers!r}")
    if name == "local":
        if address is not None:
            raise BadInput("`address=` is that of a dask cluster: add `engine='dask'`")
        return Local(workers)
    from veracity.running.cluster import Dask

    return Dask(workers, address)


@dataclass
class Clock:
    """Seconds per fit of each data set and learner, learned on the way: batches are neither tiny nor late."""

    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, fit: Fit, outcome: Outcome) -> None:
        kind = (fit.data, fit.learner)
        known = self.seconds.get(kind, outcome.seconds)
        self.seconds[kind] = 0.7 * known + 0.3 * outcome.seconds

    def enough(self, fit: Fit) -> float:
        """Seconds after which a batch of fits like this one comes back, done or not: they may be slow, or quick."""
        return math.inf if (fit.data, fit.learner) in self.seconds else BATCH

    def number(self, fit: Fit, workers: int, left: float = math.inf, alike: int = 1) -> int:
        """How many fits like this one make a batch; a few of those `alike`, as long as nothing is known of them.

        With few seconds `left` until all are done, batches of a few workers are smaller; of many, that would be more
        than can be sent.
        """
        known, times = self.seconds.get((fit.data, fit.learner)), max(1.0, workers / FEW_WORKERS)
        if known is None:
            return max(1, min(TRIED, alike // (PARTS * workers)))
        seconds = min(BATCH, max(left / PARTS, SMALLEST)) if workers <= FEW_WORKERS else BATCH
        return max(1, int(times * min(LARGEST, seconds / max(known, 1e-4))))

    def left(self, fits: Iterable[tuple[tuple[str, str], int]], workers: int) -> float | None:
        """Seconds until so many fits of each kind are done; a kind not met yet counts as the mean of the others."""
        if not self.seconds:
            return None
        mean = sum(self.seconds.values()) / len(self.seconds)
        return sum(number * self.seconds.get(kind, mean) for kind, number in fits) / workers
