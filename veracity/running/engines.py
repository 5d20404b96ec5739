"""Where fits run: worker processes of this machine, or a dask cluster. One contract: submit, and wait for futures."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from veracity.core.errors import BadInput, VeracityError
from veracity.running.parcels import Desk

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class EngineLost(VeracityError):
    """The engine itself cannot be reached or started."""


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
        if workers < 1:
            raise BadInput(f"workers must be at least 1, not {workers}")
        self.workers = workers
        self.desk = Desk()
        self._executor: Any = None

    @property
    def executor(self) -> Any:
        if self._executor is None:
            from loky import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(max_workers=self.workers, env=ONE_THREAD)
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


class Dask:
    """A dask cluster: a new one on this machine, or a running one by its address."""

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        try:
            from dask.distributed import Client, LocalCluster
        except ImportError:
            raise BadInput("engine 'dask' needs the extra: pip install 'veracity[dask]'") from None
        self.cluster = None
        try:
            if address is None:
                self.cluster = LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
                )
            self.client = Client(self.cluster or address, timeout="10s")
        except (OSError, ValueError, TimeoutError) as why:
            raise EngineLost(f"cannot reach a dask cluster at {address}: {why}") from None
        self.workers = max(1, sum(self.client.nthreads().values()))
        self._executor: Any = self.client.get_executor(pure=False)

    def share(self, thing: Any) -> Any:
        return self.client.scatter(thing, broadcast=True, hash=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def renew(self) -> None:
        """The scheduler replaces lost workers itself; hung ones are restarted."""
        self.client.restart(timeout=30)
        self._executor = self.client.get_executor(pure=False)

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


def engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """The engine that a name stands for."""
    if name == "local":
        if address is not None:
            raise BadInput("address= goes with engine='dask'")
        return Local(workers)
    if name == "dask":
        return Dask(workers, address)
    raise BadInput(f"there is no engine called {name!r}: there are local and dask")
