"""Temporary folders that nobody else can read and that go with their process, however it ends.

Whoever makes one holds a lock on a file inside, which the system takes back when the process dies, of a SIGKILL too,
and which no later process has by chance, as it may have the number of a dead one. So a folder whose lock is free has no
owner any more, and the next process that makes one sweeps it away.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

from veracity.core.errors import EngineLost

try:
    import fcntl
except ImportError:  # no such locks here: nothing is swept
    fcntl = None  # type: ignore[assignment]

PREFIX = "veracity-"
LOCK = "owner"
YOUNG = 3600.0  # seconds in which a folder may still be without a lock, because it is just being made
_SWEPT: set[Path] = set()  # places that this process has looked at


class PrivateFolder:
    """A folder of mode 0700, which goes when it is closed, when nobody holds it, or when the next one is made."""

    def __init__(self) -> None:
        with tell_no_room():
            place = Path(tempfile.gettempdir())
            if place not in _SWEPT:
                _SWEPT.add(place)
                sweep(place)
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._end = weakref.finalize(self, _remove, self.path, _lock(self.path), os.getpid())

    def close(self) -> None:
        self._end()


@contextlib.contextmanager
def tell_no_room() -> Iterator[None]:
    """What cannot be written to a temporary folder ends a run with a sentence: nobody's fit is to blame."""
    try:
        yield
    except OSError as why:
        raise no_room(why) from why


def no_room(why: OSError) -> EngineLost:
    """The sentence of a run that cannot write to a temporary folder."""
    what = f"cannot write to a temporary folder: {why.strerror or why}"
    return EngineLost(f"{what}; make room there, or name another place by the variable TMPDIR")


def _lock(folder: Path) -> int:
    """The file gets its name when it is locked, so that nobody finds it free before."""
    file = os.open(folder / f"{LOCK}.new", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)
    (folder / f"{LOCK}.new").rename(folder / LOCK)
    return file


def _remove(folder: Path, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # a fork leaves what its parent made
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.close(lock)


def sweep(place: Path) -> None:
    """Remove folders of ours whose owner is dead."""
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or gone meanwhile
            if fcntl is not None and _is_ours(folder) and _is_orphan(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Only a folder itself, no link to one, and of this user."""
    return folder.is_dir() and not folder.is_symlink() and folder.lstat().st_uid == os.geteuid()


def _is_orphan(folder: Path) -> bool:
    try:
        file = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return time.time() - folder.lstat().st_mtime > YOUNG and (folder / f"{LOCK}.new").exists()
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True
