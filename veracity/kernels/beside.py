"""Work done beside other work, where there is a processor for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread


def threads() -> int:
    """How many may run at once: as many as processors, or as OMP_NUM_THREADS says, which workers set to one."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    if said.isdigit() and int(said) > 0:
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def run_beside(job: Callable[[], object], worth_it: bool = True) -> Iterator[None]:
    """Do a job in a thread of its own while the body runs; before it where there is but one, or it is not worth it."""
    if not worth_it or threads() < 2:
        job()
        yield
        return
    failures: list[BaseException] = []
    other = Thread(target=_keep_failure, args=(job, failures))
    other.start()
    try:
        yield
    finally:
        other.join()
    if failures:
        raise failures[0]


def _keep_failure(job: Callable[[], object], failures: list[BaseException]) -> None:
    """A thread tells nobody else why its job was not done."""
    try:
        job()
    except BaseException as why:
        failures.append(why)
