"""One pass over the tied blocks of an ordering, highest value first.

Each kernel takes the rows of each class in each block as `(replicates, blocks)` arrays, so that one value and ten
thousand bootstrap replicates are the same call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def rank_area(positives: Array, negatives: Array) -> Array:
    """Pairs (positive, negative) in the right order, ties counting half."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        above = 0.0
        area = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            area += negatives[r, b] * (above + here / 2)
            above += here
        out[r] = area
    return out


@kernel
def area_until(positives: Array, negatives: Array, false_positives: Array) -> Array:
    """Area under (false positives, true positives), both counted, up to a number of false positives."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        limit = false_positives[r]
        hits = 0.0
        alarms = 0.0
        area = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            wide = float(negatives[r, b])
            if alarms + wide >= limit:
                inside = limit - alarms
                if wide > 0:
                    area += inside * (hits + here * inside / wide / 2)
                break
            area += wide * (hits + here / 2)
            hits += here
            alarms += wide
        out[r] = area
    return out


@kernel
def precision_sum(positives: Array, negatives: Array) -> Array:
    """Sum over positive rows of the precision when their block is the last one selected."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        hits = 0.0
        selected = 0.0
        total = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            hits += here
            selected += here + negatives[r, b]
            if here > 0:
                total += here * hits / selected
        out[r] = total
    return out


@kernel
def cut(positives: Array, negatives: Array, selected: Array) -> Array:
    """Where the first `selected` rows end: true positives, block, share of the block taken."""
    out = np.zeros((positives.shape[0], 3))
    for r in range(positives.shape[0]):
        left = selected[r]
        hits = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            size = here + negatives[r, b]
            if size > 0 and (size >= left or b == positives.shape[1] - 1):
                share = min(1.0, left / size)
                out[r, 0] = hits + share * here
                out[r, 1] = b
                out[r, 2] = share
                break
            hits += here
            left -= size
    return out


@kernel
def crossing(positives: Array, negatives: Array, all_positives: Array, all_negatives: Array) -> Array:
    """Where false positive rate meets false negative rate: the common rate, block, share of the block taken."""
    out = np.zeros((positives.shape[0], 3))
    for r in range(positives.shape[0]):
        missed = 1.0
        alarms = 0.0
        for b in range(positives.shape[1]):
            here = positives[r, b] / all_positives[r]
            wide = negatives[r, b] / all_negatives[r]
            if alarms + wide >= missed - here and here + wide > 0:
                share = min(1.0, max(0.0, (missed - alarms) / (here + wide)))
                out[r, 0] = alarms + share * wide
                out[r, 1] = b
                out[r, 2] = share
                break
            missed -= here
            alarms += wide
    return out


@kernel
def best_f(positives: Array, negatives: Array, all_positives: Array, beta_squared: float) -> Array:
    """The largest F-beta over thresholds, its block, hits and rows selected; among equals the highest threshold."""
    out = np.zeros((positives.shape[0], 4))
    for r in range(positives.shape[0]):
        hits = 0.0
        selected = 0.0
        best = -1.0
        for b in range(positives.shape[1]):
            hits += positives[r, b]
            selected += float(positives[r, b]) + negatives[r, b]
            value = (1 + beta_squared) * hits / (beta_squared * all_positives[r] + selected)
            if value > best:
                best = value
                out[r, 1] = b
                out[r, 2] = hits
                out[r, 3] = selected
        out[r, 0] = best
    return out


@kernel
def hull_blocks(positives: Array, negatives: Array) -> Array:
    """For each block, the last block of the upper-hull edge that covers it (one replicate per row)."""
    replicates, blocks = positives.shape
    last = np.zeros((replicates, blocks), np.int64)
    stack = np.zeros(blocks + 1, np.int64)  # hull vertices as the block that ends them, -1 is (0, 0)
    tall = np.zeros(blocks + 1)
    wide = np.zeros(blocks + 1)
    for r in range(replicates):
        depth = 0
        stack[0] = -1
        hits = 0.0
        alarms = 0.0
        for b in range(blocks):
            hits += positives[r, b]
            alarms += negatives[r, b]
            while depth > 0:
                rise = (hits - tall[depth - 1]) * (wide[depth] - wide[depth - 1])
                if rise < (tall[depth] - tall[depth - 1]) * (alarms - wide[depth - 1]):
                    break
                depth -= 1
            depth += 1
            stack[depth] = b
            tall[depth] = hits
            wide[depth] = alarms
        for edge in range(depth):
            for b in range(stack[edge] + 1, stack[edge + 1] + 1):
                last[r, b] = stack[edge + 1]
    return last


@kernel
def hull_area(positives: Array, negatives: Array) -> Array:
    """Area under the upper convex hull of (false positives, true positives), both counted.

    The hull of points with whole coordinates has few vertices, so its stack starts small and grows on demand.
    """
    replicates, blocks = positives.shape
    out = np.zeros(replicates)
    tall = np.zeros(1024)
    wide = np.zeros(1024)
    for r in range(replicates):
        depth = 0
        hits = 0.0
        alarms = 0.0
        for b in range(blocks):
            hits += positives[r, b]
            alarms += negatives[r, b]
            while depth > 0:
                rise = (hits - tall[depth - 1]) * (wide[depth] - wide[depth - 1])
                if rise < (tall[depth] - tall[depth - 1]) * (alarms - wide[depth - 1]):
                    break
                depth -= 1
            depth += 1
            if depth == len(tall):
                tall = np.concatenate((tall, np.zeros(depth)))
                wide = np.concatenate((wide, np.zeros(depth)))
            tall[depth] = hits
            wide[depth] = alarms
        for edge in range(depth):
            out[r] += (wide[edge + 1] - wide[edge]) * (tall[edge + 1] + tall[edge]) / 2
    return out
