"""Where fits run: worker processes of this machine, or a running dask cluster. One contract: submit, and wait."""

from __future__ import annotations

import os
import platform
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Protocol

from veracity.core.environment import PrivateFolder, tell_no_room
from veracity.core.errors import BadInput
from veracity.running import worker
from veracity.running.shared_files import Parcel, own_modules, pickle_bytes

ENGINES = ("local", "dask")
IDLE_WORKERS_END_AFTER_S = 60.0
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SET_BY_SCIKIT_LEARN = {"KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"}  # environment variables that its import sets


class Engine(Protocol):
    """What a run needs of an engine."""

    workers: int
    folder: Path | None  # where workers of this machine write down which fits they begin

    def share(self, thing: Any) -> Any:
        """Make an object known to all workers; the handle goes into `submit`."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call in some worker."""

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call, while no other is under way, so that it is lost only if its own worker dies."""

    def is_well(self) -> bool:
        """Return whether calls can still come back."""

    def mend(self) -> None:
        """See to it that there are workers after some died; calls under way may be lost, and their futures say so."""

    def end_worker(self, name: str) -> None:
        """End a worker that does not answer: by its number on this machine, by its address on dask."""

    def close(self) -> None:
        """Let go of everything."""


class Local:
    """Processes of this machine, by loky: a killed one does not take the study with it.

    Those that are idle wait a while for the next study, because a new one imports scikit-learn for two seconds.
    """

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.private = PrivateFolder()  # of what is shared, and of the marks of workers
        self.folder: Path | None = self.private.path
        self._shared = 0
        self._pool: Pool | None = None  # of all workers, or of one while a call must be alone
        self._under_way: set[Future[Any]] = set()

    def share(self, thing: Any) -> Any:
        """Write an object into a file of its own and return what workers open it by."""
        self._shared += 1
        path = self.private.path / f"{self._shared}.pickle"
        content = pickle_bytes(thing)
        with tell_no_room():
            path.write_bytes(content)
        return Parcel(str(path))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._submit(self.workers, function, *arguments)

    def submit_alone(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._submit(1, function, *arguments)

    def _submit(self, workers: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if self._pool is not None and self._pool.workers != workers:
            self.mend()
        try:
            future = self._start(workers, function, *arguments)
        except (BrokenExecutor, RuntimeError):  # a worker was killed while it waited
            self.mend()
            future = self._start(workers, function, *arguments)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def _start(self, workers: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if self._pool is None:
            self._pool = warm_workers(workers)
        # new processes do not hear Ctrl-C: one that is importing would show where it was (see `worker.start`)
        resource_tracker.ensure_running()  # which, where it starts, lets all signals through again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            call = (worker.call, self.private.path, function)
            future: Future[Any] = self._pool.executor.submit(*call, *arguments)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return future

    def is_well(self) -> bool:
        return True  # a pool that breaks says so in every future

    def mend(self) -> None:
        if self._pool is not None:
            self._pool.end()
            self._pool = None

    def end_worker(self, name: str) -> None:
        if self._pool is not None and int(name) in self._pool.executor._processes:
            with suppress(ProcessLookupError):
                os.kill(int(name), signal.SIGKILL)

    def close(self) -> None:
        """Let idle workers wait for the next study; end those that are at work, or hold user code that may change."""
        idle = all(future.done() for future in list(self._under_way))
        if self._pool is not None and idle and not (self.private.path / worker.MARK).exists():
            _keep(self._pool)
            self._pool = None
        self.mend()
        self.private.close()


@dataclass(frozen=True)
class Pool:
    """Worker processes, and the circumstances that they were started in."""

    executor: Any
    workers: int
    parent: int
    circumstances: tuple[Any, ...]

    def end(self) -> None:
        """End the workers at once; those of the parent of a fork are left alone."""
        if self.parent == os.getpid():
            self.executor.shutdown(wait=True, kill_workers=True)


_WAITING: list[Pool] = []  # the pool that waits for the next study, if any


def warm_workers(workers: int) -> Pool:
    """Return a pool of workers: those that wait, where new ones would be no different, else new ones.

    They would be where the process, the number of workers, the folder, the search path, the environment or modules of
    the user that this process has imported are others. Workers that imported other modules of the user do not wait
    (`worker.call` leaves a mark), as nobody sees whether these change. The pool is not the one that loky shares among
    all users in a process, whose calls must not be ended here.
    """
    from loky import ProcessPoolExecutor

    variables = frozenset(item for item in os.environ.items() if item[0] not in SET_BY_SCIKIT_LEARN)
    versions = frozenset(map(_version, own_modules()))
    now = (os.getpid(), workers, str(Path.cwd()), tuple(sys.path), variables, versions)
    pool = _take()
    if pool is not None:
        if pool.circumstances == now and not pool.executor._flags.broken:
            return pool
        pool.end()
    known = frozenset(file for file, _ in versions)
    how = {"initializer": worker.start, "initargs": (os.getpid(), known), "env": ONE_THREAD}
    executor = ProcessPoolExecutor(workers, timeout=IDLE_WORKERS_END_AFTER_S, **how)
    return Pool(executor, workers, os.getpid(), now)


def _take() -> Pool | None:
    """Return the pool that waits, which nobody else gets then: studies may run in several threads."""
    try:
        return _WAITING.pop()
    except IndexError:
        return None


def _keep(pool: Pool) -> None:
    """Let a pool wait for the next study, in place of the one that waited until now."""
    before = _take()
    _WAITING.append(pool)
    if before is not None:
        before.end()


def _version(module: Any) -> tuple[str, int]:
    """Return the file of a module and when it was changed last: workers may have imported what it was before."""
    try:
        return module.__file__, Path(module.__file__).stat().st_mtime_ns
    except OSError:
        return module.__file__, 0


def make_engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """Return the engine that a name stands for; raise BadInput on Windows, which has no signals that end a fit."""
    if platform.system() == "Windows":
        raise BadInput("learners are fitted on Linux and macOS only: on Windows run veracity inside WSL")
    if name not in ENGINES:
        raise BadInput(f"there is no engine called {name!r}: there are {' and '.join(ENGINES)}")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise BadInput(f"workers is a whole number of at least 1, not {workers!r}")
    if name == "local":
        if address is not None:
            raise BadInput("`address=` is that of a dask cluster: add `engine='dask'`")
        return Local(workers)
    if address is None:
        says = "`engine='dask'` needs the address of a running cluster, such as `address='tcp://10.0.0.5:8786'`"
        raise BadInput(f"{says}; on this machine `workers=` starts processes without it")
    from veracity.running.cluster import Dask

    return Dask(address)
