"""Loops whose every step needs the one before: a gambler's capital, critical values, Gibbs sweeps, signed ranks."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from veracity.kernels.compile import Array, kernel

ROUNDS = 12  # by interpolation; then the range of values is halved


@kernel
def betting_stakes(losses: Array, reach: float) -> Array:
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


@kernel
def rank_sums(ordered: Array, tie: float) -> Array:
    """Of each row of differences in order: rank sums of both signs, squared ranks, nonzero ones, ranked zeros, ties.

    Zeros are ranked below the rest and count half on each side, one left out if their number is odd. Sizes are alike
    whose gap is at most the share `tie` of the largest.
    """
    rows, n = ordered.shape
    out = np.zeros((rows, 6))
    for r in range(rows):
        d = ordered[r]
        left = 0
        while left < n and d[left] < 0:
            left += 1
        right = left
        while right < n and d[right] == 0:
            right += 1
        zeros = right - left
        zeros -= zeros % 2
        shared = zeros * (zeros + 1) / 4
        plus = shared
        minus = shared
        squares = zeros * ((zeros + 1) / 2) ** 2
        nonzero = left + n - right
        close = tie * max(-d[0], d[n - 1])
        rank = zeros
        ties = 0
        left -= 1
        while left >= 0 or right < n:  # outwards from 0, by size
            below = 0
            above = 0
            last = np.inf
            while left >= 0 or right < n:  # those that only rounding tells apart
                size = -d[left] if left >= 0 else np.inf
                mirrored = right < n and d[right] < size
                if mirrored:
                    size = d[right]
                if size - last > close:
                    break
                last = size
                if mirrored:
                    above += 1
                    right += 1
                else:
                    below += 1
                    left -= 1
            alike = below + above
            middle = rank + (alike + 1) / 2
            plus += above * middle
            minus += below * middle
            squares += alike * middle * middle
            ties += alike - 1
            rank += alike
        out[r, 0] = plus
        out[r, 1] = minus
        out[r, 2] = squares
        out[r, 3] = nonzero
        out[r, 4] = zeros
        out[r, 5] = ties
    return out


@kernel
def sums_at(ordered: Array, places: Array) -> Array:
    """Of each row of numbers in order, the sums of two of them (each with itself too) at three places of their order.

    Counting the sums up to a value takes one walk along the edge of a staircase (Johnson and Mizoguchi), on which lie
    the largest sum up to it and the smallest above it. Three values are counted at once, for nearly the cost of one;
    each tells of all three places, and the next ones are interpolated. The last column is the sum that follows the
    second place.
    """
    rows, size = ordered.shape
    all_pairs = size * (size + 1) // 2
    out = np.zeros((rows, 4))
    k = np.zeros(3, np.int64)
    low = np.zeros(3)  # the smallest sum that the place can hold
    high = np.zeros(3)  # the largest
    before = np.zeros(3, np.int64)  # sums below `low`
    until = np.zeros(3, np.int64)  # sums up to `high`
    at = np.zeros(3)
    counts = np.zeros(3, np.int64)
    under = np.zeros(3)
    over = np.zeros(3)
    for r in range(rows):
        for step in (16, 1):  # every 16th number tells where to look among all
            d = ordered[r, step // 2 :: step] if size > 16 * 4 else ordered[r]
            n = d.shape[0]
            pairs = n * (n + 1) // 2
            for t in range(3):
                k[t] = places[t] if n == size else int(places[t] / all_pairs * pairs)
                at[t] = low[t] if step == 1 else d[0] + d[n - 1]
                low[t] = d[0] + d[0]
                high[t] = d[n - 1] + d[n - 1]
                before[t] = 0
                until[t] = pairs
            turn = 0
            while low[0] < high[0] or low[1] < high[1] or low[2] < high[2]:
                i0 = 0
                i1 = 0
                i2 = 0
                j0 = n - 1
                j1 = n - 1
                j2 = n - 1
                c0 = 0
                c1 = 0
                c2 = 0
                u0 = -np.inf
                u1 = -np.inf
                u2 = -np.inf
                o0 = np.inf
                o1 = np.inf
                o2 = np.inf
                a0 = at[0]
                a1 = at[1]
                a2 = at[2]
                for _ in range(n):
                    s0 = d[i0] + d[j0]
                    s1 = d[i1] + d[j1]
                    s2 = d[i2] + d[j2]
                    in0 = s0 <= a0
                    in1 = s1 <= a1
                    in2 = s2 <= a2
                    c0 += (j0 - i0 + 1) if in0 else 0
                    c1 += (j1 - i1 + 1) if in1 else 0
                    c2 += (j2 - i2 + 1) if in2 else 0
                    u0 = max(u0, s0 if in0 else -np.inf)
                    u1 = max(u1, s1 if in1 else -np.inf)
                    u2 = max(u2, s2 if in2 else -np.inf)
                    o0 = min(o0, np.inf if in0 else s0)
                    o1 = min(o1, np.inf if in1 else s1)
                    o2 = min(o2, np.inf if in2 else s2)
                    i0 += 1 if in0 else 0
                    i1 += 1 if in1 else 0
                    i2 += 1 if in2 else 0
                    j0 -= 0 if in0 else 1
                    j1 -= 0 if in1 else 1
                    j2 -= 0 if in2 else 1
                counts[0] = c0
                counts[1] = c1
                counts[2] = c2
                under[0] = u0
                under[1] = u1
                under[2] = u2
                over[0] = o0
                over[1] = o1
                over[2] = o2
                for t in range(3):
                    for s in range(3):
                        if counts[s] <= k[t]:  # the place lies above what was counted
                            if counts[s] >= before[t]:
                                before[t] = counts[s]
                                low[t] = over[s]
                            if counts[s] == k[t]:
                                high[t] = over[s]
                        else:
                            if counts[s] <= until[t]:
                                until[t] = counts[s]
                                high[t] = under[s]
                            if counts[s] == k[t] + 1:
                                low[t] = under[s]
                turn += 1
                for t in range(3):
                    wide = high[t] - low[t]
                    inside = until[t] - before[t]
                    share = (k[t] + 0.5 - before[t]) / inside
                    if turn > ROUNDS:
                        share = 0.5
                    at[t] = min(low[t] + share * wide, high[t])
                    dense = (counts[2] - counts[0]) / (a2 - a0) if a2 > a0 else 0.0
                    if (
                        turn <= ROUNDS and dense > 0 and inside > 4 * n
                    ):  # one end is far: a little beyond, by the near one
                        ahead = k[t] + 0.5 - before[t]
                        behind = until[t] - k[t] - 0.5
                        near = low[t] + 1.5 * ahead / dense if ahead < behind else high[t] - 1.5 * behind / dense
                        at[t] = min(max(near, low[t]), high[t])
                    if at[t] >= high[t]:
                        at[t] = low[t]
        for t in range(3):
            out[r, t] = low[t]
        i0 = 0
        j0 = n - 1
        c0 = 0
        o0 = np.inf
        for _ in range(n):
            s0 = d[i0] + d[j0]
            in0 = s0 <= low[1]
            c0 += (j0 - i0 + 1) if in0 else 0
            o0 = min(o0, np.inf if in0 else s0)
            i0 += 1 if in0 else 0
            j0 -= 0 if in0 else 1
        out[r, 3] = low[1] if c0 > places[1] + 1 else o0
    return out
