"""Things that were at hand last, by their names, as many as there is room for."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """What never changes, and may therefore be remembered; where room is short what was used least lately goes."""

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, 0  # bytes
        self._held: dict[K, tuple[V, int]] = {}
        self._lock = Lock()

    def get(self, name: K) -> V | None:
        """The thing of that name, if it is still at hand."""
        with self._lock:
            held = self._held.pop(name, None)
            if held is None:
                return None
            self._held[name] = held  # the last in the order of dicts
        return held[0]

    def keep(self, name: K, thing: V, size: int) -> None:
        """Remember a thing of so many bytes."""
        with self._lock:
            self.taken += size - self._held.pop(name, (None, 0))[1]
            self._held[name] = (thing, size)
            while self.taken > self.room and len(self._held) > 1:
                self.taken -= self._held.pop(next(iter(self._held)))[1]
