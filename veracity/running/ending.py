"""Ending in order when the system asks for it: what is finished is stored, workers end, temporary folders go."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from veracity.core.errors import AskedToEnd, VeracityError

ASKING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
CALLBACK = 0.01  # seconds in which one of Python's has ended
_ASKED: list[int] = []  # signals that were heard


@contextmanager
def ends_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP end what is inside as Ctrl-C does, with the status of the signal; a second one at once.

    Only where they would end the process anyway: who handles or ignores them (nohup) goes on doing so. Whatever a
    library makes of it, as duckdb makes an error of its own, it ends; unless something went wrong that must be told.
    """
    ours = [number for number in ASKING if signal.getsignal(number) is signal.SIG_DFL]
    if not ours or threading.current_thread() is not threading.main_thread():
        end_if_asked()  # by whoever said before what they do
        yield  # only the main thread may say it
        end_if_asked()
        return
    try:
        for number in ours:
            signal.signal(number, _end)
        with _asked_again():
            yield
        end_if_asked()
    except VeracityError:
        raise
    except Exception:
        end_if_asked()
        raise
    finally:
        _let_end(ours)
        _ASKED.clear()


def end_if_asked() -> None:
    """Raise once more what somebody may have caught; long work calls this now and then."""
    if _ASKED and threading.current_thread() is threading.main_thread():
        raise AskedToEnd(128 + _ASKED[0]) from None


def _end(number: int, frame: FrameType | None) -> None:
    _let_end([number])
    _ASKED.append(number)
    raise AskedToEnd(128 + number)


@contextmanager
def _asked_again() -> Iterator[None]:
    """What is raised in a callback of Python's own, such as one of its many while it imports, is reported and ignored:
    then the signal is sent once more.
    """
    report = sys.unraisablehook

    def hear(ignored: sys.UnraisableHookArgs) -> None:
        if not _ASKED or not isinstance(ignored.exc_value, AskedToEnd):
            report(ignored)
            return
        signal.signal(_ASKED[-1], _end)
        # one of threading would wait for locks that may be held here
        _thread.start_new_thread(_send_later, (_ASKED[-1],))

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
    if threading.current_thread() is not threading.main_thread():
        yield  # nothing is raised here
        return
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *ASKING)}
    before = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in before:
            signal.signal(number, lambda number, frame: heard.append(number))
        yield
    finally:
        _put_back(before)
        for number in dict.fromkeys(heard):
            signal.raise_signal(number)


def _put_back(handlers: dict[signal.Signals, Any]) -> None:
    """All of them, though one that is back may raise at once."""
    if handlers:
        number, handler = handlers.popitem()
        try:
            signal.signal(number, handler)
        finally:
            _put_back(handlers)


def _let_end(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)
