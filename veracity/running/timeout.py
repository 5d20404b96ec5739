"""A limit on the time that a fit may take."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class OutOfTimeError(BaseException):
    """Raised inside a fit that takes too long; no `except Exception` of a learner swallows it."""


class Timeout:
    """Raise OutOfTimeError after some seconds, by a timer signal.

    Signals reach only the main thread of a process, which is where workers fit; in another thread there is no limit,
    and code that never returns to Python is not stopped: for both, the process that waits must end the worker.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.active = seconds is not None and threading.current_thread() is threading.main_thread()
        self.before: Any = None

    def __enter__(self) -> None:
        if self.active and self.seconds is not None:
            self.before = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, max(self.seconds, 1e-6))

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.active:
            self.active = False  # first, so that a late ring does nothing
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self.active:
            raise OutOfTimeError
