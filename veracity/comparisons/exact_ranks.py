"""The law of Friedman's statistic when every order of a data set's ranks is as likely: exact, or by permuting."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from veracity.comparisons.many import doubled
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.records.arrays import Array

MOST = {3: 200, 4: 40, 5: 14, 6: 6}  # data sets by learners: two seconds and 400 megabytes at most
CHUNK = 2_000_000  # ranks permuted at a time


def exact_tail(ranks: Array) -> float:
    """Chance of rank sums at least as uneven, given the ties of each data set.

    Data sets are added one by one. The statistic does not care which learner has which sum, so the sums are kept
    sorted, with the chance of each; the last data set needs no sorting.
    """
    n, k = ranks.shape
    if n > MOST.get(k, 0):
        raise Refused(_too_large(k), "too-large")
    rows = doubled(ranks).astype(np.int64)
    observed = int(np.square(rows.sum(axis=0)).sum())
    sums, chance = np.sort(rows[:1], axis=1), np.ones(1)
    for row in rows[1:-1]:
        sums, chance = _added(sums, chance, row)
    tail = 0.0
    for order in _orders(rows[-1]):
        tail += chance[np.square(sums + order).sum(axis=1) >= observed].sum()
    return min(1.0, tail / len(_orders(rows[-1])))


def _added(sums: Array, chance: Array, row: Array) -> tuple[Array, Array]:
    """The sorted sums after one more data set, each once."""
    orders = _orders(row)
    wide = np.sort(sums[:, None, :] + orders, axis=2).reshape(-1, len(row))
    low, span = wide.min(), int(np.ptp(wide)) + 1
    keys = (wide - low) @ (span ** np.arange(len(row) - 1, -1, -1))  # as digits of one number: quicker to tell apart
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    weight = np.bincount(place, np.repeat(chance / len(orders), len(orders)))
    return wide[first], weight


def _orders(row: Array) -> Array:
    """The different arrangements of the ranks of one data set, all as likely."""
    return np.array(sorted(set(permutations(row.tolist()))))


def _too_large(k: int) -> str:
    sizes = ", ".join(f"{learners} on {most}" for learners, most in MOST.items())
    return f"the exact law is feasible for {sizes} data sets at most: use friedman(draws=10000) or iman_davenport"


def permuted_tail(ranks: Array, draws: int, seed: int) -> tuple[float, float]:
    """The share of permutations within data sets, this one among them, with sums as uneven; and its error."""
    if draws < 1:
        raise BadInput(f"draws is how often the ranks are permuted, such as 10000, not {draws}")
    rows = doubled(ranks)
    observed = np.square(rows.sum(axis=0)).sum()
    random = generator(seed, "friedman")
    extreme = 0
    for size in _chunks(draws, rows.size):
        shuffled = random.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=2)
        extreme += int((np.square(shuffled.sum(axis=1)).sum(axis=1) >= observed).sum())
    p = (1 + extreme) / (draws + 1)
    return p, math.sqrt(p * (1 - p) / draws)


def _chunks(draws: int, cells: int) -> list[int]:
    step = max(1, CHUNK // cells)
    return [min(step, draws - done) for done in range(0, draws, step)]
