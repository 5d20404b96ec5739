"""Where fits run: worker processes of this machine, or a dask cluster. One contract: submit, and wait for futures."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from veracity.core.errors import BadInput, VeracityError
from veracity.running import worker
from veracity.running.parcels import Desk

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ENGINES = ("local", "dask")


class EngineLost(VeracityError):
    """The engine itself cannot be reached or started."""

    exit_status = 1


class Engine(Protocol):
    """What a run needs of an engine."""

    workers: int

    def share(self, thing: Any) -> Any:
        """Make a thing known to all workers; the handle goes into `submit`."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call in some worker."""

    def renew(self) -> None:
        """Throw away all workers, hung or broken ones too, and start with fresh ones."""

    def close(self) -> None:
        """Let go of everything."""


class Local:
    """Processes of this machine, by loky: a killed one does not take the study with it."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.desk = Desk()
        self._executor: Any = None

    @property
    def executor(self) -> Any:
        if self._executor is None:
            from loky import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                max_workers=self.workers, env=ONE_THREAD, initializer=worker.start, initargs=(os.getpid(),)
            )
        return self._executor

    def share(self, thing: Any) -> Any:
        return self.desk.pack(thing)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self.executor.submit(function, *arguments)
        return future

    def renew(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, kill_workers=True)
            self._executor = None

    def close(self) -> None:
        self.renew()
        self.desk.close()


def engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """The engine that a name stands for."""
    if name not in ENGINES:
        raise BadInput(f"there is no engine called {name!r}: there are {' and '.join(ENGINES)}")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise BadInput(f"workers is a whole number of at least 1, not {workers!r}")
    if name == "local":
        if address is not None:
            raise BadInput("address= is that of a dask cluster: add engine='dask'")
        return Local(workers)
    from veracity.running.cluster import Dask

    return Dask(workers, address)
