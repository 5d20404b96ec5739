"""Many plain rows of two models, whose difference is a sum of what rows do to it: drawn by cells of rows that do alike.

A mean of losses is such a sum. A difference of areas is one but for what pairs of rows do beyond both of them: that has
mean 0, goes with neither, and adds to the variance of a sample of n positive and m negative rows at most 1 / (n m).
Inside a cell what drawn rows add up to is taken as normal: mean and variance of the sum are the bootstrap's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.evidence.losses import Losses
from veracity.evidence.same_rows import SameRows
from veracity.intervals.replicates import chunks
from veracity.records.arrays import Array

MANY = 100_000  # rows; fewer are drawn one by one
EACH = 1_000  # rows of either class
REST = 1e-3  # of the variance, that pairs of rows may add beyond what rows do
CELLS = 256  # of each class
BY_CELLS = Note(
    "drawn-by-cells",
    "remark",
    "rows were drawn by cells of rows that do nearly the same to the difference, as there are many: the variance of the"
    f" samples is off by at most {REST:.1%}",
)


class LikeRows(NamedTuple):
    """Rows of one class in cells: how many, what they do to the difference on average, and how that varies."""

    times: Array
    mean: Array
    variance: Array

    @classmethod
    def in_cells(cls, moved: Array) -> LikeRows:
        low, high = float(moved.min()), float(moved.max())
        scale = CELLS / (high - low) if high > low else 0.0
        cell = np.minimum((moved - low) * scale, CELLS - 1).astype(np.int16)
        times, sums, squares = (np.bincount(cell, of_row, CELLS) for of_row in (None, moved, moved * moved))
        met = times > 0
        mean = sums[met] / times[met]
        return cls(times[met], mean, np.maximum(squares[met] / times[met] - mean**2, 0.0))

    @property
    def rows(self) -> int:
        return int(self.times.sum())


@dataclass(frozen=True, eq=False)
class SummedRows:
    """What the rows of each class do to a difference; of a mean all rows are of one."""

    difference: float
    parts: tuple[LikeRows, ...]
    skewness: float  # of what all rows do together
    stratified: bool

    @classmethod
    def of_pair(cls, pair: SameRows, stratified: bool = False) -> SummedRows | None:
        """None where rows are few or not plain, or the difference is no such sum."""
        if len(pair) < MANY or not (pair.first.many_plain and pair.second.many_plain):
            return None
        moved = _moved_by_class(pair, stratified)
        if moved is None:
            return None
        return cls(pair.difference, tuple(map(LikeRows.in_cells, moved)), _skewness(moved), stratified)

    def replicates(self, draws: int, seed: int) -> Array:
        """The difference on `draws` bootstrap samples of the rows."""
        random = generator(seed, "paired bootstrap of sums")
        width = sum(len(part.times) for part in self.parts)
        return np.concatenate([self._replicates(random, number) for _, number in chunks(draws, width)])

    def _replicates(self, random: np.random.Generator, number: int) -> Array:
        found = np.full(number, self.difference)
        for part, drawn in zip(self.parts, self._draw(random, number), strict=True):
            spread = np.sqrt(np.einsum("ij,j->i", drawn, part.variance)) * random.standard_normal(number)
            found += (np.einsum("ij,j->i", drawn, part.mean) + spread) / drawn.sum(1)
        return found

    def _draw(self, random: np.random.Generator, number: int) -> list[Array]:
        """How many rows of each cell are drawn in each sample, class by class."""
        if self.stratified:
            return [random.multinomial(part.rows, part.times / part.rows, size=number) for part in self.parts]
        times = np.concatenate([part.times for part in self.parts])
        drawn = random.multinomial(times.sum(), times / times.sum(), size=number)
        return np.split(drawn, np.cumsum([len(part.times) for part in self.parts])[:-1], axis=1)

    def acceleration(self) -> float:
        """BCa's skewness correction."""
        return self.skewness / 6


def _moved_by_class(pair: SameRows, stratified: bool) -> list[Array] | None:
    """What rows do to the mean of their class, which the difference is the sum of; None where it is not."""
    if pair.areas is not None:
        return _moved_areas(pair)
    if stratified or not pair.score.entry.averages_rows or not isinstance(pair.evidence[0], Losses):
        return None
    first, second = (pair.score.row_values(p) for p in (pair.first, pair.second))
    return [first - second - (first - second).mean()]


def _moved_areas(pair: SameRows) -> list[Array] | None:
    assert pair.areas is not None
    sizes = pair.areas.class_sizes
    if sizes.min() < EACH:
        return None
    influence, is_positive = pair.areas.influence, pair.truth == 1
    moved = [influence[is_positive == own] * (size / len(pair)) for own, size in enumerate(sizes)]
    of_rows = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in moved)
    return moved if 1 / float(sizes.prod()) <= REST * of_rows else None


def _skewness(moved: list[Array]) -> float:
    """Of the sum over the means of all classes."""
    squares = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in moved)
    cubes = sum(float(np.einsum("i,i,i->", part, part, part)) / len(part) ** 3 for part in moved)
    return cubes / squares**1.5 if squares > 0 else 0.0
