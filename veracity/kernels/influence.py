"""What one more row of a class in a block would change: influence values of ordering scores.

Each returns two `(replicates, blocks)` arrays, for a positive and for a negative row. An influence value is scaled so
that the variance of the score is the mean of its squares over rows, divided by the number of rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any


@kernel
def rank_area(positives: Array, negatives: Array, all_positives: Array, all_negatives: Array) -> tuple[Array, Array]:
    """Influence on the area under the ROC curve: DeLong's placement values, centred and scaled."""
    replicates, blocks = positives.shape
    of_positive = np.zeros((replicates, blocks))
    of_negative = np.zeros((replicates, blocks))
    for r in range(replicates):
        total = all_positives[r] + all_negatives[r]
        above = 0.0
        below = all_negatives[r]
        area = 0.0
        for b in range(blocks):
            area += negatives[r, b] * (above + positives[r, b] / 2)
            above += positives[r, b]
        area /= all_positives[r] * all_negatives[r]
        above = 0.0
        for b in range(blocks):
            below -= negatives[r, b]
            beaten = (below + negatives[r, b] / 2) / all_negatives[r]
            beating = (above + positives[r, b] / 2) / all_positives[r]
            of_positive[r, b] = (beaten - area) * total / all_positives[r]
            of_negative[r, b] = (beating - area) * total / all_negatives[r]
            above += positives[r, b]
    return of_positive, of_negative


@kernel
def area_until(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, limit: float
) -> tuple[Array, Array]:
    """Influence on the area under the ROC curve for false positive rates up to `limit`."""
    replicates, blocks = positives.shape
    of_positive = np.zeros((replicates, blocks))
    of_negative = np.zeros((replicates, blocks))
    for r in range(replicates):
        total = all_positives[r] + all_negatives[r]
        area = 0.0
        slopes = 0.0  # total derivative by a shift of every false positive rate
        pull = 0.0
        alarms = 0.0
        for b in range(blocks):  # first pass: the totals that the second pass unwinds
            start = alarms / all_negatives[r]
            alarms += negatives[r, b]
            end = alarms / all_negatives[r]
            share = positives[r, b] / all_positives[r]
            if start >= limit:
                break
            if end <= limit:
                height, by_start, by_end = limit - (start + end) / 2, -0.5, -0.5
            else:
                part = (limit - start) / (end - start)
                height, by_start, by_end = (limit - start) * part / 2, part * part / 2 - part, -part * part / 2
            area += share * height
            slopes += share * (by_start + by_end)
            pull += share * (by_start * start + by_end * end)
        alarms = 0.0
        below = slopes
        for b in range(blocks):
            start = alarms / all_negatives[r]
            alarms += negatives[r, b]
            end = alarms / all_negatives[r]
            share = positives[r, b] / all_positives[r]
            height, by_start, by_end = 0.0, 0.0, 0.0
            if start < limit and end <= limit:
                height, by_start, by_end = limit - (start + end) / 2, -0.5, -0.5
            elif start < limit:
                part = (limit - start) / (end - start)
                height, by_start, by_end = (limit - start) * part / 2, part * part / 2 - part, -part * part / 2
            below -= share * by_start  # a negative here moves the start of later blocks only, but its own end
            of_positive[r, b] = (height - area) * total / all_positives[r]
            of_negative[r, b] = (below - pull) * total / all_negatives[r]
            below -= share * by_end
    return of_positive, of_negative


@kernel
def precision_sum(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array
) -> tuple[Array, Array]:
    """Influence on average precision: a row changes the precision of its own block and of every later one."""
    replicates, blocks = positives.shape
    of_positive = np.zeros((replicates, blocks))
    of_negative = np.zeros((replicates, blocks))
    for r in range(replicates):
        scale = (all_positives[r] + all_negatives[r]) / all_positives[r]
        hits = 0.0
        selected = 0.0
        average = 0.0
        for b in range(blocks):
            hits += positives[r, b]
            selected += float(positives[r, b]) + negatives[r, b]
            if selected > 0:
                average += positives[r, b] / all_positives[r] * hits / selected
        gain = 0.0
        loss = 0.0
        for b in range(blocks - 1, -1, -1):
            here = float(positives[r, b])
            if selected > 0:
                gain += here * (selected - hits) / (selected * selected)
                loss += here * hits / (selected * selected)
                of_positive[r, b] = scale * (hits / selected - average + gain)
                of_negative[r, b] = -scale * loss
            hits -= here
            selected -= here + negatives[r, b]
    return of_positive, of_negative


@kernel
def local_positives(positives: Array, negatives: Array, block: Array, rows: Array) -> Array:
    """Positive and negative rows in a window of at least `rows` rows around a block."""
    out = np.zeros((positives.shape[0], 2))
    for r in range(positives.shape[0]):
        low = int(block[r])
        high = low
        hits = float(positives[r, low])
        alarms = float(negatives[r, low])
        while hits + alarms < rows[r] and (low > 0 or high < positives.shape[1] - 1):
            if low > 0:
                low -= 1
                hits += positives[r, low]
                alarms += negatives[r, low]
            if high < positives.shape[1] - 1:
                high += 1
                hits += positives[r, high]
                alarms += negatives[r, high]
        out[r, 0] = hits
        out[r, 1] = alarms
    return out


@kernel
def moments(weight: Array, influence: Array) -> Array:
    """Weighted sums of the influence values and of their squares and cubes, after the sum of weights."""
    out = np.zeros(4)
    for i in range(weight.shape[0]):
        w = float(weight[i])
        x = float(influence[i])
        out[0] += w
        out[1] += w * x
        out[2] += w * x * x
        out[3] += w * x * x * x
    return out
