"""Ending in order when the system asks for it: what is finished is stored, workers end, temporary folders go."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from veracity.core.errors import AskedToEnd

ASKING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def ends_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP end what is inside as Ctrl-C does, with the status of the signal; a second one at once.

    Only where they would end the process anyway: who handles or ignores them (nohup) goes on doing so.
    """
    ours = [number for number in ASKING if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []  # only the main thread may say what signals do
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        _let_end(ours)


def _end(number: int, frame: FrameType | None) -> None:
    _let_end([number])
    raise AskedToEnd(128 + number)


def _let_end(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)
