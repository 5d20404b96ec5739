"""Loops over the splits of a design that share what was sorted once: nearest rows, and cuts of one feature."""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel


@kernel
def nearest_means(order: Array, times: Array, target: Array, asked: Array, k: int) -> Array:
    """The mean target of the k nearest training rows, a row counting as often as it trains; 0 where nobody asked.

    `order` (samples, tried, rows) has the rows from near to far, `times` (splits, rows) how often each trains.
    """
    samples, tried, rows = order.shape
    splits = len(times)
    found = np.zeros((samples, splits, tried))
    for sample in range(samples):
        for split in range(splits):
            for query in range(tried):
                if not asked[split, query]:
                    continue
                left, total = k, 0.0
                for place in range(rows):
                    row = order[sample, query, place]
                    taken = min(left, times[split, row])
                    total += taken * target[sample, row]
                    left -= taken
                    if left == 0:
                        break
                found[sample, split, query] = total / (k - left)
    return found


@kernel
def nearest_places(distance: Array, k: int) -> Array:
    """The places of the k smallest distances, (samples, tried, k), in order."""
    samples, tried, rows = distance.shape
    found = np.zeros((samples, tried, k), np.int64)
    near = np.zeros(k)
    for sample in range(samples):
        for query in range(tried):
            for place in range(k):
                near[place] = np.inf
            for row in range(rows):
                here = distance[sample, query, row]
                if here >= near[k - 1]:
                    continue
                place = k - 1
                while place > 0 and near[place - 1] > here:
                    near[place] = near[place - 1]
                    found[sample, query, place] = found[sample, query, place - 1]
                    place -= 1
                near[place] = here
                found[sample, query, place] = row
    return found


@kernel
def best_cuts(order: Array, features: Array, target: Array, times: Array) -> Array:
    """Feature, place of the cut and class on either side, by the purest sides: the first of cuts that are equally good.

    `order` (samples, features, rows) sorts the rows by each feature; classes are 0 and 1, and a tie is class 0.
    """
    samples, columns, rows = order.shape
    splits = len(times)
    found = np.zeros((samples, splits, 4))
    for sample in range(samples):
        for split in range(splits):
            total, ones = 0.0, 0.0
            for row in range(rows):
                total += times[split, row]
                ones += times[split, row] * target[sample, row]
            usual = 1.0 if 2 * ones > total else 0.0
            best, column, cut, low, high = -1.0, 0, np.inf, usual, usual
            for feature in range(columns):
                left, left_ones, last = 0.0, 0.0, np.nan
                for place in range(rows):
                    row = order[sample, feature, place]
                    if times[split, row] == 0:
                        continue
                    here = features[sample, row, feature]
                    if here > last:  # never of the first row
                        right, right_ones = total - left, ones - left_ones
                        pure = (left_ones**2 + (left - left_ones) ** 2) / left
                        pure += (right_ones**2 + (right - right_ones) ** 2) / right
                        if pure > best + 1e-9 and 0 < ones < total:
                            best, column, cut = pure, feature, last + (here - last) / 2
                            low = 1.0 if 2 * left_ones > left else 0.0
                            high = 1.0 if 2 * right_ones > right else 0.0
                    left += times[split, row]
                    left_ones += times[split, row] * target[sample, row]
                    last = here
            found[sample, split, 0], found[sample, split, 1] = column, cut
            found[sample, split, 2], found[sample, split, 3] = low, high
    return found
