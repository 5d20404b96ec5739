"""Points in order, and the flattest line to one of them from each place on the axis before it."""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel


@kernel
def flattest_points(heights: Array) -> Array:
    """For each place t, which of the points (i, heights[i - 1]), i > t, has the least height over i - t.

    From the last place to the first, two ends of a chain move. On the left a point is put before its lower hull. On the
    right a point leaves for good once the one before it is flatter: seen from further left it is so all the more.
    """
    number = len(heights)
    chain, found = np.empty(number, np.int64), np.empty(number, np.int64)
    first, last = number, number - 1
    for t in range(number - 1, -1, -1):
        new = heights[t]
        while first < last:
            near, far = chain[first], chain[first + 1]
            if (heights[near] - new) * (far - t) < (heights[far] - new) * (near - t):
                break
            first += 1
        first -= 1
        chain[first] = t
        while first < last:
            near, far = chain[last - 1], chain[last]
            if heights[near] * (far + 1 - t) > heights[far] * (near + 1 - t):
                break
            last -= 1
        found[t] = chain[last]
    return found
