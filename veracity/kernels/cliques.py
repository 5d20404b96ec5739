"""Which pairs of learners can all be equal at once: a dynamic programme over sets of learners as bit masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def most_equal(sees: Array, tested: Array) -> Array:
    """For each set of learners, the most tested pairs that are equal when that set is; -1 where it cannot be.

    Bit j of `sees[i]` says that i and j may be equal, bit j of `tested[i]` that their p-value is there. Place 0, the
    set without learners, holds the most pairs over all partitions.
    """
    k = sees.shape[0]
    sets = 1 << k
    ones = np.zeros(sets, np.int64)
    low = np.zeros(sets, np.int64)
    inside = np.zeros(sets, np.int64)  # tested pairs within the set, or -1 where two of it cannot be equal
    for members in range(1, sets):
        ones[members] = ones[members >> 1] + (members & 1)
        low[members] = 0 if members & 1 else low[members >> 1] + 1
    for members in range(1, sets):
        v = low[members]
        rest = members & (members - 1)
        possible = inside[rest] >= 0 and (sees[v] & rest) == rest
        inside[members] = inside[rest] + ones[tested[v] & rest] if possible else -1
    best = np.zeros(sets, np.int64)
    for members in range(1, sets):
        v = low[members]
        own = members & -members
        pool = members & sees[v]
        others = pool
        most = -1
        while True:
            block = own | others
            if inside[block] >= 0:
                most = max(most, inside[block] + best[members ^ block])
            if others == 0:
                break
            others = (others - 1) & pool
        best[members] = most
    through = np.full(sets, -1, np.int64)
    for members in range(sets):
        if inside[members] >= 0:
            through[members] = inside[members] + best[(sets - 1) ^ members]
    for v in range(k):  # a set is equal whenever a larger one is
        for members in range(sets):
            if not (members >> v) & 1:
                through[members] = max(through[members], through[members | (1 << v)])
    return through
