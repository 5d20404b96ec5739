"""How far each learner is on each data set, counted from what came since the last look."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Integer, literal_column, select

from veracity.stores.recorded_places import Place, read_keys
from veracity.stores.schema import cells, failures, successes


class News(NamedTuple):
    """Fits that were done since a mark, all that failed, and the next mark."""

    done: list[tuple[str, float]]  # keys, with the seconds that each took
    failed: list[str]
    mark: int


def planned_keys(connection: Connection) -> dict[Place, tuple[str, ...]]:
    """The keys of the fits at every place."""
    return {(row.data, row.learner, row.design): read_keys(row[-1]) for row in connection.execute(select(cells))}


def news(connection: Connection, mark: int = 0) -> News:
    """What a look brings; where rows have no order, as in PostgreSQL, all that is done comes every time."""
    ordered = connection.dialect.name == "sqlite"
    place = literal_column("rowid" if ordered else "0", Integer)
    query = select(place, successes.c.key, successes.c.seconds)
    query = query.where(place > mark).order_by(place) if ordered else query
    rows = connection.execute(query).all()
    failed = list(connection.execute(select(failures.c.key)).scalars())
    return News([(key, seconds) for _, key, seconds in rows], failed, rows[-1][0] if rows else mark)


class Cell(NamedTuple):
    """A learner on a data set: splits planned, done and failed."""

    planned: int
    done: int
    failed: int


class CellCounts:
    """Counts by data set and learner that grow by what is new."""

    def __init__(self, planned: dict[Place, tuple[str, ...]]) -> None:
        self.mark = 0
        self._of_key: dict[str, list[tuple[str, str]]] = {}
        self._planned: dict[tuple[str, str], int] = {}
        for (data, learner, _), keys in planned.items():
            self._planned[data, learner] = self._planned.get((data, learner), 0) + len(keys)
            for key in keys:
                self._of_key.setdefault(key, []).append((data, learner))
        self._done = dict.fromkeys(self._planned, 0)
        self._failed = dict.fromkeys(self._planned, 0)
        self._seen: set[str] = set()
        self._known_failed: set[str] = set()
        self._seconds: dict[str, list[float]] = {}

    @property
    def number_done(self) -> int:
        """Fits that were seen to be done, each once."""
        return len(self._seen)

    def add(self, found: News) -> bool:
        """Count what is new; whether there was anything."""
        failed = set(found.failed)
        if not found.done and failed == self._known_failed:
            return False
        self._known_failed = failed
        for key, seconds in found.done:
            if key not in self._seen:
                self._seen.add(key)
                for place in self._of_key.get(key, ()):
                    self._done[place] += 1
                    total = self._seconds.setdefault(place[1], [0.0, 0.0])
                    total[0] += seconds
                    total[1] += 1
        self._failed = dict.fromkeys(self._planned, 0)
        for key in failed:
            for place in self._of_key.get(key, ()):
                self._failed[place] += 1
        self.mark = found.mark
        return True

    def cells(self) -> dict[tuple[str, str], Cell]:
        """Every data set and learner, in the order of the plan."""
        return {place: Cell(number, self._done[place], self._failed[place]) for place, number in self._planned.items()}

    def total(self) -> Cell:
        """All of them together."""
        cells = self.cells().values()
        return Cell(*(sum(cell[part] for cell in cells) for part in range(len(Cell._fields))))

    def seconds(self) -> dict[str, float]:
        """The mean seconds of a fit of each learner."""
        return {learner: total / number for learner, (total, number) in self._seconds.items() if number}
