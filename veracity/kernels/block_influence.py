"""What one more row of a class in a block would change: influence values of ordering scores.

An influence value is scaled so that the variance of the score is the mean of its squares over rows, divided by the
number of rows. Each kernel sums the powers 0 to 3 of the values over the rows of each class, and writes the values
themselves only when asked to: a hundred million blocks then need no more memory than their counts.
"""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel


@kernel
def rank_area(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, write: bool
) -> tuple[Array, Array, Array]:
    """Influence on the area under the ROC curve: DeLong's placement values, centred and scaled."""
    replicates, blocks = positives.shape
    sums = np.zeros((replicates, 2, 4))
    of_positive = np.zeros((replicates, blocks if write else 0))
    of_negative = np.zeros((replicates, blocks if write else 0))
    for r in range(replicates):
        total = all_positives[r] + all_negatives[r]
        above = 0.0
        area = 0.0
        for b in range(blocks):
            area += negatives[r, b] * (above + positives[r, b] / 2)
            above += positives[r, b]
        area /= all_positives[r] * all_negatives[r]
        above = 0.0
        below = all_negatives[r]
        for b in range(blocks):
            hits, alarms = float(positives[r, b]), float(negatives[r, b])
            below -= alarms
            x = ((below + alarms / 2) / all_negatives[r] - area) * total / all_positives[r]
            y = ((above + hits / 2) / all_positives[r] - area) * total / all_negatives[r]
            above += hits
            sums[r, 0, 0] += hits
            sums[r, 0, 1] += hits * x
            sums[r, 0, 2] += hits * x * x
            sums[r, 0, 3] += hits * x * x * x
            sums[r, 1, 0] += alarms
            sums[r, 1, 1] += alarms * y
            sums[r, 1, 2] += alarms * y * y
            sums[r, 1, 3] += alarms * y * y * y
            if write:
                of_positive[r, b] = x
                of_negative[r, b] = y
    return sums, of_positive, of_negative


@kernel
def area_until(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, limit: float, write: bool
) -> tuple[Array, Array, Array]:
    """Influence on the area under the ROC curve for false positive rates up to `limit`."""
    replicates, blocks = positives.shape
    sums = np.zeros((replicates, 2, 4))
    of_positive = np.zeros((replicates, blocks if write else 0))
    of_negative = np.zeros((replicates, blocks if write else 0))
    for r in range(replicates):
        total = all_positives[r] + all_negatives[r]
        area = 0.0
        later = 0.0  # derivative of the area by a common shift of all later false positive rates
        pull = 0.0
        for second in range(2):  # the first pass gathers totals that the second unwinds
            if second:
                pull = pull / all_positives[r]
                area = area / all_positives[r]
            seen = 0.0
            for b in range(blocks):
                hits, alarms = float(positives[r, b]), float(negatives[r, b])
                start = seen / all_negatives[r]
                seen += alarms
                end = seen / all_negatives[r]
                height, by_start, by_end = 0.0, 0.0, 0.0
                if start < limit and end <= limit:
                    height, by_start, by_end = limit - (start + end) / 2, -0.5, -0.5
                elif start < limit:
                    part = (limit - start) / (end - start)
                    height, by_start, by_end = (limit - start) * part / 2, part * part / 2 - part, -part * part / 2
                elif not second:
                    break
                if not second:
                    area += hits * height
                    later += hits * (by_start + by_end)
                    pull += hits * (by_start * start + by_end * end)
                    continue
                later -= hits * by_start  # a negative here moves the start of later blocks only, but its own end
                x = (height - area) * total / all_positives[r]
                y = (later / all_positives[r] - pull) * total / all_negatives[r]
                later -= hits * by_end
                sums[r, 0, 0] += hits
                sums[r, 0, 1] += hits * x
                sums[r, 0, 2] += hits * x * x
                sums[r, 0, 3] += hits * x * x * x
                sums[r, 1, 0] += alarms
                sums[r, 1, 1] += alarms * y
                sums[r, 1, 2] += alarms * y * y
                sums[r, 1, 3] += alarms * y * y * y
                if write:
                    of_positive[r, b] = x
                    of_negative[r, b] = y
    return sums, of_positive, of_negative


@kernel
def precision_sum(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, write: bool
) -> tuple[Array, Array, Array]:
    """Influence on average precision: a row changes the precision of its own block and of every later one."""
    replicates, blocks = positives.shape
    sums = np.zeros((replicates, 2, 4))
    of_positive = np.zeros((replicates, blocks if write else 0))
    of_negative = np.zeros((replicates, blocks if write else 0))
    for r in range(replicates):
        scale = (all_positives[r] + all_negatives[r]) / all_positives[r]
        found = 0.0
        selected = 0.0
        average = 0.0
        for b in range(blocks):
            found += positives[r, b]
            selected += float(positives[r, b]) + negatives[r, b]
            if selected > 0:
                average += positives[r, b] / all_positives[r] * found / selected
        gain = 0.0
        loss = 0.0
        for b in range(blocks - 1, -1, -1):
            hits, alarms = float(positives[r, b]), float(negatives[r, b])
            if selected <= 0:
                break
            gain += hits * (selected - found) / (selected * selected)
            loss += hits * found / (selected * selected)
            x = scale * (found / selected - average + gain)
            y = -scale * loss
            found -= hits
            selected -= hits + alarms
            sums[r, 0, 0] += hits
            sums[r, 0, 1] += hits * x
            sums[r, 0, 2] += hits * x * x
            sums[r, 0, 3] += hits * x * x * x
            sums[r, 1, 0] += alarms
            sums[r, 1, 1] += alarms * y
            sums[r, 1, 2] += alarms * y * y
            sums[r, 1, 3] += alarms * y * y * y
            if write:
                of_positive[r, b] = x
                of_negative[r, b] = y
    return sums, of_positive, of_negative


@kernel
def window_counts(positives: Array, negatives: Array, block: Array, rows: Array) -> Array:
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
