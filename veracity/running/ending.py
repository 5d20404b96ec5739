"""Ending in order when the system asks for it: what is finished is stored, workers end, temporary folders go."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from veracity.core.errors import AskedToEnd

ASKING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
CALLBACK = 0.01  # seconds in which one of Python's has ended


@contextmanager
def ends_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP end what is inside as Ctrl-C does, with the status of the signal; a second one at once.

    Only where they would end the process anyway: who handles or ignores them (nohup) goes on doing so. Libraries that
    make an error of their own of it, as duckdb does, change nothing, and what Python ignores is asked again.
    """
    ours = [number for number in ASKING if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []  # only the main thread may say what signals do
    asked: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        _let_end([number])
        asked.append(number)
        raise AskedToEnd(128 + number)

    for number in ours:
        signal.signal(number, end)
    try:
        with _asked_again(asked, end):
            yield
    except Exception:
        if asked:
            raise AskedToEnd(128 + asked[0]) from None
        raise
    finally:
        _let_end(ours)


@contextmanager
def _asked_again(asked: list[int], end: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """What is raised in a callback of Python's own, such as one of its many while it imports, is reported and ignored:
    then the signal is sent once more.
    """
    report = sys.unraisablehook

    def hear(ignored: sys.UnraisableHookArgs) -> None:
        if not asked or not isinstance(ignored.exc_value, AskedToEnd):
            report(ignored)
            return
        signal.signal(asked[-1], end)
        # one of threading would wait for locks that may be held here
        _thread.start_new_thread(_send_later, (asked[-1],))

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = report


def _send_later(number: int) -> None:
    time.sleep(CALLBACK)
    os.kill(os.getpid(), number)


@contextmanager
def signals_later() -> Iterator[None]:
    """What Ctrl-C, SIGTERM and SIGHUP raise is raised at the end. To block them would not do: where this process has
    other threads, one of those hears them, and Python raises here all the same.
    """
    heard: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *ASKING) if main}
    handled = {number: handler for number, handler in before.items() if callable(handler)}
    for number in handled:
        signal.signal(number, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in heard[:1]:
            signal.raise_signal(number)


def _let_end(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)
