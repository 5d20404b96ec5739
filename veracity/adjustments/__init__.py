"""Adjustments of p-values for multiple testing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from veracity.core.bounds import ANYWAY, QUADRATIC, check_bound
from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.errors import BadInput, Refused
from veracity.core.measurement import ErrorRate
from veracity.records.arrays import Array

STEP = 1.3e-9  # seconds a block of a set: the slowest of four orders of p-values tried at 14 learners, timed at 16


@dataclass(frozen=True, eq=False, repr=False)
class Adjustment(Entry):
    """`function(family, **parameters) -> adjusted`, of p-values that are all present."""

    kind: ClassVar[str] = "adjustment"
    measured: ClassVar[str] = "errors of the family and power"
    figures = (ErrorRate, "veracity.adjustments")
    plain_types: ClassVar[bool] = True

    controls: str = "family-wise error"
    pairs: bool = False  # whether it needs to know which p-value belongs to which two learners
    quadratic: bool = False  # whether its steps grow with the square of the number of p-values
    learners: int | None = None  # the most whose pairs it can judge, where its steps grow as a power of 3

    def check_cost(self, *evidence: Any) -> None:
        self.check_learners(evidence[0])
        if self.quadratic:
            size = evidence[0].size
            what = f"{self.name} takes {size**2:.0e} steps for a family of {size:,} p-values"
            way = f"use holm or benjamini_hochberg, or write {self.name}({ANYWAY}=True) if that is meant"
            check_bound(size, QUADRATIC, what, way)

    def check_learners(self, family: Family) -> None:
        """Refuse more learners than anybody can wait for, whoever asks."""
        if self.learners is None or family.learners <= self.learners:
            return
        seconds = STEP * 3.0 ** min(family.learners, 600) / 2 * family.size  # beyond 600 floating point ends
        what = f"{self.name} of {family.learners} learners would take up to about {_duration(seconds)}"
        raise Refused(f"{what}: up to {self.learners} learners are done, shaffer has no such end", "too-many-learners")

    def cells(self) -> dict[str, str]:
        return {"controls": self.controls}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        reads = "p-values of all pairs of some learners" if self.pairs else "any p-values"
        return {"Reads": (f"{reads}; controls the {self.controls}",)}

    def facts(self) -> dict[str, str]:
        return self.cells()


adjustment = Adjustment.decorator


def _duration(seconds: float) -> str:
    for unit, size in (("years", 3.15e7), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}" if seconds < 1e6 * size else f"{seconds / size:.0e} {unit}"
    return f"{seconds:.0f} seconds"


@dataclass(frozen=True, eq=False)
class Family:
    """P-values that are all there; `first` and `second` hold the learners of each where they are pairs."""

    p: Array
    first: Array | None = None
    second: Array | None = None

    @property
    def size(self) -> int:
        return len(self.p)

    @cached_property
    def order(self) -> Array:
        """The places of the p-values, the smallest first."""
        return np.argsort(self.p)

    @cached_property
    def ascending(self) -> Array:
        return self.p[self.order]

    @property
    def places(self) -> Array:
        """1, 2, ..., for the ascending p-values."""
        return np.arange(1, self.size + 1)

    @property
    def still_open(self) -> Array:
        """Return the number of hypotheses that are left at each p-value, in ascending order."""
        return np.arange(self.size, 0, -1)

    def step_down(self, terms: Array) -> Array:
        """Return the largest term from the smallest p-value to each; `terms` belong to the ascending p-values."""
        return self._unsort(np.maximum.accumulate(terms))

    def step_up(self, terms: Array) -> Array:
        """Return the smallest term from the largest p-value to each; `terms` belong to the ascending p-values."""
        return self._unsort(np.minimum.accumulate(terms[::-1])[::-1])

    def _unsort(self, ascending: Array) -> Array:
        adjusted = np.empty(self.size)
        adjusted[self.order] = ascending
        return adjusted

    @property
    def ends(self) -> tuple[Array, Array, int]:
        """The two learners of each pair, numbered without gaps, and how many learners there are."""
        if self.first is None or self.second is None:
            raise BadInput("these p-values are not the pairs of some learners: give a symmetric matrix of them")
        learners, places = np.unique(np.stack([self.first, self.second]), return_inverse=True)
        first, second = places.reshape(2, -1)
        return first, second, len(learners)

    @property
    def learners(self) -> int:
        """How many learners have a pair here."""
        return self.ends[2]


adjustments = Catalogue(__name__, Adjustment)
