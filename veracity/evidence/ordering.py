"""Rows sorted by value, one ordering or several of the same rows, and the area under its ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.sort_rows import distinct_values
from veracity.kernels import sweep
from veracity.records.arrays import Array, as_numbers, freeze

STRETCH = 1 << 16  # blocks between two marks


@dataclass(frozen=True, eq=False, repr=False)
class Ordering(Evidence):
    """Weight of positive and of negative rows in each block of equal values, highest value first."""

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
        of_classes = (np.diff(np.searchsorted(part, values), append=len(part))[::-1] for part in (positives, negatives))
        return cls(*of_classes, values[::-1] if keep_values else None)

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
        if self.positives.ndim == 1 and self.positives.dtype.kind in "iu" and self.blocks > STRETCH:
            return self._vertices_of_part(hits, alarms)
        first, last = reached(self.tp, self.fp, hits, alarms)
        near = slice(max(first - 1, 0), last + 1)
        return self.tp[near], self.fp[near]

    def _vertices_of_part(self, hits: tuple[float, float], alarms: tuple[float, float]) -> tuple[Array, Array]:
        """The same, found by marks: of all blocks the sums alone would take more room than their rows."""
        starts = np.arange(0, self.blocks, STRETCH)
        marks = [_cumulative(np.add.reduceat(part, starts, dtype=float)) for part in (self.positives, self.negatives)]
        near, begin, (of_hits, of_alarms) = part_within(marks[0], marks[1], hits, alarms)
        blocks = slice(near.start * STRETCH, (near.stop - 1) * STRETCH)
        tp, fp = (_cumulative(part[blocks]) for part in (self.positives, self.negatives))
        first, last = reached(tp, fp, of_hits, of_alarms)
        ends = slice(max(first - 1, 0), last + 1)
        return tp[ends] + begin[0], fp[ends] + begin[1]

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


@dataclass(frozen=True, eq=False)
class Orderings(OrderedRows):
    """Orderings whose blocks remember their rows; `rows_of` says which rows each ordering holds."""

    members: tuple[Ordering, ...]
    rows_of: tuple[Array, ...]
    truth: Array
    weight: Array | None = None
    sampling: Sampling | None = None

    def reweigh(self, cells: Array) -> Orderings:
        members = tuple(_reweigh(*each, cells) for each in zip(self.members, self.rows_of, strict=True))
        return Orderings(members, self.rows_of, self.truth, cells)

    @property
    def sampled_members(self) -> tuple[Ordering, ...]:
        """The orderings, each with how its own rows were sampled."""
        return tuple(replace(o, sampling=self._of_rows(o, r)) for o, r in zip(self.members, self.rows_of, strict=True))

    def _of_rows(self, member: Ordering, rows: Array) -> Sampling | None:
        every = self.sampling
        if every is None or member.sampling is None:
            return None
        weight, group = (None if a is None else a[rows] for a in (every.weight, every.group))
        return Sampling(member.sampling.cell, weight, group)

    def prior(self) -> Array:
        """Share of rows of each true class, classes on the last axis."""
        flat = self.cells.reshape(-1, len(self.truth))
        classes = int(self.truth.max()) + 1
        share = np.array([np.bincount(self.truth, w, max(classes, len(self.members))) / w.sum() for w in flat])
        return share.reshape((*self.cells.shape[:-1], -1))


def _reweigh(member: Ordering, rows: Array, cells: Array) -> Ordering:
    assert member.sampling is not None  # members are made with their rows tracked
    cell = member.sampling.cell
    size = 2 * member.positives.shape[-1]
    flat = cells.reshape(-1, cells.shape[-1])
    totals = np.array([np.bincount(cell, weight[rows], size) for weight in flat])
    return member.reweigh(totals.reshape((*cells.shape[:-1], size)))
