"""The fits that all questions together need, each once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from veracity.records.fit import Fit


class Cell(NamedTuple):
    """Which fit answers one split of one learner on one data set."""

    data: str
    learner: str
    design: str
    split: int
    key: str


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """Fits by content: splits of several designs that train on the same rows share one."""

    fits: tuple[Fit, ...]
    cells: tuple[Cell, ...]
    extra: frozenset[str] = frozenset()  # keys of fits that only a check or a final model asked for

    def __len__(self) -> int:
        return len(self.fits)

    @property
    def planned(self) -> int:
        """Data sets x learners x splits, as a user counts them."""
        return len(self.cells)

    def __repr__(self) -> str:
        shared = self.planned - len(self.fits) + len(self.extra)
        saved = f", {shared} of {self.planned} splits share a fit with another" if shared > 0 else ""
        return f"{len(self.fits)} fits{saved}"


@dataclass(frozen=True)
class Progress:
    """A plan against a store: what is there already and what is still to do."""

    fits: int
    done: int
    failed: int
    running: int = 0

    @property
    def left(self) -> int:
        return self.fits - self.done - self.failed

    def __str__(self) -> str:
        return f"{self.fits} fits: {self.left} to do, {self.done} stored, {self.failed} failed"
