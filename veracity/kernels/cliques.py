"""Which pairs of learners can all be equal at once: a dynamic programme over sets of learners as bit masks."""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel

COMPILED_FROM = 8  # learners: below this, compiling would take longer than the loops themselves


def most_equal(sees: Array, tested: Array) -> Array:
    """For each set of learners, the most tested pairs that are equal when that set is; -1 where it cannot be.

    Bit j of `sees[i]` says that i and j may be equal, bit j of `tested[i]` that their p-value is there. Place 0, the
    set without learners, holds the most pairs over all partitions.
    """
    steps = (pairs_inside, best_partition, through_sets)
    inside_of, best_of, through_of = (step.function if len(sees) < COMPILED_FROM else step.compiled for step in steps)
    inside = inside_of(sees, tested)
    return through_of(inside, best_of(sees, inside))


@kernel
def pairs_inside(sees: Array, tested: Array) -> Array:
    """For each set, the tested pairs within it, or -1 where two of it cannot be equal."""
    sets = 1 << sees.shape[0]
    ones = np.zeros(sets, np.int64)
    inside = np.zeros(sets, np.int64)
    for members in range(1, sets):
        ones[members] = ones[members >> 1] + (members & 1)
    for members in range(1, sets):
        rest = members & (members - 1)
        v = ones[(members ^ rest) - 1]  # the lowest member
        possible = inside[rest] >= 0 and (sees[v] & rest) == rest
        inside[members] = inside[rest] + ones[tested[v] & rest] if possible else -1
    return inside


@kernel
def best_partition(sees: Array, inside: Array) -> Array:
    """For each set, the most tested pairs within the blocks of a partition of it."""
    best = np.zeros(inside.shape[0], np.int64)
    for v in range(sees.shape[0] - 1, -1, -1):  # the lowest member: sets of higher ones are done by then
        own = 1 << v
        for members in range(own, inside.shape[0], own << 1):
            pool = members & sees[v]
            others, most = pool, best[members ^ own]
            while others:
                block = own | others
                if inside[block] >= 0:
                    most = max(most, inside[block] + best[members ^ block])
                others = (others - 1) & pool
            best[members] = most
    return best


@kernel
def through_sets(inside: Array, best: Array) -> Array:
    """For each set, the most pairs when it lies within one block; -1 where it cannot."""
    sets = inside.shape[0]
    through = np.full(sets, -1, np.int64)
    for members in range(sets):
        if inside[members] >= 0:
            through[members] = inside[members] + best[(sets - 1) ^ members]
    bit = 1
    while bit < sets:  # a set is equal whenever a larger one is
        for members in range(sets):
            if not members & bit:
                through[members] = max(through[members], through[members | bit])
        bit <<= 1
    return through
