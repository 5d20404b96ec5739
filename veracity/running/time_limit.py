"""The timeout of a fit, which runs in the process that fits: it starts when the fit begins.

First the fit is interrupted, by an exception that no `except Exception` swallows: a timer signal raises it in the main
thread, where workers of this machine fit, and another thread raises it elsewhere, as on dask. A fit that goes on all
the same, in compiled code that never comes back to Python, is ended with its process by faulthandler, whose thread
needs no lock of Python; it writes down where the fit hung.
"""

from __future__ import annotations

import ctypes
import faulthandler
import signal
import threading
import time
from types import FrameType
from typing import Any

KILL_AFTER_S = 5.0  # beyond its timeout, in which a fit that was interrupted must end


class OutOfTimeError(BaseException):
    """Raised inside a fit that takes too long; no `except Exception` of a learner swallows it."""


class TimeLimit:
    """Raise OutOfTimeError after some seconds; where `hung` is a file, write there and end the process some time on."""

    def __init__(self, seconds: float | None, hung: int | None = None, kill_after: float = KILL_AFTER_S) -> None:
        self.seconds, self.hung, self.kill_after = seconds, hung, kill_after
        self.began = float("inf")
        self.alarm: _Signal | _Timer | None = None

    def is_past(self, grace: float = KILL_AFTER_S) -> bool:
        """Return whether the fit should have ended so long ago."""
        return self.seconds is not None and time.monotonic() - self.began > self.seconds + grace

    def __enter__(self) -> None:
        self.began = time.monotonic()
        if self.seconds is None:
            return
        if self.hung is not None:
            faulthandler.dump_traceback_later(self.seconds + self.kill_after, file=self.hung, exit=True)
        main = threading.current_thread() is threading.main_thread()
        self.alarm = _Signal(self.seconds) if main else _Timer(self.seconds)

    def __exit__(self, *_: object) -> None:
        if self.alarm is not None:
            self.alarm.stop()
        self.disarm()

    def disarm(self) -> None:
        """Let the process live on; to be called again afterwards, as the alarm may be raised on the way out."""
        self.began = float("inf")
        if self.seconds is not None and self.hung is not None:
            faulthandler.cancel_dump_traceback_later()


class _Signal:
    """A timer of the process, whose signal the main thread hears."""

    def __init__(self, seconds: float) -> None:
        self.active = True
        self.before: Any = signal.signal(signal.SIGALRM, self._raise)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))

    def stop(self) -> None:
        self.active = False  # first, so that a late signal does nothing
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if self.active:
            raise OutOfTimeError


class _Timer:
    """A thread that waits, and then raises in the one that made it."""

    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.active = True
        self.timer = threading.Timer(seconds, self._raise)
        self.timer.daemon = True
        self.timer.start()

    def stop(self) -> None:
        with self.lock:
            self.active = False
        self.timer.cancel()
        self._set_exception(None)  # one that was raised and not heard yet is taken back

    def _raise(self) -> None:
        with self.lock:
            if self.active:
                self._set_exception(ctypes.py_object(OutOfTimeError))

    def _set_exception(self, kind: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), kind)
