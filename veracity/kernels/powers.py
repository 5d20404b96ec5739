"""Summed powers of numbers that each count once."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def powers(numbers: Array) -> Array:
    """How many there are, their sum, and the sums of their squares and cubes, in one pass."""
    first, second, third = 0.0, 0.0, 0.0
    for i in range(numbers.shape[0]):
        x = float(numbers[i])
        first += x
        second += x * x
        third += x * x * x
    return np.array([float(numbers.shape[0]), first, second, third])
