"""What a worker process does besides fitting."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from veracity.running import shared_files

WATCH = 1.0  # seconds between two looks at the parent
MARK = "own-modules"  # the file that says that some worker has imported modules of the user's own
_SEEN = {"modules": 0}


def start(parent: int) -> None:
    """The parent alone hears Ctrl-C and decides; a worker whose parent was killed ends by itself.

    Standard output is the parent's: what compiled code of a learner prints goes to standard error.
    """
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def call(desk: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """The work itself; then, for whoever may use this process next, whether code came in that may change."""
    try:
        return function(*arguments)
    finally:
        if len(sys.modules) != _SEEN["modules"]:
            _SEEN["modules"] = len(sys.modules)
            if any(map(shared_files.is_own, list(sys.modules.values()))):
                (desk / MARK).touch()


def _end_with(parent: int) -> None:
    """The parent may be gone before its worker has come this far, so it says itself who it is."""
    while os.getppid() == parent:
        time.sleep(WATCH)
        shared_files.forget()
    os._exit(1)
