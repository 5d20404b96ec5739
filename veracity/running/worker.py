"""What a worker process does: batches of fits, one after the other, and nothing that disturbs its parent."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from veracity.records.fit import Fit, Outcome
from veracity.running import shared_files
from veracity.running.fit_learner import failed_outcomes, fit_one

WATCH = 1.0  # seconds between two looks at the parent
MARK = "own-modules"  # the file that says that some worker has imported modules of the user's own
_SEEN = {"modules": 0}


def run_batch(data: Any, learners: Any, fits: Sequence[Fit], timeout: float | None = None) -> list[list[Outcome]]:
    """The outcomes of each fit, one for every answer; a fit that fails is an outcome like any other."""
    with redirect_stdout(sys.stderr):  # a learner that talks must not talk into what `--json` prints
        table, makers = shared_files.content_of(data), shared_files.content_of(learners)
        return [_fit(makers[fit.learner], table, fit, timeout) for fit in fits]


def _fit(learner: Any, table: Any, fit: Fit, timeout: float | None) -> list[Outcome]:
    """A worker hears no Ctrl-C, so an interrupt here is the learner's own and must not stop the study."""
    try:
        return fit_one(learner, table, fit, timeout=timeout)
    except KeyboardInterrupt:
        return failed_outcomes(fit, "fit or predict raised KeyboardInterrupt")


def is_ready() -> bool:
    """Whether a worker is there, with everything imported that a fit needs."""
    return True


def start(parent: int) -> None:
    """The parent alone hears Ctrl-C and decides; a worker whose parent was killed ends by itself.

    Standard output is the parent's: what compiled code of a learner prints goes to standard error.
    """
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def call(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """The work itself; then, for whoever may use this process next, whether code came in that may change."""
    try:
        return function(*arguments)
    finally:
        if len(sys.modules) != _SEEN["modules"]:
            _SEEN["modules"] = len(sys.modules)
            if any(map(shared_files.is_own, list(sys.modules.values()))):
                (folder / MARK).touch()


def _end_with(parent: int) -> None:
    """The parent may be gone before its worker has come this far, so it says itself who it is."""
    while os.getppid() == parent:
        time.sleep(WATCH)
        shared_files.forget()
    os._exit(1)
