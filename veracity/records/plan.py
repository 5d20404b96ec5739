"""The fits that all questions together need, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from veracity.records.fit import Fit


class PlannedSplit(NamedTuple):
    """Which stored answer is that of one split of one learner on one data set."""

    data: str
    learner: str
    design: str
    split: int
    key: str


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """Fits by content: splits of several designs that train on the same rows share one."""

    fits: tuple[Fit, ...]
    cells: tuple[PlannedSplit, ...]
    extra: frozenset[str] = frozenset()  # keys of answers that only a check asked for
    final: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # fits on all rows, by data set and learner

    def __len__(self) -> int:
        return len(self.fits)

    @property
    def planned(self) -> int:
        """Data sets x learners x splits, as a user counts them."""
        return len(self.cells)

    @cached_property
    def splits(self) -> Mapping[str, int]:
        """How many splits each answer is for."""
        return Counter(cell.key for cell in self.cells)

    def progress(self, stored: Mapping[str, str]) -> Progress:
        """What is there already, by how each stored answer ended."""
        ended = Counter(stored.get(cell.key, "") for cell in self.cells)
        return Progress(self.planned, ended["done"], ended["failed"])

    def __repr__(self) -> str:
        shared = self.planned - len(self.fits)
        saved = f" by {len(self.fits)} trainings, as some share one" if shared > 0 else ""
        return f"{self.planned} fits{saved}"


@dataclass(frozen=True)
class Progress:
    """A plan against a store: what is there already and what is still to do."""

    fits: int
    done: int
    failed: int
    running: int = 0
    trouble: str = ""  # what the run waits for, as a database that does not answer

    @property
    def left(self) -> int:
        return self.fits - self.done - self.failed

    def __str__(self) -> str:
        return f"{self.fits} fits: {self.left} to do, {self.done} stored, {self.failed} failed"


ProgressCallback = Callable[[Progress, float | None], None]  # is told how far a run is, and the seconds left if known
