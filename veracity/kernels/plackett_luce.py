"""Draws from the posterior of Plackett-Luce weights, one sweep after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def sweeps(random: Any, orders: Array, tied: Array, warmup: int, out: Array) -> None:
    """Gibbs sweeps (Caron and Doucet 2012) after `warmup` ones; `out` gets normalised weights, a row for each.

    `orders` holds the learners of each data set, the best first, and is changed: learners that are tied with the next
    one, as `tied` says, change places by their chance, which averages over all orders that the ties allow.
    """
    rows, k = orders.shape
    weights = np.ones(k)
    rate = np.empty(k)
    count = np.empty(k)
    for sweep in range(-warmup, out.shape[0]):
        rate[:] = 1.0
        count[:] = rows + 1.0
        for i in range(rows):
            behind = 0.0
            for t in range(k - 2, -1, -1):
                a, b = orders[i, t], orders[i, t + 1]
                if tied[i, t]:
                    both = 2 * behind + weights[a] + weights[b]
                    if random.random() * both > behind + weights[a]:
                        orders[i, t], orders[i, t + 1] = b, a
                behind += weights[orders[i, t + 1]]
            left, waited = 0.0, 0.0
            for t in range(k):
                left += weights[orders[i, t]]
            for t in range(k - 1):
                waited += random.standard_exponential() / left
                rate[orders[i, t]] += waited
                left = max(left - weights[orders[i, t]], 1e-300)
            rate[orders[i, k - 1]] += waited
            count[orders[i, k - 1]] -= 1.0
        total = 0.0
        for j in range(k):
            weights[j] = max(random.standard_gamma(count[j]) / rate[j], 1e-300)
            total += weights[j]
        if sweep >= 0:
            for j in range(k):
                out[sweep, j] = weights[j] / total
