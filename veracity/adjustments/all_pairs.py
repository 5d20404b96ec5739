"""Adjustments for all pairs of some learners, which use that equality is transitive."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from veracity.adjustments.entry import Family, adjustment, step_down
from veracity.kernels.cliques import most_equal
from veracity.records.arrays import Array

MOST = 16  # learners whose sets of pairs can be gone through


@adjustment("Shaffer", cite=("shaffer1986", "garcia2008"), assumes=("LOGIC",), pairs=True, aliases="shaffer_static")
def shaffer(family: Family) -> Array:
    """Holm with the largest number of pairs that can be equal when so many are not.

    A pair that was not tested may be equal or not; the larger number counts.
    """
    possible = np.array(sorted(possible_numbers(family.learners)))
    still_open = np.arange(family.size, 0, -1)
    true = possible[np.searchsorted(possible, still_open + family.missing, side="right") - 1]
    return step_down(family, np.minimum(true, still_open) * family.ascending)


@adjustment("Shaffer, dynamic", cite=("shaffer1986", "garcia2008"), assumes=("LOGIC",), pairs=True, learners=MOST)
def shaffer_dynamic(family: Family) -> Array:
    """Holm with the largest number of pairs that can be equal when those with smaller p-values are not.

    Takes 3^k steps for each p-value of k learners, so it ends at 16 learners.
    """
    shaffer_dynamic.check_learners(family)
    levels = np.unique(family.p)
    terms = np.array([level * through[0] for level, through in _by_level(family)])
    return np.maximum.accumulate(terms)[np.searchsorted(levels, family.p)]


@adjustment(
    "Bergmann-Hommel",
    cite=("bergmann1988", "garcia2008"),
    assumes=("LOGIC",),
    pairs=True,
    learners=MOST,
    aliases="bergmann",
)
def bergmann_hommel(family: Family, *, cumulative: bool = False) -> Array:
    """The strongest here: over all sets of pairs that can be equal together and hold this one, size times smallest p.

    A pair with a larger p-value may get a smaller adjusted one; `cumulative=True` takes the running maximum. Equal
    p-values need not get equal values, since the place among the learners matters. Takes 3^k steps for each p-value of
    k learners, so it ends at 16 learners.
    """
    bergmann_hommel.check_learners(family)
    first, second, _ = family.ends
    both = (1 << first) | (1 << second)
    adjusted = np.zeros(family.size)
    for level, through in _by_level(family):
        np.maximum(adjusted, level * through[both], out=adjusted, where=family.p >= level)
    return _running_maximum(family.p, adjusted) if cumulative else adjusted


@cache
def possible_numbers(learners: int) -> frozenset[int]:
    """How many pairs of learners can be equal, over all ways to sort them into groups of equals."""
    possible = [1]  # bit n of the entry at k says that n pairs of k learners can be equal
    for k in range(1, learners + 1):
        bits = 0
        for j in range(1, k + 1):
            bits |= possible[k - j] << j * (j - 1) // 2
        possible.append(bits)
    return frozenset(n for n in range(possible[learners].bit_length()) if possible[learners] >> n & 1)


def _by_level(family: Family) -> Iterator[tuple[float, Array]]:
    """For each p-value, the most pairs that are equal through each set when pairs with smaller ones are not."""
    first, second, k = family.ends
    tested = _masks(first, second, k)
    everybody = ((1 << k) - 1) ^ (1 << np.arange(k))
    for level in np.unique(family.p):
        apart = family.p < level
        sees = everybody & ~_masks(first[apart], second[apart], k)
        yield float(level), most_equal(sees, tested)


def _masks(first: Array, second: Array, k: int) -> Array:
    """For each learner, the learners it has a pair with, as bits."""
    partners = np.zeros(k, np.int64)
    np.bitwise_or.at(partners, first, 1 << second)
    np.bitwise_or.at(partners, second, 1 << first)
    return partners


def _running_maximum(p: Array, adjusted: Array) -> Array:
    """The running maximum in the order of p; equal p-values share the largest."""
    levels, place = np.unique(p, return_inverse=True)
    largest = np.zeros(len(levels))
    np.maximum.at(largest, place, adjusted)
    return np.maximum.accumulate(largest)[place]
