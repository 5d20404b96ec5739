"""Loops whose every step needs the one before: bets, critical values, sums of ranks, Gibbs sweeps, sets of learners."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from veracity.kernels.compile import Array, kernel

MIN_LEARNERS_COMPILED = 8  # learners: below this, compiling would take longer than the loops themselves


def betting_stakes(losses: Array, reach: float) -> Array:
    """The stake on each row, from earlier rows only; `reach` is twice the log of the goal, divided by the rows."""
    rows = np.arange(1, len(losses) + 1)
    means = np.cumsum(np.append(0.5, losses))[1:] / (rows + 1)
    squares = np.cumsum(np.append(0.25, (losses - means)[:-1] ** 2))
    return np.sqrt(reach * rows / squares)


@kernel
def betting_wins(losses: Array, stake: Array, claimed: float, goal: float) -> bool:
    """Whether betting on a mean above `claimed`, never more than half, ever multiplies the capital by exp(goal)."""
    most = 0.5 / claimed
    gained = 0.0
    for i in range(losses.shape[0]):
        gained += log(1 + min(stake[i], most) * (losses[i] - claimed))
        if gained >= goal:
            return True
    return False


@kernel
def rom_critical_values(level: float, found: Array) -> Array:
    """Rom's critical values of a step-up test at a level, that of the largest p-value first, written into `found`."""
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


@kernel
def coin_sums(doubled: Array, most: int) -> Array:
    """Chances of the sums 0, 1, ..., `most` of the numbers whose coin falls heads."""
    chances = np.zeros(most + 1)
    chances[0] = 1.0
    for number in doubled:
        for total in range(most, -1, -1):
            chances[total] *= 0.5
            if total >= number:
                chances[total] += 0.5 * chances[total - number]
    return chances


@kernel
def plackett_luce_sweeps(random: Any, orders: Array, tied: Array, warmup: int, out: Array) -> None:
    """Draws from the posterior of Plackett-Luce weights, normalised, a row of `out` for each.

    Gibbs sweeps (Caron and Doucet 2012) after `warmup` ones.

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


def most_equal(sees: Array, tested: Array) -> Array:
    """For each set of learners, the most tested pairs that are equal when that set is; -1 where it cannot be.

    Bit j of `sees[i]` says that i and j may be equal, bit j of `tested[i]` that their p-value is there. Place 0, the
    set without learners, holds the most pairs over all partitions.
    """
    steps = (pairs_inside, best_partition, through_sets)
    inside_of, best_of, through_of = (
        step.function if len(sees) < MIN_LEARNERS_COMPILED else step.compiled for step in steps
    )
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
