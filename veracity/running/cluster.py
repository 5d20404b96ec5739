"""The engine on a running dask cluster, by its address. Workers that die are started again by their nannies."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from veracity.core.errors import BadInput, EngineLost
from veracity.running.shared_files import Parcel, pickle_bytes

WORKERS_TIMEOUT_S = 60  # to come or to come back
LOGS = ("distributed.client", "distributed.core", "distributed.batched", "distributed.utils_comm")


class Handle(NamedTuple):
    """What stands for a parcel that all workers of the cluster have."""

    number: int


class Dask:
    """Futures of `Client.get_executor()`. Parcels are sent to all workers, and again when they are lost."""

    folder: Path | None = None

    def __init__(self, address: str) -> None:
        try:
            from dask import distributed
        except ImportError:
            raise BadInput("engine 'dask' needs the extra: pip install 'veracity[dask]'") from None
        self.address = address
        self.client: Any = None
        client: Any = distributed.Client  # without types of its own
        try:
            self.client = client(address, timeout="10s", set_as_default=False)
            self.client.wait_for_workers(1, timeout=WORKERS_TIMEOUT_S)
        except (OSError, ValueError, TimeoutError) as why:
            self.close()
            raise EngineLost(f"cannot reach a dask cluster at {address}: {str(why).splitlines()[0]}") from None
        for name in LOGS:  # a scheduler that is gone is told in a sentence, not in tracebacks
            logging.getLogger(name).setLevel(logging.CRITICAL)
        threads = self.client.nthreads().values()
        if max(threads) > 1:  # threads of a process share its seeds and what it prints
            self.close()
            raise BadInput(
                f"workers of the dask cluster at {address} make {max(threads)} fits at once in one process, which would"
                " mix their random numbers and what they print: start each with one thread, `dask worker --nthreads 1`"
            )
        self.workers = len(threads)
        self.parcels: list[Parcel] = []
        self.sent: list[Any] = []
        self._executor: Any = self.client.get_executor(pure=False)
        self._under_way: set[Future[Any]] = set()

    def share(self, thing: Any) -> Any:
        self.parcels.append(Parcel(uuid4().hex, pickle_bytes(thing, everything=True)))
        with self._tell_gone():
            self.sent.append(self.client.scatter(self.parcels[-1], broadcast=True, hash=False))
        return Handle(len(self.sent) - 1)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        sent = (self.sent[one.number] if isinstance(one, Handle) else one for one in arguments)
        with self._tell_gone():
            future: Future[Any] = self._executor.submit(function, *sent)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self.submit(function, *arguments)  # each worker dies for itself

    def is_well(self) -> bool:
        return self.client.status == "running" and all(each.status == "finished" for each in self.sent)

    def mend(self) -> None:
        """Wait for a worker; parcels that went with all their holders are sent again, what needed them is given up."""
        end = time.monotonic() + WORKERS_TIMEOUT_S
        while self.client.status == "connecting" and time.monotonic() < end:
            time.sleep(0.1)
        if self.client.status != "running":
            raise self._gone()
        try:
            self.client.wait_for_workers(1, timeout=WORKERS_TIMEOUT_S)
            if not self.is_well():
                self._executor.shutdown(wait=False)  # what is under way is cancelled
                for future in list(self._under_way):  # dask never answers one whose result went with its worker
                    future.cancel()
                self.sent = [self.client.scatter(parcel, broadcast=True, hash=False) for parcel in self.parcels]
                self._executor = self.client.get_executor(pure=False)
        except TimeoutError:
            says = f"the dask cluster at {self.address} has no workers left; what is finished is kept"
            raise EngineLost(says) from None
        except (OSError, ValueError, RuntimeError):
            raise self._gone() from None

    @contextmanager
    def _tell_gone(self) -> Iterator[None]:
        """Whatever dask says when its scheduler is gone, one sentence says so."""
        try:
            yield
        except Exception as why:
            if isinstance(why, OSError) or self.client.status != "running":
                raise self._gone() from None
            raise

    def _gone(self) -> EngineLost:
        return EngineLost(f"the scheduler of the dask cluster at {self.address} is gone; what is finished is kept")

    def end_worker(self, name: str) -> None:
        """Let the nanny of a worker that hangs kill it, and start another one: asked to end, it would not."""
        self.client.run(_kill_worker, workers=[name], nanny=True, on_error="ignore")
        end = time.monotonic() + WORKERS_TIMEOUT_S
        while name in self.client.scheduler_info(n_workers=-1)["workers"] and time.monotonic() < end:
            time.sleep(0.1)

    def close(self) -> None:
        if self.client is not None:
            with suppress(OSError, TimeoutError):
                self.client.close()


def _kill_worker(dask_worker: Any) -> None:
    """Kill the worker of a nanny, in whose process this runs."""
    os.kill(dask_worker.pid, signal.SIGKILL)
