"""The smallest size, or the smallest effect, at which a test has the power that is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from veracity.core.errors import Refused

STEPS = 60  # halvings that leave nothing of an interval of numbers
SMOOTH = 10**6  # a size beyond which one count more or less changes nothing that is printed


def smallest_size(power: Callable[[Any], Any], wanted: float, least: int, most: int, jagged: bool) -> int | None:
    """The size from which on power is never below what is wanted; None where no size is enough."""
    low, high = least - 1, least
    while power(high) < wanted:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
    return _without_dips(power, wanted, high) if jagged else high


def _without_dips(power: Callable[[Any], Any], wanted: float, size: int) -> int:
    """Past the last size at which a count that does not yet suffice lowers power again."""
    while size <= SMOOTH:
        ahead = np.arange(size, size + math.ceil(20 * math.sqrt(size)) + 200)
        dips = np.flatnonzero(power(ahead) < wanted)
        if not len(dips):
            break
        size = int(ahead[dips[-1]]) + 1
    return size


def smallest_effect(power: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """By halving; refused where even the largest effect is not seen so often."""
    found = power(high)
    if found < wanted:
        raise Refused(f"even the largest possible effect, {high:g}, is found with power {found:.3g} only", "no-power")
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
        if high - low <= 1e-9 * high:
            break
    return high
