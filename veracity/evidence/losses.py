"""Per-row quantities whose means make a score, and those in a known range, as bounds at every sample size need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import ClassVar

import numpy as np

from veracity.core.notes import Note
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.row_sums import Columns, Gaps
from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Losses(Evidence):
    """One row of `columns` per row of data, and how often or how heavily each counts."""

    label: ClassVar[str] = "losses of rows"
    lacks: ClassVar[str] = "is not a score of per-row losses"

    columns: Array  # (rows, columns)
    weight: Array | None = None  # (..., rows); None counts each row once
    sampling: Sampling | None = None
    rarer: float = inf  # rows that are not of the most frequent class, where the target is of classes
    classes: int = 0  # of the target, none where it is numbers
    smallest: float = inf  # rows of the rarest class that has any

    @property
    def cells(self) -> Array:
        return np.ones(len(self.columns)) if self.weight is None else self.weight

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.columns.shape[1])

    def reweigh(self, cells: Array) -> Losses:
        return Losses(self.columns, cells)

    @property
    def rows(self) -> float:
        if self.sampling is not None:
            return super().rows
        return float(len(self.columns) if self.weight is None else self.weight.sum())

    @cached_property
    def means(self) -> Array:
        """Weighted mean of each column, on the last axis."""
        if self.weight is None:
            return self.columns.mean(0)
        return self.weight @ self.columns / self.weight.sum(-1)[..., None]


class SummedLosses(Losses):
    """Losses of many plain rows of which sums are known; the columns are written when somebody asks for them."""

    summed: Columns | Gaps

    def __init__(self, summed: Columns | Gaps, about: Losses, write: Callable[[], Array]) -> None:
        """`about` has no rows and says what else is known of them."""
        self.__dict__.update(about.__dict__, summed=summed, _write=write)
        del self.__dict__["columns"]

    @cached_property
    def columns(self) -> Array:
        found: Array = self.__dict__["_write"]()
        return found

    @property
    def width(self) -> int:
        return self.summed.width

    @property
    def rows(self) -> float:
        return self.summed.rows

    @cached_property
    def means(self) -> Array:
        return self.columns.mean(0) if isinstance(self.summed, Gaps) else self.summed.means


@dataclass(frozen=True, eq=False)
class Bounded:
    """Losses scaled to 0..1 and the range they came from."""

    label: ClassVar[str] = "a mean of bounded losses"
    lacks: ClassVar[str] = "is not a mean of losses in a known range, so this bound does not hold for it"

    losses: Array
    low: float = 0.0
    high: float = 1.0
    notes: tuple[Note, ...] = ()
    ordered: bool = True  # whether the losses stand in the order of the rows, which counts alone do not know

    @property
    def rows(self) -> int:
        return len(self.losses)

    @property
    def mean(self) -> float:
        return float(self.losses.mean())

    @property
    def variance(self) -> float:
        return float(np.var(self.losses, ddof=1))

    def back(self, scaled: float) -> float:
        """A limit on the 0..1 scale in the score's own units."""
        return self.low + (self.high - self.low) * scaled


@dataclass(frozen=True, eq=False)
class Apparent(Bounded):
    """Losses of rows that may have trained the model, for bounds that hold for all models it was chosen from."""

    label: ClassVar[str] = "a mean of bounded losses, also of training rows"

    answers: str = ""
