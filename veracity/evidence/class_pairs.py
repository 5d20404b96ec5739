"""Every class against every other: how often a row of the one stands above a row of the other, by the one's chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from veracity.evidence.evidence import Sampling
from veracity.evidence.ordering import OrderedRows
from veracity.records.arrays import Array, ratio


class Places(NamedTuple):
    """Where each row stands among the rows of one class, all by the probability of that class."""

    own: Array  # the rows of the class, lowest first
    first: Array  # how many of them lie below each row
    last: Array  # how many lie below it or tie with it

    @classmethod
    def among(cls, chance: Array, own: Array) -> Places:
        own = own[np.argsort(chance[own], kind="stable")]
        ladder = np.append(chance[own], np.inf)
        first = np.searchsorted(ladder[:-1], chance)
        last = first.copy()
        ties = ladder[first] == chance
        last[ties] = np.searchsorted(ladder[:-1], chance[ties], "right")
        return cls(own, first.astype(np.int32), last.astype(np.int32))

    def below(self, weight: Array) -> Array:
        """The weight of the rows of the class below each row, ties counting half."""
        upto = np.concatenate([[0.0], np.cumsum(weight[self.own])])
        found: Array = (upto[self.first] + upto[self.last]) / 2
        return found

    def beaten(self, weight: Array) -> Array:
        """The other way round: the weight of all rows below each row of the class, ties counting half."""
        size = len(self.own) + 1
        found: Array = np.cumsum(np.bincount(self.last, weight, size) + np.bincount(self.first, weight, size))[:-1] / 2
        return found


@dataclass(frozen=True, eq=False)
class ClassPairs(OrderedRows):
    """The rows of K classes placed in each class: K searches of all rows tell of all pairs of classes."""

    places: tuple[Places, ...]
    truth: Array
    weight: Array | None = None  # (..., rows)
    sampling: Sampling | None = None

    @classmethod
    def from_chances(
        cls, chances: Iterable[Array], truth: Array, weight: Array | None, sampling: Sampling | None
    ) -> ClassPairs:
        """From the probabilities of one class after the other."""
        places = tuple(Places.among(chance, np.flatnonzero(truth == code)) for code, chance in enumerate(chances))
        return cls(places, truth, weight, sampling)

    def reweigh(self, cells: Array) -> ClassPairs:
        return ClassPairs(self.places, self.truth, cells)

    @cached_property
    def totals(self) -> Array:
        """The weight of each class, on the last axis."""
        return self._each(lambda weight: np.bincount(self.truth, weight, len(self.places)))

    @cached_property
    def areas(self) -> Array:
        """`areas[..., i, j]`: the chance that a row of class i is above one of class j, of classes that differ."""
        pairs = self.totals[..., :, None] * self.totals[..., None, :]
        return np.clip(1 - ratio(self._each(self._below), pairs), 0.0, 1.0)

    def _below(self, weight: Array) -> Array:
        """Pairs of rows in which the row of class i is below that of class j, ties counting half."""
        number = len(self.places)
        return np.array([np.bincount(self.truth, weight * one.below(weight), number) for one in self.places])

    def _each(self, numbers: Callable[[Array], Array]) -> Array:
        """Numbers of each weighting of the rows, behind its leading axes."""
        found = np.array([numbers(weight) for weight in self.cells.reshape(-1, len(self.truth))])
        return found.reshape((*self.cells.shape[:-1], *found.shape[1:]))

    @property
    def of_pairs(self) -> Array:
        """The areas of the pairs of classes on one axis: 0 1, 0 2, ..., 1 0, 1 2, ..."""
        return self.areas[..., ~np.eye(len(self.places), dtype=bool)]

    @cached_property
    def influence(self) -> Array:
        """How much each row moves the mean of the areas."""
        weight, number = self.cells, len(self.places)
        share = ratio(weight.sum(), self.totals * number * (number - 1))  # of a row of each class
        areas = np.where(np.eye(number, dtype=bool), 0.0, self.areas)
        out = -(share * (areas.sum(0) + areas.sum(1)))[self.truth]
        part = ratio(weight, self.totals[self.truth])
        for code, one in enumerate(self.places):
            others = self.truth != code
            out[others] += (share[self.truth] * (1 - one.below(weight) / self.totals[code]))[others]
            out[one.own] += share[code] * one.beaten(np.where(others, part, 0.0))
        return out

    @cached_property
    def class_sizes(self) -> list[float]:
        """Rows of each class; of weighted or grouped ones as many as tell as much, as an ordering counts them."""
        if self.sampling is None:
            return self.totals.tolist()
        return [self.sampling.equal_units(self.truth == code) for code in range(len(self.places))]

    @property
    def flat(self) -> bool:
        """Whether all rows are placed alike in every class."""
        return all((one.first == 0).all() and (one.last == len(one.own)).all() for one in self.places)
