"""The engine on a dask cluster: a new one on this machine, or a running one by its address."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from veracity.core.errors import BadInput, EngineLost
from veracity.running.shared_files import Parcel, SharedFiles, pickle_bytes

GUARD = 'a script is a file, and whatever starts a study in it stands below if __name__ == "__main__":'
PATIENCE = 60  # seconds for workers to come or to come back
LOGS = ("distributed.client", "distributed.core", "distributed.batched", "distributed.utils_comm")
OWN_CLUSTER = {"distributed.scheduler.allowed-failures": 0}  # whoever kills a worker is found out by running alone
ANY_PORT = {"dashboard_address": "127.0.0.1:0"}  # of its server of pages; two clusters at once want no warning


@dataclass(frozen=True)
class Handle:
    """What stands for a parcel that all workers of a running cluster have."""

    number: int


class Dask:
    """Futures of `Client.get_executor()`. Workers that die are started again by their nannies.

    On an own cluster parcels are files, which no worker takes with it; on a running one they are sent again when lost.
    """

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        try:
            from dask import distributed
        except ImportError:
            raise BadInput("engine 'dask' needs the extra: pip install 'veracity[dask]'") from None
        self.cluster: Any = None
        self.client: Any = None
        self.files = SharedFiles() if address is None else None
        self.folder: Path | None = None if self.files is None else self.files.path
        self.where = f"at {address}" if address else "on this machine"
        client: Any = distributed.Client  # without types of its own
        try:
            if self.folder is not None:
                self.cluster = _own_cluster(workers, self.folder)
            self.client = client(self.cluster or address, timeout="10s", set_as_default=False)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as why:
            self.close()
            raise EngineLost(f"cannot reach a dask cluster {self.where}: {str(why).splitlines()[0]}") from None
        except RuntimeError as why:  # its processes run the script from its beginning
            self.close()
            raise EngineLost(f"cannot start a dask cluster {self.where} ({why}): {GUARD}") from None
        for name in LOGS:  # a scheduler that is gone is told in a sentence, not in tracebacks
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._refuse_threads()
        self.parcels: list[Parcel] = []
        self.sent: list[Any] = []
        self._executor: Any = self.client.get_executor(pure=False)
        self.workers = self._count()

    def _count(self) -> int:
        return max(1, sum(self.client.nthreads().values()))

    def _refuse_threads(self) -> None:
        """Refuse workers that make several fits at once: threads of a process share its seeds and what it prints."""
        threads = max(self.client.nthreads().values())
        if threads > 1:
            self.close()
            raise BadInput(
                f"workers of the dask cluster {self.where} make {threads} fits at once in one process, which would mix"
                " their random numbers and what they print: start each with one thread, `dask worker --nthreads 1`"
            )

    def share(self, thing: Any) -> Any:
        if self.files is not None:
            return self.files.pack(thing, everything=True)
        self.parcels.append(Parcel(uuid4().hex, pickle_bytes(thing, everything=True)))
        with self._tell_gone():
            self.sent.append(self._send(self.parcels[-1]))
        return Handle(len(self.sent) - 1)

    def _send(self, parcel: Parcel) -> Any:
        return self.client.scatter(parcel, broadcast=True, hash=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        with self._tell_gone():
            future: Future[Any] = self._executor.submit(function, *map(self._current, arguments))
        return future

    submit_alone = submit  # a worker that dies takes no other with it

    def _current(self, argument: Any) -> Any:
        return self.sent[argument.number] if isinstance(argument, Handle) else argument

    def is_well(self) -> bool:
        return self.client.status == "running" and all(each.status == "finished" for each in self.sent)

    def mend(self) -> None:
        """Wait for a worker; parcels that went with all their holders are sent again, what needed them is given up."""
        try:
            self._await_scheduler()
            self.client.wait_for_workers(1, timeout=PATIENCE)
            if not self.is_well():
                self._executor.shutdown(wait=False)  # what flies is cancelled
                self.sent = [self._send(parcel) for parcel in self.parcels]
                self._executor = self.client.get_executor(pure=False)
        except TimeoutError:
            raise EngineLost(f"the dask cluster {self.where} has no workers left; what is finished is kept") from None
        except (OSError, ValueError, RuntimeError):
            raise self._gone() from None

    def _await_scheduler(self) -> None:
        end = time.monotonic() + PATIENCE
        while self.client.status == "connecting" and time.monotonic() < end:
            time.sleep(0.1)
        if self.client.status != "running":
            raise self._gone()

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
        return EngineLost(f"the scheduler of the dask cluster {self.where} is gone; what is finished is kept")

    def end_worker(self, name: str) -> None:
        """A worker that hangs does not end when it is asked to: its nanny kills it, and starts another one."""
        if name.isdigit():
            own = {nanny.pid for nanny in self.cluster.workers.values()}
            with suppress(ProcessLookupError):
                os.kill(int(name), signal.SIGKILL) if int(name) in own else None
            return
        self.client.run(_kill_worker, workers=[name], nanny=True, on_error="ignore")
        end = time.monotonic() + PATIENCE
        while name in self.client.scheduler_info(n_workers=-1)["workers"] and time.monotonic() < end:
            time.sleep(0.1)

    def close(self) -> None:
        for each in (self.client, self.cluster):
            if each is not None:
                with suppress(OSError, TimeoutError):
                    each.close()
        if self.files is not None:
            self.files.close()


def _kill_worker(dask_worker: Any) -> None:
    """What a nanny does to its worker."""
    os.kill(dask_worker.pid, signal.SIGKILL)


def _own_cluster(workers: int, folder: Path) -> Any:
    import dask
    from dask.distributed import LocalCluster

    local: Any = LocalCluster
    how = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    with dask.config.set(OWN_CLUSTER):
        return local(n_workers=workers, local_directory=str(folder), scheduler_kwargs=ANY_PORT, **how)
