"""Wilcoxon's signed ranks: the sums of many pairs at once, their exact law, and what it says about the difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.normal import two_sided
from veracity.records.arrays import TIE, Array

ZEROS = ("split", "drop", "pratt")
EXACT_UP_TO = 200  # nonzero differences
NORMAL = NormalDist()


@dataclass(frozen=True)
class SignedRanks:
    """The sums of the ranks of positive and negative differences of one pair, and all that their law needs."""

    plus: float
    minus: float
    doubled: Array  # twice the mid-ranks of the nonzero differences, which are whole numbers
    zero_ranks: Array  # ranks of the zeros that count half on each side

    @property
    def smaller(self) -> float:
        return min(self.plus, self.minus)

    @property
    def nonzero(self) -> int:
        return len(self.doubled)

    @property
    def exact_p(self) -> float:
        """Chance of so uneven sums when every sign is a fair coin; given the ties and the zeros that there are."""
        if not self.nonzero:
            return 1.0
        free = 2 * self.smaller - float(self.zero_ranks.sum())  # twice the part that the coins decide
        return min(1.0, 2 * float(law(self.doubled, round(free)).sum()))

    def z(self, continuity: bool = False) -> float:
        """The smaller sum by the normal law; zeros that count half are ranked as if they had signs.

        `continuity` takes half a rank more, as a sum of ranks stands for all that lies half a rank around it.
        """
        ranks = np.concatenate([self.doubled / 2, self.zero_ranks])
        spread = math.sqrt(float((ranks**2).sum())) / 2
        below = self.smaller - float(ranks.sum()) / 2 + (0.5 if continuity else 0.0)
        return min(below, 0.0) / spread if spread else 0.0

    def is_exact(self, exact: bool | None = None) -> bool:
        """Up to 200 nonzero differences, unless said otherwise."""
        return self.nonzero <= EXACT_UP_TO if exact is None else exact

    def p_value(self, exact: bool | None = None, continuity: bool = False) -> float:
        """Two-sided, by the exact law or by the normal one."""
        return self.exact_p if self.is_exact(exact) else two_sided(self.z(continuity))


def signed_ranks(differences: Array, zeros: str = "split") -> SignedRanks:
    """Rank the absolute differences and sum the ranks by sign; `zeros` says what becomes of differences of 0."""
    if zeros not in ZEROS:
        raise BadInput(f"zeros must be 'split', 'drop' or 'pratt', not {zeros!r}")
    d = np.asarray(differences, float)
    alike, d = int((d == 0).sum()), d[d != 0]
    below = {"split": alike - alike % 2, "drop": 0, "pratt": alike}[zeros]  # zeros that are ranked below the rest
    ranks = below + mid_ranks(np.abs(d))
    halves = np.full(below if zeros == "split" else 0, (below + 1) / 2)
    shared = float(halves.sum()) / 2
    return SignedRanks(
        float(ranks[d > 0].sum()) + shared,
        float(ranks[d < 0].sum()) + shared,
        np.rint(2 * ranks).astype(np.int64),
        halves,
    )


def p_values(differences: Array, zeros: str = "split", exact: bool | None = None) -> Array:
    """Two-sided p-values of many pairs: one row of differences (NaN where missing) for each."""
    return np.array([signed_ranks(row[~np.isnan(row)], zeros).p_value(exact) for row in np.atleast_2d(differences)])


def mid_ranks(values: Array) -> Array:
    """Ranks from 1; values that only rounding tells apart tie and share their mean rank."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    largest = ordered[np.isfinite(ordered)].max(initial=0.0)
    with np.errstate(invalid="ignore"):  # infinite values tie: their difference is NaN, which exceeds nothing
        block = np.cumsum(np.diff(ordered, prepend=ordered[:1]) > TIE * largest)
    size = np.bincount(block) if len(block) else np.zeros(0, int)
    ranks = np.empty(len(values))
    ranks[order] = (np.cumsum(size) - (size - 1) / 2)[block]
    return ranks


def law(doubled: Array, most: int) -> Array:
    """Chances of the sums 0, 1, ..., `most` of the numbers whose coin falls heads."""
    chances = np.zeros(max(most, 0) + 1)
    chances[0] = 1.0 if most >= 0 else 0.0
    for number in doubled.tolist():
        chances *= 0.5
        if number <= most:
            chances[number:] += chances[:-number]
    return chances
