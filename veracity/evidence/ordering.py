"""Rows sorted by value, one ordering or several of the same rows, and every class against every other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.sort_rows import distinct_values
from veracity.kernels import sweep
from veracity.records.arrays import Array, as_numbers, freeze, ratio


@dataclass(frozen=True, eq=False, repr=False)
class Ordering(Evidence):
    """Weight of positive and of negative rows in each block of equal values, highest value first.

    Attributes
    ----------
    positives
        Weight of positive rows in each block of equal values, highest value first.
    negatives
        Weight of negative rows in each block.
    values
        The value of each block.
    sampling
        Weights and groups of the rows, if there are any.
    all_negatives
        Weight of all negative rows.
    all_positives
        Weight of all positive rows.
    cells
        The weight of each cell, on the last axis.
    label
        The predicted class of each row.
    parts
        The part of the rows that each cell belongs to, where scores average them one by one.
    rows
        How many rows there are (sampling weights count a row once).

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> p.ordering.positives
    array([1, 1, 0, 1, 0])
    """

    label: ClassVar[str] = "an ordering"

    positives: Array
    negatives: Array
    values: Array | None = None  # None where memory did not allow to keep them
    sampling: Sampling | None = None

    @classmethod
    def of(cls, value: Any, is_positive: Any, weight: Any = None) -> Ordering:
        """From one value and one truth per row; rows of equal value move together."""
        value, is_positive = as_numbers(value, "value"), as_numbers(is_positive, "is_positive") != 0
        if value.ndim != 1 or value.shape != is_positive.shape or not np.isfinite(value).all():
            raise BadInput("an ordering is of finite values, one per row, with a truth for each")
        if weight is None:
            return cls.of_classes(value[is_positive], value[~is_positive])
        weight = as_numbers(weight, "weight")
        if weight.shape != value.shape or not (np.isfinite(weight).all() and (weight > 0).all()):
            raise BadInput("weight: one number larger than 0 for each row of an ordering")
        return cls.of_tracked_rows(value, is_positive, weight=weight)

    @classmethod
    def of_classes(cls, positives: Array, negatives: Array, keep_values: bool = True) -> Ordering:
        """Return the ordering of the values of each class, which are sorted in place: rows need no index."""
        positives.sort()
        negatives.sort()
        merged = np.concatenate([positives, negatives])
        merged.sort(kind="stable")  # which merges two ascending parts in one pass
        first = np.append(True, merged[1:] != merged[:-1])[: len(merged)]
        values = merged[first]
        del merged, first
        of_positives, of_negatives = (
            np.diff(np.searchsorted(p, values), append=len(p)) for p in (positives, negatives)
        )
        return cls(of_positives[::-1], of_negatives[::-1], values[::-1] if keep_values else None)

    @classmethod
    def of_tracked_rows(
        cls, value: Array, is_positive: Array, weight: Array | None = None, group: Array | None = None
    ) -> Ordering:
        """The same, remembering the block of each row, as weights, clusters and several classes need it."""
        values, block = distinct_values(value)
        number = len(values)
        cell = np.where(is_positive, block, block + number)
        total = np.bincount(cell, weight, 2 * number)
        return cls(total[:number], total[number:], freeze(values), Sampling(cell, weight, group))

    @property
    def blocks(self) -> int:
        """How many different values there are."""
        return int(self.positives.shape[-1])

    @property
    def cells(self) -> Array:
        return np.concatenate([self.positives, self.negatives], -1)

    @property
    def parts(self) -> Array:
        return np.repeat([0, 1], self.positives.shape[-1])

    def reweigh(self, cells: Array) -> Ordering:
        blocks = self.positives.shape[-1]
        return Ordering(cells[..., :blocks], cells[..., blocks:], self.values)

    @cached_property
    def all_positives(self) -> Array:
        return np.asarray(self.positives.sum(-1, dtype=float))

    @cached_property
    def all_negatives(self) -> Array:
        return np.asarray(self.negatives.sum(-1, dtype=float))

    @property
    def class_sizes(self) -> tuple[float, float]:
        """Positive and negative rows, or as many as tell as much."""
        if self.sampling is None:
            return float(self.all_positives), float(self.all_negatives)
        positive = np.arange(2 * self.positives.shape[-1]) < self.positives.shape[-1]
        return self.sampling.equal_units(positive), self.sampling.equal_units(~positive)

    @property
    def rows(self) -> float:
        if self.sampling is not None:
            return super().rows
        return float((self.all_positives + self.all_negatives).sum())

    @cached_property
    def tp(self) -> Array:
        """True positives when the blocks down to each one are selected, starting from none."""
        return _cumulative(self.positives)

    @cached_property
    def fp(self) -> Array:
        """False positives likewise."""
        return _cumulative(self.negatives)

    def inside(self, block: Array) -> tuple[Array, Array]:
        """Positive and negative rows of one block, for every leading axis."""
        at = np.asarray(block)[..., None].astype(np.intp)
        positives, negatives = (np.take_along_axis(part, at, -1)[..., 0] for part in (self.positives, self.negatives))
        return positives.astype(float), negatives.astype(float)

    def vertices(self, hits: tuple[float, float], alarms: tuple[float, float]) -> tuple[Array, Array]:
        """True and false positives at the points of the curve within these bounds, and at one more at each end."""
        first, last = reached(self.tp, self.fp, hits, alarms)
        near = slice(max(first - 1, 0), last + 1)
        return self.tp[near], self.fp[near]

    def area_variance(self, area: float) -> float:
        """Return DeLong's variance of an area under the ROC curve, of one ordering.

        It is the sample variance of the placements of each class in the other, over its number of rows, summed.
        """
        n_pos, n_neg = float(self.all_positives), float(self.all_negatives)
        above = np.cumsum(self.positives, dtype=float) - self.positives / 2
        below = n_neg - np.cumsum(self.negatives, dtype=float) + self.negatives / 2
        of_positives = self.positives @ (below / n_neg - area) ** 2 / ((n_pos - 1) * n_pos)
        return float(of_positives + self.negatives @ (above / n_pos - area) ** 2 / ((n_neg - 1) * n_neg))

    @cached_property
    def hull(self) -> tuple[Array, Ordering]:
        """The last block of each edge of the upper hull of the ROC curve, and the ordering with edges as blocks."""
        last, tall, wide = self.sweep(sweep.hull)
        return last, Ordering(np.diff(tall, prepend=0.0), np.diff(wide, prepend=0.0))

    def sweep(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel's answer for every leading axis; numpy arguments have those axes too."""
        *lead, blocks = self.positives.shape
        each_lead = (math.prod(lead), blocks)  # also without blocks, where two classes have no rows
        flat = [np.ravel(a) if isinstance(a, (np.ndarray, np.generic)) else a for a in arguments]
        out = kernel(self.positives.reshape(each_lead), self.negatives.reshape(each_lead), *flat)
        if isinstance(out, tuple):
            return tuple(each.reshape((*lead, *each.shape[1:])) for each in out)
        return out.reshape((*lead, *out.shape[1:]))

    def __repr__(self) -> str:
        return (
            f"Ordering({self.positives.shape[-1]} blocks, {self.all_positives} positive, {self.all_negatives} negative)"
        )


def reached(tp: Array, fp: Array, hits: tuple[float, float], alarms: tuple[float, float]) -> tuple[int, int]:
    """The first point of a curve within bounds of true and of false positives, and the first one beyond."""
    first = max(np.searchsorted(tp, hits[0]), np.searchsorted(fp, alarms[0], "right"))
    return int(first), int(min(np.searchsorted(tp, hits[1], "right"), np.searchsorted(fp, alarms[1])))


def part_within(
    tp: Array, fp: Array, hits: tuple[float, float], alarms: tuple[float, float]
) -> tuple[slice, tuple[float, float], list[tuple[float, float]]]:
    """Of marks along a curve those around what lies within bounds, where they begin, and the bounds from there."""
    first, last = reached(tp, fp, hits, alarms)
    last = max(min(last + 2, len(tp) - 1), 1)
    first = min(max(first - 2, 0), last - 1)
    begin = float(tp[first]), float(fp[first])
    bounds = [(low - here, high - here) for (low, high), here in zip((hits, alarms), begin, strict=True)]
    return slice(first, last + 1), begin, bounds


def _cumulative(part: Array) -> Array:
    total = np.cumsum(part, -1, dtype=float)
    return np.concatenate([np.zeros((*total.shape[:-1], 1)), total], -1)


class OrderedRows(Evidence):
    """Several orderings of the same rows, each row a cell of its own."""

    truth: Array
    weight: Array | None  # (..., rows)

    @property
    def cells(self) -> Array:
        return np.ones(len(self.truth)) if self.weight is None else self.weight

    @property
    def parts(self) -> Array:
        return self.truth

    def of_each_weighting(self, numbers: Callable[[Array], Array]) -> Array:
        """Return numbers of each weighting of the rows, behind its leading axes."""
        result = np.array([numbers(weight) for weight in self.cells.reshape(-1, len(self.truth))])
        return result.reshape((*self.cells.shape[:-1], *result.shape[1:]))


@dataclass(frozen=True, eq=False)
class Orderings(OrderedRows):
    """An ordering for each class, of the same rows, which its blocks remember."""

    members: tuple[Ordering, ...]
    truth: Array
    weight: Array | None = None
    sampling: Sampling | None = None

    @property
    def cells_of_rows(self) -> list[Array]:
        """The cell of each row in each of the orderings."""
        return [member.sampling.cell for member in self.members if member.sampling is not None]

    def reweigh(self, cells: Array) -> Orderings:
        again, members = Orderings(self.members, self.truth, cells), []
        for member, cell in zip(self.members, self.cells_of_rows, strict=True):
            totals = again.of_each_weighting(partial(np.bincount, cell, minlength=2 * member.blocks))
            members.append(member.reweigh(totals))
        return replace(again, members=tuple(members))

    @property
    def sampled_members(self) -> list[Ordering]:
        """The orderings, each with how the rows were sampled."""
        every = self.sampling
        return [
            replace(member, sampling=None if every is None else replace(every, cell=cell[every.cell]))
            for member, cell in zip(self.members, self.cells_of_rows, strict=True)
        ]

    def prior(self) -> Array:
        """Share of rows of each true class, classes on the last axis."""
        return self.of_each_weighting(lambda w: np.bincount(self.truth, w, len(self.members)) / w.sum())


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
        return self.of_each_weighting(lambda weight: np.bincount(self.truth, weight, len(self.places)))

    @cached_property
    def areas(self) -> Array:
        """`areas[..., i, j]`: the chance that a row of class i is above one of class j, of classes that differ."""

        def rows_below(weight: Array) -> Array:
            """Pairs of rows in which the row of class i is below that of class j, ties counting half."""
            return np.array([np.bincount(self.truth, weight * one.below(weight), number) for one in self.places])

        number, pairs = len(self.places), self.totals[..., :, None] * self.totals[..., None, :]
        return np.clip(1 - ratio(self.of_each_weighting(rows_below), pairs), 0.0, 1.0)

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
