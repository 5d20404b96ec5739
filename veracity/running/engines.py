"""Where fits run: worker processes of this machine, or a dask cluster. One contract: submit, and wait for futures."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.running import idle_workers, worker
from veracity.running.shared_files import SharedFiles

ENGINES = ("local", "dask")


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
        self.files = SharedFiles()
        self._pool: idle_workers.Pool | None = None
        self._flying: set[Future[Any]] = set()

    @property
    def executor(self) -> Any:
        if self._pool is None:
            self._pool = idle_workers.take(self.workers)
        return self._pool.executor

    def share(self, thing: Any) -> Any:
        return self.files.pack(thing)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self.executor.submit(worker.call, self.files.path, function, *arguments)
        self._flying.add(future)
        future.add_done_callback(self._flying.discard)
        return future

    def renew(self) -> None:
        if self._pool is not None:
            self._pool.end()
            self._pool = None

    def close(self) -> None:
        """Idle workers wait for the next study; those that are at work, or hold code that may change, are ended."""
        idle = all(future.done() for future in list(self._flying))
        if self._pool is not None and idle and not (self.files.path / worker.MARK).exists():
            idle_workers.keep(self._pool)
            self._pool = None
        self.renew()
        self.files.close()


def make_engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """The engine that a name stands for."""
    if name not in ENGINES:
        raise BadInput(f"there is no engine called {name!r}: there are {' and '.join(ENGINES)}")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise BadInput(f"workers is a whole number of at least 1, not {workers!r}")
    if name == "local":
        if address is not None:
            raise BadInput(f"{option('address')} is that of a dask cluster: add {option('engine', 'dask')}")
        return Local(workers)
    from veracity.running.cluster import Dask

    return Dask(workers, address)
