"""Things that every worker needs, sent once: data and learners travel as parcels, fits refer to them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OPENED: dict[str, Any] = {}  # in a worker: parcels already read
KEPT = 4  # data sets a worker keeps in memory


@dataclass(frozen=True)
class Parcel:
    """A pickled thing in a file that workers of this machine can read."""

    path: str

    def open(self) -> Any:
        """What is inside; read once per worker."""
        if self.path not in OPENED:
            import cloudpickle

            while len(OPENED) >= KEPT:
                OPENED.pop(next(iter(OPENED)))
            OPENED[self.path] = cloudpickle.loads(Path(self.path).read_bytes())
        return OPENED[self.path]


class Desk:
    """Where parcels are made; they vanish with it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="veracity-")
        self.number = 0

    def pack(self, thing: Any) -> Parcel:
        import cloudpickle

        self.number += 1
        path = Path(self.folder.name) / f"{self.number}.pickle"
        path.write_bytes(cloudpickle.dumps(thing))
        return Parcel(str(path))

    def close(self) -> None:
        self.folder.cleanup()


def opened(thing: Any) -> Any:
    """The thing itself, whether it came as a parcel or already unpacked."""
    return thing.open() if isinstance(thing, Parcel) else thing
