"""Work done beside other work, where there is a processor for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock

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
    with _ONE_BY_ONE:
        is_free = worth_it and len(_BUSY) + 1 < threads()
        if is_free:
            _BUSY.append(None)
    if not is_free:
        job()
        yield
        return
    try:
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(job)
            yield
    finally:
        _BUSY.pop()
    done.result()  # raises what the job raised
