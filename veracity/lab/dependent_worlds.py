"""Rows that hang together: in clusters, of equal or of very unequal size, and in time, with a law that turns."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from scipy.special import expit

from veracity.core.errors import Refused
from veracity.core.seeds import generator
from veracity.designs.parameters import whole_number
from veracity.lab.entry import world
from veracity.lab.worlds import ChanceWorld, Sample, Truth, check_not_negative, check_share_below
from veracity.records.arrays import Array

PLACES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


@dataclass(frozen=True, kw_only=True)
class Clusters(ChanceWorld):
    """Clusters of equal size, such as patients: their rows have similar features and log odds of their own.

    Features correlate by `alike` within a cluster, and the log odds `strength` times the first feature are shifted by
    `spread` from cluster to cluster. Models meet rows of clusters that they never saw.
    """

    independent: ClassVar[bool] = False
    clusters: int = 20
    alike: float = 0.5
    spread: float = 1.0
    strength: float = 2.0
    features: int = 3

    def __post_init__(self) -> None:
        whole_number("clusters", self.clusters)
        whole_number("features", self.features)
        check_share_below("alike", self.alike, 1)
        check_not_negative("spread", self.spread)
        check_not_negative("strength", self.strength)

    def groups(self, rows: int) -> Array:
        """The cluster of each row."""
        if rows < self.clusters:
            raise Refused(f"{rows} rows cannot fill {self.clusters} clusters: ask for more rows", "too-few-rows")
        return np.arange(rows) * self.clusters // rows

    def chance(self, features: Array) -> Array:
        """Of a row from a new cluster: over all that its cluster may be."""
        odds = self.strength * features[..., :1] + self.spread * PLACES
        found: Array = expit(odds) @ WEIGHTS / WEIGHTS.sum()
        return found

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """Each of a cluster of its own."""
        return self._draw_from(np.arange(rows), generator(seed, "world", rows))

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        return self._draw_from(self.groups(rows), random)

    def _draw_from(self, groups: Array, random: np.random.Generator) -> Sample:
        rows, clusters = len(groups), int(groups.max()) + 1
        shared, own = (random.normal(size=(number, self.features)) for number in (clusters, rows))
        features = self.alike**0.5 * shared[groups] + (1 - self.alike) ** 0.5 * own
        odds = self.strength * features[:, 0] + self.spread * random.normal(size=clusters)[groups]
        return Sample(features, (random.random(rows) < expit(odds)).astype(np.int64), groups)


@dataclass(frozen=True, kw_only=True)
class UnequalClusters(Clusters):
    """The same with clusters of very unequal size: the j-th has 1 / j of the rows of the first."""

    def groups(self, rows: int) -> Array:
        """Every cluster has a row at least."""
        super().groups(rows)
        share = np.cumsum(1 / np.arange(1, self.clusters + 1))
        ends = np.floor(share / share[-1] * (rows - self.clusters)).astype(int) + np.arange(1, self.clusters + 1)
        return np.searchsorted(ends, np.arange(rows), side="right")


@dataclass(frozen=True, kw_only=True)
class Drift(ChanceWorld):
    """Two normal classes in the order of time: the line between their means turns by `turn` degrees from row to row.

    The last row stands where models are used next, so older rows mislead the more the older they are.
    """

    independent: ClassVar[bool] = False
    distance: float = 2.0
    turn: float = 0.5
    features: int = 2

    def __post_init__(self) -> None:
        check_not_negative("distance", self.distance)
        check_not_negative("turn", self.turn)
        whole_number("features", self.features, least=2)

    @property
    def best_truth(self) -> Truth:
        return Truth(NormalDist().cdf(-self.distance / 2))

    def chance(self, features: Array) -> Array:
        """Now."""
        found: Array = expit(self.distance * features[..., 0])
        return found

    def fresh(self, rows: int, seed: int = 1) -> Sample:
        """All of the time that is now."""
        return self._draw_at(np.zeros(rows), generator(seed, "world", rows))

    def _draw_rows(self, rows: int, random: np.random.Generator) -> Sample:
        return self._draw_at(np.arange(rows) - rows + 1.0, random)

    def _draw_at(self, times: Array, random: np.random.Generator) -> Sample:
        target = random.integers(0, 2, len(times))
        features = random.normal(size=(len(times), self.features))
        angle, apart = np.radians(self.turn * times), self.distance * (target - 0.5)
        features[:, 0] += apart * np.cos(angle)
        features[:, 1] += apart * np.sin(angle)
        return Sample(features, target, time=times)


clusters = world("Clusters of rows", name="clusters")(Clusters)
unequal_clusters = world("Clusters of very unequal size", name="unequal_clusters")(UnequalClusters)
drift = world("A law that turns in time", name="drift")(Drift)
