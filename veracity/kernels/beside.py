"""Work done beside other work, where there is a processor for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread

_BUSY: list[None] = []  # one item for each thread that runs beside another
_ONE_BY_ONE = Lock()


def threads() -> int:
    """How many may run at once: as many as processors, or as OMP_NUM_THREADS says, which workers set to one."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    if said.isdigit() and int(said) > 0:
        return int(said)
    return processors()


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def run_beside(job: Callable[[], object], worth_it: bool = True) -> Iterator[None]:
    """Do a job in a thread of its own while the body runs; before it where all are busy, or it is not worth it."""
    if not worth_it or not _take_thread():
        job()
        yield
        return
    failures: list[BaseException] = []
    other = Thread(target=_keep_failure, args=(job, failures))
    try:
        other.start()
        try:
            yield
        finally:
            other.join()
    finally:
        _BUSY.pop()
    if failures:
        raise failures[0]


def _take_thread() -> bool:
    """Whether one more may run now, which is then counted."""
    with _ONE_BY_ONE:
        free = len(_BUSY) + 1 < threads()
        if free:
            _BUSY.append(None)
        return free


def _keep_failure(job: Callable[[], object], failures: list[BaseException]) -> None:
    """A thread tells nobody else why its job was not done."""
    try:
        job()
    except BaseException as why:
        failures.append(why)
