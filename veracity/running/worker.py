"""Do the work of a worker process: batches of fits, one after the other, without disturbing the parent."""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from veracity.core.environment import tell_no_room
from veracity.learners.inspection import versions_text
from veracity.records.fit import Fit, Outcome
from veracity.running import shared_files
from veracity.running.fit_learner import failed_outcome, fit_one
from veracity.running.time_limit import KILL_AFTER_S, TimeLimit

WATCH_INTERVAL_S = 1.0  # between two looks at the parent, or at a fit in another thread
MARK = "own-modules"  # the file that says that a worker has imported user code that its parent has not
_LOGS: dict[Path, int] = {}  # the log of the run at hand, by its folder
_KNOWN_FILES: set[str] = set()  # of the user's own modules that the parent had imported when this worker was started


class BatchResult(NamedTuple):
    """The outcomes of the first fits of a batch; the others were not begun."""

    outcomes: list[Outcome]
    libraries: str = ""  # versions of those that made the outcomes, as JSON
    stuck: str = ""  # the address of the dask worker that a hung fit still occupies, and that must be ended


class StartedFit(NamedTuple):
    """The fit that a worker of this machine began last, as it wrote it down."""

    process: int
    key: str
    since: float  # by the clock that all processes of a machine share
    traceback: str  # where it hung, if the worker ended itself for that


def run_batch(
    data: Any,
    learner: Any,
    fits: Sequence[Fit],
    timeout: float | None = None,
    folder: Path | None = None,
    max_seconds: float = math.inf,
) -> BatchResult:
    """Make the fits of a batch; one that fails is an outcome like any other. After `max_seconds` no other is begun.

    Where there is a timeout, or one fit alone, the worker writes into a file of `folder` which fit it begins and where
    it hangs.
    """
    with redirect_stdout(sys.stderr):  # a learner that prints must not print into what `--json` prints
        table, maker = shared_files.content_of(data), shared_files.content_of(learner)
        outcomes: list[Outcome] = []
        stuck, end = "", time.monotonic() + max_seconds
        log_folder = folder if timeout is not None or len(fits) == 1 else None
        for fit in fits:
            if outcomes and time.monotonic() > end:
                break
            log = None if log_folder is None else _log_start(log_folder, fit.key)
            limit = TimeLimit(timeout, log, KILL_AFTER_S)
            try:
                outcome = _make_fit(maker, table, fit, limit)
            finally:
                limit.disarm()
            outcomes.append(outcome or failed_outcome(fit, hung_reason(timeout)))
            if outcome is None:
                from distributed import get_worker

                stuck = get_worker().address
                break
        return BatchResult(outcomes, versions_text(maker), stuck)


def hung_reason(timeout: float | None) -> str:
    """Return what to say of a fit that could not be interrupted."""
    return f"the fit hung past its timeout of {timeout:g} s"


def _make_fit(learner: Any, table: Any, fit: Fit, limit: TimeLimit) -> Outcome | None:
    """Make a fit; return None where it neither ends nor lets itself be interrupted.

    Dask works outside the main thread, where a fit that sleeps hears no alarm: there it gets a thread of its own.
    """
    if limit.seconds is None or threading.current_thread() is threading.main_thread():
        return _fit(learner, table, fit, limit)
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(_fit(learner, table, fit, limit)), daemon=True)
    thread.start()
    while thread.is_alive() and not limit.is_past():
        thread.join(WATCH_INTERVAL_S)
    return outcomes[0] if outcomes else None


def _fit(learner: Any, table: Any, fit: Fit, limit: TimeLimit) -> Outcome:
    """A worker ignores Ctrl-C, so an interrupt here is the learner's own and must not stop the study."""
    try:
        return fit_one(learner, table, fit, limit=limit)
    except KeyboardInterrupt:
        return failed_outcome(fit, "fit or predict raised KeyboardInterrupt")


def _log_start(folder: Path, key: str) -> int:
    """Write down which fit this process begins; return the file, to which the traceback of a hang is appended."""
    with tell_no_room():
        if folder not in _LOGS:
            while _LOGS:
                os.close(_LOGS.popitem()[1])
            how = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
            _LOGS[folder] = os.open(folder / f"{os.getpid()}.fit", how, 0o600)
        os.ftruncate(_LOGS[folder], 0)
        os.write(_LOGS[folder], f"{time.monotonic()!r} {key}\n".encode())
    return _LOGS[folder]


def started_fits(folder: Path | None) -> list[StartedFit]:
    """Return the last fit that each worker began."""
    found = []
    for path in sorted(folder.glob("*.fit")) if folder is not None else ():
        head, _, trace = path.read_text("utf-8", errors="replace").partition("\n")
        since, _, key = head.partition(" ")
        if key:  # else it is just being written
            found.append(StartedFit(int(path.stem), key, float(since), trace))
    return found


def call(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function; where the process has imported user code that its parent does not watch, leave a mark."""
    try:
        return function(*arguments)
    finally:
        if any(module.__file__ not in _KNOWN_FILES for module in shared_files.own_modules()):
            with suppress(OSError):  # the run has ended
                (folder / MARK).touch()


def start(parent: int, known_files: frozenset[str] = frozenset()) -> None:
    """Prepare a new worker: it ignores Ctrl-C, which its parent hears, and ends when its parent is gone.

    Standard output is the parent's: what compiled code of a learner prints goes to standard error. Code that every fit
    needs is imported, and kept out of the garbage collections that loky makes every second. `known_files` are those of
    the user's own modules that the parent has imported.
    """
    _KNOWN_FILES.update(known_files)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def end_with_parent() -> None:  # which may be gone before its worker has come this far, so it says itself who it is
        while os.getppid() == parent:
            time.sleep(WATCH_INTERVAL_S)
            shared_files.forget()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    import_module("sklearn")
    gc.freeze()
