"""Sums over many plain rows of two classes: all that the means of their losses need, without a column of losses.

Rows pass through in pieces that stay in the processor's cache. Sums are taken of powers 0 to 3 around a number that a
row in the middle has, so that equal rows have no spread and one far off costs no digits, and by class where a score
asks for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from veracity.kernels.add_rows import add_rows, tell_rows
from veracity.records.arrays import Array, freeze, shift_powers

PIECE = 32_768  # rows
BINS = 10  # of a calibration error by default
SIZES = ((1, 4), (2, 4), (4, 4), BINS)  # of squares, logarithms, what was told, and gaps in bins
SOME = 255  # rows of which the middle one is taken
GOLDEN = 0.6180339887498949  # its multiples spread evenly, and meet every class however rows alternate


class GroupPowers(NamedTuple):
    """Of each group of rows: how many it has, and the sums of the powers 1 to 3 of a number less its `centre`."""

    rows: Array  # (groups,)
    sums: Array  # (groups, 3)
    centre: Array  # (groups,)

    def scaled(self, scale: float) -> Columns:
        """One column: the number times a scale."""
        return Columns(self, np.zeros((len(self.rows), 1)), np.full(len(self.rows), scale))


class Columns(NamedTuple):
    """Columns of losses: in a group each is a shift, and the first adds the number times a scale."""

    powers: GroupPowers
    shift: Array  # (groups, columns)
    scale: Array  # (groups,)

    @property
    def width(self) -> int:
        return int(self.shift.shape[1])

    @property
    def rows(self) -> float:
        return float(self.powers.rows.sum())

    @property
    def means(self) -> Array:
        rows, sums, centre = self.powers
        total = rows @ self.shift
        total[0] += (self.scale * (sums[:, 0] + centre * rows)).sum()
        return total / rows.sum()

    def moments(self, slope: Array) -> Array:
        """Powers 0 to 3, summed over rows, of a weighted sum of the columns less its mean."""
        scale = slope[0] * self.scale
        shift = (self.shift @ slope - slope @ self.means) / scale + self.powers.centre
        each = zip(self.powers.rows, self.powers.sums, shift, scale, strict=True)
        found: Array = np.sum([shift_powers(*one) for one in each], axis=0)
        return found


class Gaps(NamedTuple):
    """Promised less come true, summed over the rows of each bin: of two columns, bin and gap."""

    sums: Array
    rows: float
    width: int = 2


@dataclass(frozen=True, eq=False)
class RowSums:
    """What one pass over the rows adds up; groups are other and own class, or these without and with help."""

    squares: GroupPowers  # of what a row's probability misses, squared: one group
    logs: GroupPowers  # of the logarithm of a row's probability, by class
    told: GroupPowers  # of the logarithm of that or of what it leaves: where it is at least its class's share, of it
    of_bins: Array  # promised less come true, summed in each

    @property
    def gaps(self) -> Gaps:
        return Gaps(self.of_bins, float(self.squares.rows.sum()))

    @property
    def finite(self) -> bool:
        """Whether no row's class was given probability 0."""
        return bool(np.isfinite(self.logs.sums).all())

    @classmethod
    def of_rows(cls, own: Array, is_own: Array, chance: Callable[[Any], Array]) -> RowSums:
        """From the probability of the class that is looked for, and `chance` of some rows: that of each one's class."""
        number = np.count_nonzero(is_own)
        shares = np.array([len(own) - number, number]) / len(own)
        edges = (np.arange(1, BINS) / BINS).astype(own.dtype).astype(float)  # 0.7 of single precision is in its bin
        some = (np.arange(min(SOME, len(own))) * GOLDEN % 1 * len(own)).astype(np.intp)
        centre = _middle(_Piece.of_rows(chance(some), is_own[some], shares))
        total, centres = [np.zeros(size) for size in SIZES], np.concatenate(centre)
        room = np.empty(PIECE), np.empty(PIECE), np.empty(PIECE, np.int8)
        for first in range(0, len(own), PIECE):
            part = slice(first, first + PIECE)
            piece = _Piece.of_rows(chance(part), is_own[part], shares, room)
            sums = [np.zeros(size) for size in SIZES]  # of sums, which rounds less
            with np.errstate(invalid="ignore"):  # a row of no probability less another one, where the piece is short
                add_rows(freeze(np.ascontiguousarray(own[part], np.float64)), *piece, centres, edges, *sums)
            total = [one + more for one, more in zip(total, sums, strict=True)]
        squares, logs, told = (GroupPowers(part[:, 0], part[:, 1:], c) for part, c in zip(total, centre, strict=False))
        return cls(squares, logs, told, total[3])


class _Piece(NamedTuple):
    """Some rows: the group of each, the probability of its class, the logarithms of that and of what was told."""

    group: Array
    said: Array
    log_said: Array
    log_told: Array

    @classmethod
    def of_rows(cls, said: Array, is_own: Array, shares: Array, room: tuple[Array, ...] = ()) -> _Piece:
        number, said = len(said), said.astype(np.float64, copy=False)
        room = room or (np.empty(number), np.empty(number), np.empty(number, np.int8))
        log_said, log_told, group = (part[:number] for part in room)
        tell_rows(said, is_own, shares, log_told, group)
        with np.errstate(divide="ignore"):
            np.log(said, out=log_said)
            np.log(log_told, out=log_told)
        return cls(group, said, log_said, log_told)


def _middle(some: _Piece) -> tuple[Array, Array, Array]:
    """What a row in the middle of each group has of squares, logarithms and what was told; of all, if it has none."""

    def of_groups(numbers: Array, group: Array, groups: int) -> Array:
        own = (numbers[group == code] for code in range(groups))
        return np.array([np.sort(part if len(part) else numbers)[max(len(part), 1) // 2] for part in own])

    every, is_own = np.zeros(len(some.said)), some.group >= 2
    squares = of_groups((1 - some.said) ** 2, every, 1)
    return squares, of_groups(some.log_said, is_own, 2), of_groups(some.log_told, some.group, 4)
