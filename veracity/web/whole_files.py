"""Files that are written whole: a reader, also after a kill, sees the old one, the new one or none, never a part."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veracity.core.errors import BadInput

PART = ".veracity-"  # begins the name of a file that is being written
OLD = 3600.0  # seconds after which nobody is at work on one any more
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def replace_file(path: Path, text: str) -> None:
    """The new text in place of the old in one step."""
    try:
        with _part_beside(path) as part:
            part.write_bytes(text.encode())
            part.chmod(0o644 if not path.exists() else path.stat().st_mode & 0o777)
            _reach_disk(part)
            part.replace(path)
    except OSError as why:
        raise BadInput(f"{path.name} cannot be written: {why.strerror}") from None


def add_file(source: Path, path: Path) -> None:
    """A copy in one step; a file that is there already is left as it is, and raises FileExistsError."""
    with _part_beside(path) as part:
        shutil.copyfile(source, part)
        part.chmod(0o644)
        _reach_disk(part)
        try:
            os.link(part, path)
        except OSError as why:
            if why.errno not in NO_LINKS:
                raise
            if path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            part.rename(path)


@contextmanager
def _part_beside(path: Path) -> Iterator[Path]:
    """A file in the same folder that no list shows; it is gone at the end, and so are those that kills have left."""
    for left in path.parent.glob(f"{PART}*"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - OLD:
                left.unlink()
    handle, name = tempfile.mkstemp(prefix=PART, dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _reach_disk(part: Path) -> None:
    """What is renamed before its content is written may be empty after a crash."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
