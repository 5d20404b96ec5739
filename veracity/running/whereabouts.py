"""Which fit each worker of this machine is at: a file for each, which its process leaves behind when it dies.

The process that waits learns from it who was at work when a worker died, and how long a fit has really been under way,
which is not how long ago it was sent: a worker that has yet to start, or to import a learner, has begun nothing.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO, NamedTuple

from veracity.core.environment import no_room, tell_no_room

AT, HUNG = "at-", "hung-"
START = 600.0  # seconds in which, where there is a timeout, some worker must begin a fit,
TIMEOUTS = 20  # or as many timeouts, whichever is longer
LONGEST_LOOK = 1.0  # seconds that count between two looks


class Begun(NamedTuple):
    """A fit that a process has begun, by the clock that all processes of a machine share."""

    pid: int
    key: str
    since: float
    trace: str = ""  # where it hung, if the process ended itself for that


class Diary:
    """What a worker writes: a few bytes at the beginning of each fit, and where it hangs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with tell_no_room():
            self.file = os.open(folder / f"{AT}{os.getpid()}", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
            self.hung: IO[bytes] = (folder / f"{HUNG}{os.getpid()}").open("wb", buffering=0)

    def begin(self, key: str) -> None:
        try:  # `with tell_no_room` would cost a hundredth of the quickest fits
            os.pwrite(self.file, b"%r %b\n" % (time.monotonic(), key.encode()), 0)
        except OSError as why:
            raise no_room(why) from why

    def close(self) -> None:
        os.close(self.file)
        self.hung.close()


def beginnings(folder: Path) -> list[Begun]:
    """The last fit that each worker began."""
    found = []
    for path in folder.glob(f"{AT}*"):
        with contextlib.suppress(ValueError, OSError):  # just being written
            since, key = path.read_text("ascii").split("\n")[0].split(" ")
            pid = int(path.name.removeprefix(AT))
            found.append(Begun(pid, key, float(since), _trace(folder / f"{HUNG}{pid}")))
    return found


class Standstill:
    """For how long no worker has begun a fit, while whoever waits could see it: not while it was stopped itself."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.seen: set[Begun] = set()
        self.looked = time.monotonic()

    def look(self, begun: Iterable[Begun]) -> float:
        """To be called every now and then, while there is something to wait for."""
        seen, now = set(begun), time.monotonic()
        self.seconds = self.seconds + min(now - self.looked, LONGEST_LOOK) if seen == self.seen else 0.0
        self.seen, self.looked = seen, now
        return self.seconds


def longest_standstill(timeout: float) -> float:
    """Seconds after which workers that begin nothing never will."""
    return max(START, TIMEOUTS * timeout)


def left_by_the_dead(folder: Path) -> list[Begun]:
    """The fits that processes were at which are no more; their files go, so that each is found once."""
    dead = [begun for begun in beginnings(folder) if not _is_running(begun.pid)]
    for begun in dead:
        for name in (AT, HUNG):
            (folder / f"{name}{begun.pid}").unlink(missing_ok=True)
    return dead


def _trace(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.exists() else ""


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with contextlib.suppress(OSError, IndexError):  # a dead one that its parent has yet to ask for is no longer running
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    return True
