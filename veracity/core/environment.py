"""What the machine and the installation provide: memory, temporary folders, versions of packages."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path

from veracity.core.errors import EngineLost

FOLDER_PREFIX = "veracity-"
LOCK_FILE = "owner"
CGROUP = Path("/sys/fs/cgroup")
MEMORY_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # files of version 2 and of version 1 of control groups


@cache
def memory_bytes() -> float:
    """Return the bytes of memory that this process may use: the machine's, or less in a container."""
    if not {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= set(getattr(os, "sysconf_names", {})):
        return container_memory()
    return min(float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE"), container_memory())


def container_memory(root: Path = CGROUP) -> float:
    """Return the bytes that a container or another control group of Linux may use; infinity without a limit."""
    limits = [inf]
    for name in MEMORY_LIMITS:
        with contextlib.suppress(OSError, ValueError):  # no such file, or the word "max"
            limits.append(float(int((root / name).read_text("ascii"))))
    return min(limits)


class PrivateFolder:
    """A temporary folder of mode 0700, removed when it is closed, garbage collected, or when the process ends.

    Its owner holds the lock of a file in it, which a process also loses when it is killed: the next folder that is made
    removes those without an owner, as they may hold a user's tables.
    """

    def __init__(self) -> None:
        with tell_no_room():
            _remove_abandoned(Path(tempfile.gettempdir()))
            self.path = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
            lock = os.open(self.path / f"{LOCK_FILE}.new", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            (self.path / f"{LOCK_FILE}.new").rename(self.path / LOCK_FILE)  # nobody finds it before it is locked
        self._finalizer = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def close(self) -> None:
        """Remove the folder and what is in it, once."""
        self._finalizer()


def _remove(folder: Path, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # a fork leaves what its parent made
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.close(lock)


def _remove_abandoned(place: Path) -> None:
    """Remove the private folders of this user whose owner is dead."""
    for file in place.glob(f"{FOLDER_PREFIX}*/{LOCK_FILE}"):
        with contextlib.suppress(OSError):  # another user's, still owned, or gone meanwhile
            lock = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if file.stat().st_uid == os.geteuid():
                    shutil.rmtree(file.parent)
            finally:
                os.close(lock)


@contextlib.contextmanager
def tell_no_room() -> Iterator[None]:
    """Raise EngineLost where a temporary folder cannot be written to: no fit is to blame."""
    try:
        yield
    except OSError as why:
        what = f"cannot write to a temporary folder: {why.strerror or why}"
        raise EngineLost(f"{what}; make room there, or name another place by the variable TMPDIR") from why


def version_of(package: str) -> str:
    """Return the version of a package, "unknown" where it is run without having been installed, as from an archive."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
