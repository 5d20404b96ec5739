"""What a worker process does before its first fit."""

from __future__ import annotations

import os
import signal
import threading
import time

WATCH = 1.0  # seconds between two looks at the parent


def start(parent: int) -> None:
    """The parent alone hears Ctrl-C and decides; a worker whose parent was killed ends by itself.

    Standard output is the parent's: what compiled code of a learner prints goes to standard error.
    """
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """The parent may be gone before its worker has come this far, so it says itself who it is."""
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)
