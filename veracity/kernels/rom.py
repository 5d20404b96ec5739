"""Rom's recursion for the critical values of a step-up test."""

from __future__ import annotations

from typing import Any

from veracity.kernels.compile import kernel

Array = Any


@kernel
def critical(level: float, found: Array) -> Array:
    """The critical values at a level, that of the largest p-value first, written into `found`."""
    powers, power = 0.0, 1.0
    for i in range(1, found.shape[0] + 1):
        if i == 1:
            found[0] = level
            continue
        power *= level
        powers += power
        total, choices = powers, float(i)
        for m in range(2, i):
            choices *= (i - m + 1) / m
            term = choices * found[i - m] ** m
            total -= term
            if i > 100 and term < 1e-18 * powers:  # what follows is smaller than the last digit
                break
        found[i - 1] = total / i
    return found
