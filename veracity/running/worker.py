"""What a worker process does: batches of fits, one after the other, and nothing that disturbs its parent."""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, redirect_stdout
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from veracity.learners.libraries import versions_text
from veracity.learners.preparation import is_prepared
from veracity.learners.seeding import is_plain
from veracity.learners.sklearn_promises import works_alone
from veracity.records.fit import Fit, Outcome
from veracity.running import shared_files
from veracity.running.fit_learner import failed_outcome, fit_and_predict
from veracity.running.isolation import SharedIsolation
from veracity.running.time_limit import GRACE, TimeLimit
from veracity.running.whereabouts import Diary

WATCH = 1.0  # seconds between two looks at the parent, or at a fit in another thread
MARK = "own-modules"  # the file that says that some worker has imported modules of the user's own
_SEEN = {"modules": 0}
_DIARIES: dict[Path, Diary] = {}  # that of the run at hand


class BatchResult(NamedTuple):
    """The outcome of each fit; after one that got stuck, or in time, others were not tried."""

    outcomes: list[Outcome]
    libraries: str = ""  # versions of those that made the outcomes, as JSON
    stuck: str = ""  # the address of the dask worker that a hung fit still occupies, and that must be ended


def run_batch(
    data: Any,
    learner: Any,
    fits: Sequence[Fit],
    timeout: float | None = None,
    folder: Path | None = None,
    enough: float = math.inf,
) -> BatchResult:
    """A fit that fails is an outcome like any other; `folder` is where to write down which one is begun.

    After `enough` seconds no other fit is begun: what is left goes to whoever is free.
    """
    with redirect_stdout(sys.stderr):  # a learner that talks must not talk into what `--json` prints
        table, maker = shared_files.content_of(data), shared_files.content_of(learner)
        plain = _changes_nothing(maker, table)
        with SharedIsolation(plain, plain and table.is_ordinary) as isolation:
            diary = None if folder is None else _diary(folder)
            result = _run_all(maker, table, fits, timeout, diary, time.monotonic() + enough, isolation)
        return result._replace(libraries=versions_text(maker))


def _run_all(
    learner: Any,
    table: Any,
    fits: Sequence[Fit],
    timeout: float | None,
    diary: Diary | None,
    end: float,
    isolation: SharedIsolation,
) -> BatchResult:
    outcomes: list[Outcome] = []
    carry_out, patience = (_fit, GRACE) if _is_main() else (_fit_beside, 2 * GRACE)
    for fit in fits:
        if outcomes and time.monotonic() > end:
            break
        if diary is not None:
            diary.begin(fit.key)
        limit = TimeLimit(timeout, None if diary is None else diary.hung, patience)
        try:
            outcomes.append(carry_out(learner, table, fit, limit, isolation.each))
        except _StuckError:
            return BatchResult([*outcomes, failed_outcome(fit, hung_reason(timeout))], stuck=_address())
        finally:
            limit.disarm()
        isolation.follow(outcomes[-1].status == "done")
    return BatchResult(outcomes)


def _changes_nothing(learner: Any, table: Any) -> bool:
    """Whether fits leave their process as it was; several threads may leave filters of warnings of each other."""
    return is_plain(learner) and works_alone(learner) and not is_prepared(table)


def hung_reason(timeout: float | None) -> str:
    """What to say of a fit that could not be interrupted."""
    return f"the fit hung past its timeout of {timeout:g} s"


def never_begun_reason(seconds: float, learners: Iterable[str]) -> str:
    """What to say when workers hang before any fit: of a fit itself nothing is known, and nothing is stored."""
    names = ", ".join(sorted(learners))
    where = "workers cannot start, or hang where they import or unpack what they were sent"
    return f"no worker has begun a fit for {seconds:g} s ({names}): {where}; what is finished is kept"


def _fit(learner: Any, table: Any, fit: Fit, limit: TimeLimit, isolation: AbstractContextManager[None]) -> Outcome:
    """A worker hears no Ctrl-C, so an interrupt here is the learner's own and must not stop the study."""
    try:
        return fit_and_predict(learner, table, fit, limit, isolation)
    except KeyboardInterrupt:
        return failed_outcome(fit, "fit or predict raised KeyboardInterrupt")


class _StuckError(Exception):
    """A fit neither ends nor lets itself be interrupted."""


def _fit_beside(
    learner: Any, table: Any, fit: Fit, limit: TimeLimit, isolation: AbstractContextManager[None]
) -> Outcome:
    """In a thread of its own, where there is a limit: outside the main thread a fit that sleeps hears no alarm."""
    if limit.seconds is None:
        return _fit(learner, table, fit, limit, isolation)
    outcomes: list[Outcome] = []
    job = partial(_fit, learner, table, fit, limit, isolation)
    thread = threading.Thread(target=lambda: outcomes.append(job()), daemon=True)
    thread.start()
    while thread.is_alive() and not limit.is_past():
        thread.join(WATCH)
    if not outcomes:
        raise _StuckError
    return outcomes[0]


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _address() -> str:
    from distributed import get_worker

    address: str = get_worker().address
    return address


def _diary(folder: Path) -> Diary:
    if folder not in _DIARIES:
        for old in list(_DIARIES):
            _DIARIES.pop(old).close()
        _DIARIES[folder] = Diary(folder)
    return _DIARIES[folder]


def is_ready() -> bool:
    """Whether a worker is there, with everything imported that a fit needs."""
    return True


def start(parent: int) -> None:
    """The parent alone hears Ctrl-C and decides; a worker whose parent was killed ends by itself.

    Standard output is the parent's: what compiled code of a learner prints goes to standard error. Every fit reads the
    settings of scikit-learn, which is imported before one is there.
    """
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    import_module("sklearn")


def call(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """The work itself; then, for whoever may use this process next, whether code came in that may change.

    The pool collects garbage every second: what was imported stays, and to look through it takes longer than some fits.
    """
    try:
        return function(*arguments)
    finally:
        if len(sys.modules) != _SEEN["modules"]:
            _SEEN["modules"] = len(sys.modules)
            gc.collect()
            gc.freeze()
            if any(map(shared_files.is_own, list(sys.modules.values()))):
                (folder / MARK).touch()


def _end_with(parent: int) -> None:
    """The parent may be gone before its worker has come this far, so it says itself who it is."""
    while os.getppid() == parent:
        time.sleep(WATCH)
        shared_files.forget()
    os._exit(1)
