"""The engine on a dask cluster: a new one on this machine, or a running one by its address."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from veracity.core.errors import BadInput, EngineLost
from veracity.running.shared_files import Parcel, pickle_bytes

PATIENCE = 30  # seconds for workers to come or to come back
OWN_CLUSTER = {"distributed.scheduler.allowed-failures": 0}  # whoever kills a worker is found out by running alone


@dataclass(frozen=True)
class Handle:
    """What stands for a parcel that all workers have."""

    number: int


class Dask:
    """Futures of `Client.get_executor()`; parcels are sent again whenever workers were lost."""

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        try:
            from dask import distributed
        except ImportError:
            raise BadInput("engine 'dask' needs the extra: pip install 'veracity[dask]'") from None
        self.cluster: Any = None
        self.client: Any = None
        client: Any = distributed.Client  # without types of its own
        try:
            if address is None:
                self.cluster = _own_cluster(workers)
            self.client = client(self.cluster or address, timeout="10s", set_as_default=False)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as why:
            self.close()
            where = f"at {address}" if address else "on this machine"
            raise EngineLost(f"cannot reach a dask cluster {where}: {str(why).splitlines()[0]}") from None
        self.workers = max(1, sum(self.client.nthreads().values()))
        self.parcels: list[Parcel] = []
        self.sent: list[Any] = []
        self._executor: Any = self.client.get_executor(pure=False)

    def share(self, thing: Any) -> Any:
        self.parcels.append(Parcel(uuid4().hex, pickle_bytes(thing, everything=True)))
        self.sent.append(self._send(self.parcels[-1]))
        return Handle(len(self.sent) - 1)

    def _send(self, parcel: Parcel) -> Any:
        return self.client.scatter(parcel, broadcast=True, hash=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, *map(self._current, arguments))
        return future

    def _current(self, argument: Any) -> Any:
        if not isinstance(argument, Handle):
            return argument
        if self.sent[argument.number].status != "finished":  # the only worker that had it is gone
            self.sent[argument.number] = self._send(self.parcels[argument.number])
        return self.sent[argument.number]

    def renew(self) -> None:
        """Restart the workers that are at our fits, hung ones too; those of other people's fits stay."""
        busy = [name for name, keys in self.client.processing().items() if keys]
        self._executor.shutdown(wait=False)
        try:
            if self.cluster is not None:
                _kill_workers(self.cluster)
                self.client.restart(timeout=PATIENCE)
            elif busy:
                self._replace(busy)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError) as why:
            raise EngineLost(f"the dask cluster lost its workers: {why}") from None
        self.workers = max(1, sum(self.client.nthreads().values()))
        self.sent = [self._send(parcel) for parcel in self.parcels]
        self._executor = self.client.get_executor(pure=False)

    def _replace(self, busy: list[str]) -> None:
        """Have the nannies of a foreign cluster kill their workers, hung ones too, and start others in their place."""
        self.client.run(_kill_worker, workers=busy, nanny=True, on_error="ignore")
        late = time.monotonic() + PATIENCE
        while set(busy) & set(self.client.scheduler_info(n_workers=-1)["workers"]) and time.monotonic() < late:
            time.sleep(0.1)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()


def _kill_worker(dask_worker: Any) -> None:
    """What a nanny does to its worker."""
    os.kill(dask_worker.pid, signal.SIGKILL)


def _kill_workers(cluster: Any) -> None:
    """A worker that hangs does not end when it is asked to, and a restart would wait for it in vain."""
    for nanny in cluster.workers.values():
        with suppress(ProcessLookupError, TypeError):  # it is gone already
            os.kill(nanny.pid, signal.SIGKILL)


def _own_cluster(workers: int) -> Any:
    import dask
    from dask.distributed import LocalCluster

    local: Any = LocalCluster
    how = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    with dask.config.set(OWN_CLUSTER):
        return local(n_workers=workers, **how)
