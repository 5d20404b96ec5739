"""The upper hull of points that are already in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def upper_chain(x: Array, y: Array) -> Array:
    """Which points (sorted by x, then by y) are vertices of their upper hull; points on an edge are none."""
    stack = np.zeros(len(x), np.int64)
    depth = 0
    for i in range(len(x)):
        while depth > 1:
            a, b = stack[depth - 2], stack[depth - 1]
            if (y[i] - y[a]) * (x[b] - x[a]) < (y[b] - y[a]) * (x[i] - x[a]):
                break
            depth -= 1
        stack[depth] = i
        depth += 1
    return stack[:depth].copy()
