"""Runs that a page reads once, however many questions it asks of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs

ROOM = 256 * 2**20  # bytes of predictions that are held; what has no room is read again for each question


@dataclass(frozen=True, eq=False, repr=False)
class RunsReadOnce(Runs):
    """The same runs, each held from the first reading on as long as there is room.

    The first to come stay: all are asked for in the same order again and again, so that whoever gave way to the next
    would be read each time.
    """

    held: dict[tuple[str, str, str], Run] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Runs) -> RunsReadOnce:
        return cls(**{one.name: getattr(runs, one.name) for one in fields(runs)})

    def read(self, learner: str, data: str, by: str) -> Run:
        place = (learner, data, by)
        if place in self.held:
            return self.held[place]
        run = super().read(learner, data, by)
        if sum(map(size, self.held.values())) + size(run) <= ROOM:
            self.held[place] = run
        return run

    def chooses(self, learner: str, data: str, by: str) -> bool:
        run = self.held.get((learner, data, by))
        if run is None:
            return super().chooses(learner, data, by)
        return any(run.chosen[split] for split in list(run.places)[:1])


def size(run: Run) -> int:
    """Bytes of its predictions."""
    arrays = [] if run.predictions is None else [getattr(run.predictions, one.name) for one in fields(Predictions)]
    return sum(getattr(array, "nbytes", 0) for array in arrays)
