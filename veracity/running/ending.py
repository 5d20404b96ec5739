"""End in order when the system asks for it: what is finished is stored, workers end, temporary folders go."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from veracity.core.errors import AskedToEnd, VeracityError

ASKING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_ASKED: list[int] = []  # signals that were heard


@contextmanager
def ends_in_order() -> Iterator[None]:
    """End what is inside on SIGTERM and SIGHUP as on Ctrl-C, with the status of the signal; a second one ends at once.

    A signal that the program handles or ignores already (nohup) is left alone. A library may make another error of the
    signal, as duckdb does, or swallow it: the block ends all the same, unless an error must be told.
    """
    ours = [number for number in ASKING if signal.getsignal(number) is signal.SIG_DFL]
    if not ours or threading.current_thread() is not threading.main_thread():
        end_if_asked()  # an outer block set the handlers
        yield  # only the main thread may set them
        end_if_asked()
        return
    try:
        for number in ours:
            signal.signal(number, _end)
        yield
        end_if_asked()
    except VeracityError:
        raise
    except Exception:
        end_if_asked()
        raise
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
        _ASKED.clear()


def end_if_asked() -> None:
    """Raise AskedToEnd again where somebody caught it; long work calls this now and then."""
    if _ASKED and threading.current_thread() is threading.main_thread():
        raise AskedToEnd(128 + _ASKED[0]) from None


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    _ASKED.append(number)
    raise AskedToEnd(128 + number)
