"""While fits run elsewhere, threads of this process take short turns: those that send and fetch batches need not wait
for the one that writes.

Python lets a thread go on for 5 ms before another gets its turn, and a batch changes hands several times: a worker of
quick learners stood still for a twentieth of its time.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TURN = 0.0005  # seconds
_LOCK = threading.Lock()
_BEFORE: list[float] = []  # how long turns were when each of those that are inside came


@contextmanager
def short_turns() -> Iterator[None]:
    """The last to leave, of several threads that run studies, puts back what the first one found."""
    with _LOCK:
        _BEFORE.append(round(sys.getswitchinterval(), 6))  # a microsecond less would be put back else
        sys.setswitchinterval(min(TURN, _BEFORE[0]))
    try:
        yield
    finally:
        with _LOCK:
            first = _BEFORE.pop(0)
            if _BEFORE:
                _BEFORE[0] = first
            else:
                sys.setswitchinterval(first)
