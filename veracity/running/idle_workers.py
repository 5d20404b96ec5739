"""Worker processes that wait a while for the next study, because one that starts imports scikit-learn for two seconds.

They are handed on only where fresh ones would be no different: the same number, folder, search path and environment,
and no module of the user's own imported, whose text may have changed since (`worker.call` leaves a mark then).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from veracity.running import worker
from veracity.running.ending import signals_later

PATIENCE = 60.0  # seconds that idle workers wait
START = 600.0  # seconds in which one must have started,
ANSWER = 10.0  # and in which one that waits must answer
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
OF_SCIKIT_LEARN = {"KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"}  # variables that importing it sets, here and there
_LOCK = threading.Lock()
_ROOM: list[tuple[Pool, threading.Timer]] = []  # the last one that was kept, if any, and who ends it


@dataclass(frozen=True, eq=False)
class Pool:
    """Worker processes, and the circumstances that they were started in."""

    executor: Any
    circumstances: tuple[Any, ...]
    first: Future[bool]  # the answer of a worker that has started

    @property
    def numbers(self) -> set[int]:
        """The process numbers of the workers."""
        return set(self.executor._processes or ())

    def end(self) -> None:
        """At once; but a fork must leave its parent's workers alone."""
        if self.circumstances[0] == os.getpid():
            self.executor.shutdown(wait=True, kill_workers=True)


def take(workers: int) -> Pool:
    """So many workers: some that wait and would be no different from new ones, or new ones."""
    pool = _swap(())
    if pool is not None and _is_usable(pool, workers):
        return pool
    from loky import ProcessPoolExecutor

    now, made = _circumstances(workers), []
    try:
        with signals_later():  # half a pool could not be ended
            made.append(ProcessPoolExecutor(workers, env=ONE_THREAD, initializer=worker.start, initargs=now[:1]))
            with _deaf_processes():
                first = made[0].submit(worker.is_ready)  # all processes start
    except BaseException:
        for executor in made:
            executor.shutdown(wait=True, kill_workers=True)
        raise
    return Pool(made[0], now, first)


def _is_usable(pool: Pool, workers: int) -> bool:
    """Whether workers that waited are as good as new ones; if not, or while that is still asked, they end."""
    usable = False
    try:
        usable = pool.circumstances == _circumstances(workers) and _is_alive(pool)
    finally:
        if not usable:
            pool.end()
    return usable


@contextmanager
def _deaf_processes() -> Iterator[None]:
    """Processes that start here do not hear Ctrl-C: one that is importing would show where it was. They listen again
    when they have said to ignore it (`worker.start`).
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which, where it starts, lets all signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_ahead(workers: int) -> None:
    """Start workers for a study that is still to be read, as that imports scikit-learn too."""
    keep(take(workers))


def dismiss() -> None:
    """End those that wait, as no study will follow."""
    pool = _swap(())
    if pool is not None:
        pool.end()


def keep(pool: Pool) -> None:
    """Let idle workers wait for the next study; those that waited until now are ended."""
    timer = threading.Timer(PATIENCE, _leave, (pool,))
    timer.daemon = True
    before = _swap([(pool, timer)])
    timer.start()
    if before is not None:
        before.end()


def _swap(others: Sequence[tuple[Pool, threading.Timer]]) -> Pool | None:
    """Whoever waits is called out of the room, and others may come in."""
    with _LOCK:
        waiting = _ROOM.copy()
        _ROOM[:] = others
    if not waiting:
        return None
    ((pool, timer),) = waiting
    timer.cancel()
    return pool


def _leave(pool: Pool) -> None:
    """A timer that was late to be cancelled finds its pool gone, or in the room once more with a new one."""
    with _LOCK:
        late = any(one is pool and timer is threading.current_thread() for one, timer in _ROOM)
        if late:
            _ROOM.clear()
    if late:
        pool.end()


def _circumstances(workers: int) -> tuple[Any, ...]:
    variables = frozenset(item for item in os.environ.items() if item[0] not in OF_SCIKIT_LEARN)
    return os.getpid(), workers, Path.cwd(), tuple(sys.path), variables


def _is_alive(pool: Pool) -> bool:
    """A worker may have been killed or stopped while it waited; one that is still starting may take long."""
    try:
        return pool.first.result(START) and bool(pool.executor.submit(worker.is_ready).result(ANSWER))
    except (BrokenExecutor, RuntimeError, TimeoutError):
        return False
