"""The ordering of many plain rows by probability: value and class in one number, one sort, one sweep.

It answers as the `Ordering` of the same rows does, whose blocks it writes out where somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.evidence.ordering import Ordering, part_within
from veracity.evidence.sort_rows import sort_signed
from veracity.kernels import block_influence, packed, sweep
from veracity.kernels.compile import PLAIN_BELOW
from veracity.records.arrays import Array, freeze, ratio, shift_powers


class Swept(NamedTuple):
    """What one sweep tells: sums for scores, and marks between which there are a few blocks."""

    sums: Array
    marked: Array  # the first ones of those at each mark
    rows: Array  # above each mark, of which the first is the top
    hits: Array
    blocks: Array

    @property
    def alarms(self) -> Array:
        return self.rows - self.hits


class PackedOrdering(Ordering):
    """Rows sorted by probability, lowest first; a negative sign says that a row is of the negative class."""

    signed: Array

    def __init__(self, signed: Array, positives: int) -> None:
        self.__dict__.update(signed=signed, sampling=None)
        self.__dict__["all_positives"] = np.array(float(positives))
        self.__dict__["all_negatives"] = np.array(float(len(signed) - positives))

    @classmethod
    def of_rows(cls, chance: Array, is_positive: Array) -> PackedOrdering:
        """From probabilities, which lie between 0 and 1, and the class of each row."""
        return cls(sort_signed(chance, is_positive), int(np.count_nonzero(is_positive)))

    @cached_property
    def swept(self) -> Swept:
        most = len(self.signed) // packed.STRETCH + 2
        marks, marked = np.zeros((most, 3), np.int64), np.zeros((most, packed.MARKED))
        of_class = (max(float(number), 1.0) for number in (self.all_positives, self.all_negatives))
        sums, number = packed.sweep_signed(self.signed, *of_class, marks[1:], marked[1:])
        return Swept(sums, marked[: number + 1], *marks[: number + 1].T)

    @property
    def blocks(self) -> int:
        return int(self.swept.blocks[-1])

    @cached_property
    def _blocks(self) -> Ordering:
        return self.stretches(slice(None)).ordering

    @cached_property
    def positives(self) -> Array:
        return self._blocks.positives

    @cached_property
    def negatives(self) -> Array:
        return self._blocks.negatives

    @cached_property
    def values(self) -> Array:
        size = np.abs(self.signed[::-1])
        return freeze(size[np.append(True, size[1:] != size[:-1])])

    def stretches(self, marks: Array | slice, detailed: Array | None = None) -> Stretches:
        """What lies between marks: block by block, or as one block where it is not detailed."""
        rows, hits, blocks = (part[marks] for part in self.swept[2:])
        every = np.ones(len(rows) - 1, bool) if detailed is None else detailed
        size = int(np.where(every, np.diff(blocks), 1).sum())
        positives, negatives = np.empty(size, np.int64), np.empty(size, np.int64)
        packed.stretch_blocks(self.signed, rows, hits, every, positives, negatives)
        return Stretches(Ordering(positives, negatives), blocks, every)

    def details(self, first: int, last: int) -> Stretches:
        """Block by block between two marks, as one block above and one below."""
        marks = np.unique(np.concatenate([[0], np.arange(first, last + 1), [len(self.swept.rows) - 1]]))
        return self.stretches(marks, (marks[:-1] >= first) & (marks[1:] <= last))

    def inside(self, block: Array) -> tuple[Array, Array]:
        stretch = self.stretch(block + 1, self.swept.blocks)
        own = self.stretches(slice(stretch, stretch + 2)).ordering
        return own.inside(block - self.swept.blocks[stretch])

    def stretch(self, number: Any, marks: Array) -> int:
        """The stretch in which so many rows, or blocks, are reached."""
        return min(max(int(np.searchsorted(marks, float(number))) - 1, 0), len(marks) - 2)

    def vertices(self, hits: tuple[float, float], alarms: tuple[float, float]) -> tuple[Array, Array]:
        at = self.swept
        near, begin, bounds = part_within(at.hits, at.rows - at.hits, hits, alarms)
        tp, fp = self.stretches(near).ordering.vertices(*bounds)
        return tp + begin[0], fp + begin[1]

    def area_variance(self, area: float) -> float:
        of_class = (self.swept.sums[2], float(self.all_positives)), (self.swept.sums[5], float(self.all_negatives))
        return float(sum(squares / ((number - 1) * number) for squares, number in of_class))

    def sweep(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel's answer, from what was swept where that tells it."""
        known = TOLD.get(kernel)
        found = None if known is None else known(self, *arguments)
        return super().sweep(kernel, *arguments) if found is None else found


def load_loops() -> None:
    """The machine code of sort and sweep, half a second that can pass while a file is read."""
    chance = np.linspace(0, 1, PLAIN_BELOW)
    _ = PackedOrdering.of_rows(chance, chance > 0.5).swept


class Stretches(NamedTuple):
    """Blocks of an ordering, some of them put together, and where those of each stretch begin and end among all."""

    ordering: Ordering
    blocks: Array
    detailed: Array

    def numbers(self, places: Array) -> Array:
        """The number among all blocks of the last that a block of these holds."""
        size = np.where(self.detailed, np.diff(self.blocks), 1)
        stretch = np.searchsorted(np.cumsum(size), places, "right")
        before = places - (np.cumsum(size) - size)[stretch]
        found: Array = np.where(self.detailed[stretch], self.blocks[stretch] + before, self.blocks[stretch + 1] - 1)
        return found

    def answer(self, kernel: Any, *arguments: Any) -> Array:
        """Of a kernel whose second number is a block."""
        found: Array = self.ordering.sweep(kernel, *arguments)
        found[1] = self.numbers(found[1].astype(np.intp))
        return found


def _area(o: PackedOrdering) -> Array:
    return np.asarray(o.swept.sums[0])


def _precision(o: PackedOrdering) -> Array:
    return np.asarray(o.swept.sums[7])


def _area_influence(o: PackedOrdering, positives: Array, negatives: Array, write: bool) -> tuple[Array, ...] | None:
    """A placement is what a false positive rate leaves of 1, or a true positive rate."""
    if write:
        return None
    sums, total = o.swept.sums, positives + negatives
    area = sums[0] / (positives * negatives)
    of_positive = _powers(positives, sums[1:4], 1 - area, total / positives)
    return (np.array([of_positive, _powers(negatives, sums[4:7], -area, total / negatives)]),)


def _precision_influence(
    o: PackedOrdering, positives: Array, negatives: Array, write: bool
) -> tuple[Array, ...] | None:
    """What later rows give is what earlier ones leave of the whole."""
    if write:
        return None
    sums, scale = o.swept.sums, (positives + negatives) / positives
    of_positive = _powers(positives, sums[8:11], sums[14] - sums[7] / positives, scale)
    return (np.array([of_positive, _powers(negatives, sums[11:14], -sums[15], scale)]),)


def _powers(number: Any, moments: Array, shift: Any, scale: Any = 1.0) -> Array:
    """Sums of the powers 0 to 3 of numbers, from their mean and sums around it, after each is shifted and scaled."""
    mean, second, third = moments
    return shift_powers(number, np.array([0.0, second, third]), mean + shift, scale)


def _area_until(o: PackedOrdering, alarms: Array) -> Array:
    """That above the mark before, whose hits stand over what is left, and that of the stretch in which it ends."""
    stretch, at = o.stretch(alarms, o.swept.alarms), o.swept
    left = alarms - at.alarms[stretch]
    own: Array = o.stretches(slice(stretch, stretch + 2)).ordering.sweep(sweep.area_until, left)
    return at.marked[stretch, 0] + at.hits[stretch] * left + own


def _area_until_influence(
    o: PackedOrdering, positives: Array, negatives: Array, limit: float, write: bool
) -> tuple[Array, ...] | None:
    """As the kernel has it: blocks above the mark before by their sums, those of the stretch each, the others at once.

    Of a block of which a `part` lies within the limit, `height` is what its false positive rate leaves of that, on
    average, and `by_start`, `by_end` how its ends move it.
    """
    if write:
        return None
    at, stretch = o.swept, o.stretch(limit * negatives, o.swept.alarms)
    sums, above, seen = at.marked[stretch], float(at.hits[stretch]), float(at.alarms[stretch])
    blocks = o.stretches(slice(stretch, stretch + 2)).ordering
    hits, alarms = blocks.positives.astype(float), blocks.negatives.astype(float)
    start, end = (seen + np.cumsum(alarms) - alarms) / negatives, (seen + np.cumsum(alarms)) / negatives
    wide = np.where(alarms > 0, end - start, 1.0)  # one without false positives lies within the limit or beyond
    part = np.where(alarms > 0, np.clip((limit - start) / wide, 0, 1), start < limit)
    height = np.where(part < 1, part * (limit - start) / 2, limit - (start + end) / 2)
    by_start, by_end = part**2 / 2 - part, -(part**2) / 2
    area = (above * (sums[1] + limit) + hits @ height) / positives
    later = hits @ (by_start + by_end) - above
    pull = (above * sums[1] + hits @ (by_start * start + by_end * end)) / positives
    own = (later + above - np.cumsum(hits * (by_start + by_end)) + hits * by_end) / positives - pull
    of_positive = _powers(above, sums[1:4], limit - area)
    of_negative = _powers(seen, sums[4:7], later / positives - pull)
    power = np.arange(4)[:, None]
    of_positive += (height - area) ** power @ hits + (positives - above - hits.sum()) * (-area) ** power[:, 0]
    of_negative += own**power @ alarms + (negatives - seen - alarms.sum()) * (-pull) ** power[:, 0]
    total = positives + negatives
    found = of_positive * (total / positives) ** power[:, 0], of_negative * (total / negatives) ** power[:, 0]
    return (np.array(found),)


def _cut(o: PackedOrdering, selected: Array) -> Array:
    stretch = o.stretch(selected, o.swept.rows)
    return o.details(stretch, stretch + 1).answer(sweep.cut, selected)


def _crossing(o: PackedOrdering, positives: Array, negatives: Array) -> Array:
    """In the stretch at whose end false positives are the more frequent for the first time, or beside it."""
    at = o.swept
    beyond = (at.rows - at.hits) / negatives >= 1 - at.hits / positives
    first = max(int(np.argmax(beyond)) - 2, 0)
    near = o.details(first, min(first + 3, len(at.rows) - 1))
    return near.answer(sweep.crossing, positives, negatives)


def _best_f(o: PackedOrdering, positives: Array, beta_squared: float) -> Array:
    """Only in stretches that could hold a better point than the best mark, had they all their positives first."""
    at, most = o.swept, np.diff(o.swept.hits)

    def value(rows: Array) -> Array:
        return ratio((1 + beta_squared) * at.hits[1:], beta_squared * positives + rows)  # of nothing, without positives

    could = value(at.rows[:-1] + most) >= value(at.rows[1:]).max() * (1 - 1e-12)
    return o.stretches(slice(None), could).answer(sweep.best_f, positives, beta_squared)


def _hull(o: PackedOrdering) -> tuple[Array, Array, Array]:
    """Only in stretches whose upper left corner is not below the hull of the marks."""
    at = o.swept
    alarms = at.rows - at.hits
    _, tall, wide = o.stretches(slice(None), np.zeros(len(alarms) - 1, bool)).ordering.sweep(sweep.hull)
    tall, wide = np.append(0.0, tall), np.append(0.0, wide)
    edge = np.clip(np.searchsorted(wide, alarms[:-1], "right") - 1, 0, len(wide) - 2)
    run, rise = np.diff(wide)[edge], np.diff(tall)[edge]
    above = (at.hits[1:] - tall[edge]) * run >= rise * (alarms[:-1] - wide[edge])
    inside = o.stretches(slice(None), above)
    last, tall, wide = inside.ordering.sweep(sweep.hull)
    return inside.numbers(last), tall, wide


def _window(o: PackedOrdering, block: Array, rows: Array) -> Any:
    """A block has at least one row, so that the window spans no more blocks than it has rows."""
    blocks, number, most = o.swept.blocks, int(block), int(rows) + 1
    first = max(int(np.searchsorted(blocks, number - most, "right")) - 1, 0)
    last = min(int(np.searchsorted(blocks, number + most + 1)), len(blocks) - 1)
    own = o.stretches(slice(first, last + 1)).ordering
    return own.sweep(block_influence.window_counts, np.asarray(number - blocks[first]), rows)


TOLD: dict[Any, Callable[..., Any]] = {
    sweep.rank_area: _area,
    sweep.precision_sum: _precision,
    sweep.area_until: _area_until,
    sweep.cut: _cut,
    sweep.crossing: _crossing,
    sweep.best_f: _best_f,
    sweep.hull: _hull,
    block_influence.rank_area: _area_influence,
    block_influence.precision_sum: _precision_influence,
    block_influence.area_until: _area_until_influence,
    block_influence.window_counts: _window,
}
