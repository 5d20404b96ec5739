"""How far each learner is on each data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from sqlalchemy import Connection, select

from veracity.stores.recorded_places import Place
from veracity.stores.schema import failures, successes


class News(NamedTuple):
    """All fits that are done, with the seconds that each took, and all that failed."""

    done: dict[str, float]  # by key
    failed: set[str]


def news(connection: Connection) -> News:
    """What a look brings."""
    rows = connection.execute(select(successes.c.key, successes.c.seconds))
    return News({row.key: row.seconds for row in rows}, set(connection.execute(select(failures.c.key)).scalars()))


class Cell(NamedTuple):
    """A learner on a data set: splits planned, done and failed."""

    planned: int
    done: int
    failed: int


class CellCounts:
    """Counts by data set and learner, as of the last look."""

    def __init__(self, planned: dict[Place, tuple[str, ...]]) -> None:
        self._of_key: dict[str, list[tuple[str, str]]] = {}
        self._planned: dict[tuple[str, str], int] = {}
        for (data, learner, _), keys in planned.items():
            self._planned[data, learner] = self._planned.get((data, learner), 0) + len(keys)
            for key in keys:
                self._of_key.setdefault(key, []).append((data, learner))
        self._seen = News({}, set())
        self._done = self._failed = Counter[tuple[str, str]]()
        self._seconds: dict[str, float] = {}

    @property
    def number_done(self) -> int:
        """Fits that are done, each once."""
        return len(self._seen.done)

    def add(self, found: News) -> bool:
        """Count what a look brought; whether that is something else than the last one did."""
        if found == self._seen:
            return False
        self._seen = found
        self._done, self._failed = self._places(found.done), self._places(found.failed)
        seconds: dict[str, list[float]] = {}
        for key, each in found.done.items():
            for _, learner in self._of_key.get(key, ()):
                seconds.setdefault(learner, []).append(each)
        self._seconds = {learner: fmean(every) for learner, every in seconds.items()}
        return True

    def _places(self, keys: Iterable[str]) -> Counter[tuple[str, str]]:
        return Counter(place for key in keys for place in self._of_key.get(key, ()))

    def cells(self) -> dict[tuple[str, str], Cell]:
        """Every data set and learner, in the order of the plan."""
        return {place: Cell(number, self._done[place], self._failed[place]) for place, number in self._planned.items()}

    def total(self) -> Cell:
        """All of them together."""
        cells = self.cells().values()
        return Cell(*(sum(cell[part] for cell in cells) for part in range(len(Cell._fields))))

    def seconds(self) -> dict[str, float]:
        """The mean seconds of a fit of each learner."""
        return self._seconds
