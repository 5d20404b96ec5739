"""The end of the process of a command: what must be done is done, and nothing is taken apart that ends anyway."""

from __future__ import annotations

import atexit
import os
import sys
import threading


def leave(end: SystemExit) -> None:
    """End the process as `end` would, without the sixth of a second in which Python frees object by object.

    Where another thread still runs, or what was printed cannot be written, Python ends as it always does.
    """
    if threading.active_count() > 1 or not isinstance(end.code, int):
        raise end
    atexit._run_exitfuncs()  # scratch folders, workers, logs
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        raise end from None
    os._exit(end.code)
