"""The capital of a gambler who bets that a mean is not what is claimed."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def stakes(losses: Array, reach: float) -> Array:
    """The stake on each row, from earlier rows only; `reach` is twice the log of the goal, divided by the rows."""
    out = np.empty(losses.shape[0])
    total = 0.5
    squares = 0.25
    for i in range(losses.shape[0]):
        out[i] = (reach * (i + 1) / squares) ** 0.5
        total += losses[i]
        gap = losses[i] - total / (i + 2)
        squares += gap * gap
    return out


@kernel
def wins(losses: Array, stake: Array, claimed: float, goal: float) -> bool:
    """Whether betting on a mean above `claimed`, never more than half, ever multiplies the capital by exp(goal)."""
    most = 0.5 / claimed
    gained = 0.0
    for i in range(losses.shape[0]):
        gained += log(1 + min(stake[i], most) * (losses[i] - claimed))
        if gained >= goal:
            return True
    return False
