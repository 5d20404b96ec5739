"""How much one more row of a class in a block would change an ordering score: its influence values.

An influence value is scaled so that the variance of the score is the mean of its squares over rows, divided by the
number of rows. Each function takes the rows of each class in each block, `(replicates, blocks)`, and those of each
class, and gives the sums of the powers 0 to 3 of the values over the rows of each class, `(replicates, 2, 4)`, before
the values of a positive and of a negative row of each block. (An ordering that knows the sums without its blocks asks
by `write` whether the values are needed; here they come along.)
"""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array

Influences = tuple[Array, Array, Array]


def rank_area(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, write: bool
) -> Influences:
    """Influence on the area under the ROC curve: DeLong's placement values, centred and scaled."""
    n_pos, n_neg = all_positives[:, None], all_negatives[:, None]
    above = np.cumsum(positives, -1, dtype=float) - positives / 2
    below = n_neg - np.cumsum(negatives, -1, dtype=float) + negatives / 2
    area = (negatives * above).sum(-1, keepdims=True) / (n_pos * n_neg)
    of_positive = (below / n_neg - area) * (n_pos + n_neg) / n_pos
    of_negative = (above / n_pos - area) * (n_pos + n_neg) / n_neg
    return _with_sums(positives, negatives, of_positive, of_negative)


def area_until(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, limit: float, write: bool
) -> Influences:
    """Influence on the area under the ROC curve for false positive rates up to `limit`."""
    n_pos, n_neg = all_positives[:, None], all_negatives[:, None]
    seen = np.cumsum(negatives, -1, dtype=float)
    start, end = (seen - negatives) / n_neg, seen / n_neg  # the false positive rate before and after each block
    width = np.where(negatives > 0, end - start, 1.0)
    inside = np.where(negatives > 0, np.clip((limit - start) / width, 0, 1), start < limit)  # the part of the block
    height = np.where(inside < 1, inside * (limit - start) / 2, limit - (start + end) / 2)  # the area per positive row
    by_start, by_end = inside**2 / 2 - inside, -(inside**2) / 2  # derivatives of the height
    area = (positives * height).sum(-1, keepdims=True) / n_pos
    moved = positives * (by_start + by_end)
    # a negative row moves the end of its own block, and both ends of later ones
    later = moved.sum(-1, keepdims=True) - np.cumsum(moved, -1) + positives * by_end
    pull = (positives * (by_start * start + by_end * end)).sum(-1, keepdims=True)
    of_positive = (height - area) * (n_pos + n_neg) / n_pos
    of_negative = (later - pull) / n_pos * (n_pos + n_neg) / n_neg
    return _with_sums(positives, negatives, of_positive, of_negative)


def precision_sum(
    positives: Array, negatives: Array, all_positives: Array, all_negatives: Array, write: bool
) -> Influences:
    """Influence on average precision: a row changes the precision of its own block and of every later one."""
    n_pos, n_neg = all_positives[:, None], all_negatives[:, None]
    found = np.cumsum(positives, -1, dtype=float)
    selected = found + np.cumsum(negatives, -1)
    some = np.where(selected > 0, selected, 1.0)
    average = (positives * found / some).sum(-1, keepdims=True) / n_pos
    gain = _sum_from_here(positives * (selected - found) / some**2)
    loss = _sum_from_here(positives * found / some**2)
    scale = (n_pos + n_neg) / n_pos
    of_positive = np.where(selected > 0, scale * (found / some - average + gain), 0.0)
    return _with_sums(positives, negatives, of_positive, np.where(selected > 0, -scale * loss, 0.0))


def _sum_from_here(values: Array) -> Array:
    """Return for each block the sum over it and all later ones."""
    return np.cumsum(values[:, ::-1], -1)[:, ::-1]


def _with_sums(positives: Array, negatives: Array, of_positive: Array, of_negative: Array) -> Influences:
    """Return the sums of powers of the values over rows, before the values."""
    sums = np.empty((len(positives), 2, 4))
    for place, (rows, values) in enumerate(((positives, of_positive), (negatives, of_negative))):
        product = rows.astype(float)
        for power in range(4):
            sums[:, place, power] = product.sum(-1)
            product *= values
    return sums, of_positive, of_negative


def window_counts(positives: Array, negatives: Array, block: Array, rows: Array) -> Array:
    """Positive and negative rows in the smallest window around a block, as wide on both sides, of at least `rows`."""
    found = np.zeros((len(positives), 2))
    for r, at in enumerate(np.asarray(block).astype(int)):
        blocks = positives.shape[1]
        of_class = [np.append(0, np.cumsum(part[r], dtype=float)) for part in (positives, negatives)]
        reach = np.arange(max(at, blocks - 1 - at) + 1)
        first, last = np.maximum(at - reach, 0), np.minimum(at + reach, blocks - 1) + 1
        inside = np.array([upto[last] - upto[first] for upto in of_class])
        found[r] = inside[:, min(int(np.searchsorted(inside.sum(0), rows[r])), len(reach) - 1)]
    return found
