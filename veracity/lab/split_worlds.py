"""Worlds of two learners' scores on the splits of one data set, with the covariance that shared rows give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.evidence.split_scores import SplitScores, SplitTable
from veracity.lab.entry import check_between, world
from veracity.lab.evidence_worlds import PairWorld
from veracity.records.arrays import Array, freeze


@dataclass(frozen=True, kw_only=True)
class Splits(PairWorld):
    """Differences of two learners on `repeats` times `k` folds, jointly normal with unit variance around `effect`.

    Two folds of one repeat have the correlation `within`, two of different repeats `between`; -1 stands for 1/k, what
    Nadeau and Bengio (2003) take it to be. `rows` is that of the data set.
    """

    score: ClassVar[None] = None
    better: ClassVar[str] = "higher"
    k: int = 10
    repeats: int = 1
    within: float = -1.0
    between: float = -1.0
    independent: bool = False
    effect: float = 0.0

    def __post_init__(self) -> None:
        whole_number("k", self.k)
        whole_number("repeats", self.repeats)
        check_between("within", self.within, -1, 1)
        check_between("between", self.between, -1, 1)
        if self.k < 2:
            raise BadInput("k is at least 2, as for folds")
        if np.linalg.eigvalsh(self.covariance).min() < -1e-9:
            raise BadInput(f"no scores have the correlations {self.within:g} and {self.between:g}: take others")

    @property
    def covariance(self) -> Array:
        """Of the differences on all splits."""
        number = self.k * self.repeats
        if self.independent:
            return np.eye(number)
        within, between = (1 / self.k if one == -1 else one for one in (self.within, self.between))
        same = np.kron(np.eye(self.repeats), np.ones((self.k, self.k)))
        found = within * same + between * (1 - same)
        np.fill_diagonal(found, 1.0)
        return found

    def draw(self, rows: int, random: np.random.Generator) -> Any:
        if rows < 2 * self.k:
            raise BadInput(f"{self.k} folds need {2 * self.k} rows or more, not {rows}")
        apart = self.effect + normal_draw(self.covariance, random)
        test = rows // self.k
        other = random.normal(10, 0.1, len(apart)) if self.independent else np.full(len(apart), 10.0)
        splits = SplitScores.of(other, rows - test, test, np.repeat(np.arange(self.repeats), self.k))
        first = SplitScores(freeze(other + apart), splits.train, splits.test, splits.repeats)
        return SplitTable({"a": first, "b": splits}, "higher", "score", self.independent)


def normal_draw(covariance: Array, random: np.random.Generator) -> Array:
    """Normal numbers around 0."""
    values, vectors = np.linalg.eigh(covariance)
    found: Array = vectors @ (np.sqrt(np.clip(values, 0, None)) * random.normal(size=len(values)))
    return found


splits = world("Scores of two learners on splits", name="splits")(Splits)
