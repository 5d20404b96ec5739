"""The end of the process of a command: what must be done is done, and nothing is taken apart that ends anyway."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress

TOOLS = 6  # places for those who watch a program, from Python 3.12 on


def leave(end: SystemExit) -> None:
    """End the process as `end` would, without the sixth of a second in which Python frees object by object.

    Where another thread still runs, somebody watches (a profiler, a debugger, a measure of coverage, which write what
    they saw after the command), or what was printed cannot be written, Python ends as it always does.
    """
    _dismiss_workers()
    if _others_work() or _is_watched() or not isinstance(end.code, int):
        raise end
    atexit._run_exitfuncs()  # scratch folders, workers, logs
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # None where it was closed before
            stream.flush()
    except (OSError, ValueError):
        raise end from None
    os._exit(end.code)


def _others_work() -> bool:
    """Whether there are threads that Python waits for."""
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


def _dismiss_workers() -> None:
    """Worker processes that wait for the next study; a command that fits nothing has not imported what starts them."""
    engines = sys.modules.get("veracity.running.engines")
    if engines is not None:
        with suppress(KeyboardInterrupt):  # the command is over anyway
            engines.dismiss()


def _is_watched() -> bool:
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(place) is not None for place in range(TOOLS))
