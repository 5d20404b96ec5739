"""Worker processes that wait a while for the next study, because one that starts imports scikit-learn for two seconds.

They are handed on only where fresh ones would be no different: the same number, folder, search path and environment,
and no module of the user's own imported, whose text may have changed since (`worker.call` leaves a mark then).
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracity.running import worker
from veracity.running.batch import ready

PATIENCE = 60.0  # seconds that idle workers wait
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_LOCK = threading.Lock()
_ROOM: list[Waiting] = []  # the last one that was kept, if any


@dataclass(frozen=True, eq=False)
class Waiting:
    """Idle processes, and what they were started for."""

    executor: Any
    circumstances: tuple[Any, ...]
    timer: threading.Timer


def taken(workers: int) -> Any:
    """An executor of so many workers: one that waits and would be no different from a new one, or a new one."""
    with _LOCK:
        found = _ROOM.pop() if _ROOM else None
    if found is None:
        return _started(workers)
    found.timer.cancel()
    if found.circumstances == _circumstances(workers) and _alive(found.executor):
        return found.executor
    _end(found)
    return _started(workers)


def kept(executor: Any, workers: int) -> None:
    """Let idle workers wait for the next study; those that waited until now are ended."""
    timer = threading.Timer(PATIENCE, _leave, (executor,))
    timer.daemon = True
    with _LOCK:
        before = _ROOM.copy()
        _ROOM[:] = [Waiting(executor, _circumstances(workers), timer)]
    timer.start()
    for waiting in before:
        waiting.timer.cancel()
        _end(waiting)


def _started(workers: int) -> Any:
    from loky import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, env=ONE_THREAD, initializer=worker.start, initargs=(os.getpid(),))


def _circumstances(workers: int) -> tuple[Any, ...]:
    return os.getpid(), workers, Path.cwd(), tuple(sys.path), frozenset(os.environ.items())


def _alive(executor: Any) -> bool:
    """A worker may have been killed while it waited."""
    try:
        return bool(executor.submit(ready).result())
    except (BrokenExecutor, RuntimeError):
        return False


def _leave(executor: Any) -> None:
    with _LOCK:
        late = [waiting for waiting in _ROOM if waiting.executor is executor]
        _ROOM[:] = [waiting for waiting in _ROOM if waiting.executor is not executor]
    for waiting in late:
        _end(waiting)


def _end(waiting: Waiting) -> None:
    if waiting.circumstances[0] == os.getpid():  # a fork must leave its parent's workers alone
        waiting.executor.shutdown(wait=True, kill_workers=True)
