"""Learners that know their training rows by an order: near rows by one matrix of distances, cuts by sorted features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.fast.split_rows import SplitRows
from veracity.kernels.compile import kernel
from veracity.records.arrays import Array


@dataclass(frozen=True)
class NearRows:
    """The k nearest rows: their most frequent class, or the mean of their numbers; by some first columns if asked."""

    k: int = 5
    kind: str = "classes"
    columns: int | None = None

    def predict_splits(self, rows: SplitRows) -> Array | None:
        if rows.trained.min() < self.k:
            return None  # scikit-learn refuses it
        features, queries = (side[..., : self.columns] for side in (rows.features, rows.queries))
        distance = squared_distances(queries, features)
        whole = len(rows.times) == 1 and bool((rows.times == 1).all())
        few = min(self.k + 1, distance.shape[-1])
        order = nearest_places(distance, few) if whole else np.argsort(distance, -1)
        if _tied(distance, order):
            return None
        mean = nearest_means(order, rows.times, rows.target.astype(float), rows.asked, self.k)
        return mean if self.kind == "numbers" else (mean > 0.5).astype(np.int64)


def squared_distances(queries: Array, features: Array) -> Array:
    """(samples, queries, rows), one feature after the other: rows that lie equally near are so to the last digit."""
    found = np.zeros((*queries.shape[:2], features.shape[1]))
    for column in range(features.shape[-1]):
        gap = queries[..., None, column] - features[:, None, :, column]
        found += gap * gap
    return found


def _tied(distance: Array, order: Array) -> bool:
    """Whether two rows lie equally near to a third."""
    ascending = np.take_along_axis(distance, order, -1)
    return bool((ascending[..., 1:] == ascending[..., :-1]).any())


@dataclass(frozen=True)
class Cuts:
    """A stump: one cut of one feature."""

    def predict_splits(self, rows: SplitRows) -> Array | None:
        order = np.argsort(rows.features, 1, kind="stable").swapaxes(1, 2)
        cuts = best_cuts(np.ascontiguousarray(order), rows.features, rows.target.astype(float), rows.times)
        column, cut, low, high = np.moveaxis(cuts, -1, 0)
        place = np.broadcast_to(column.astype(int)[:, None, :], (*rows.queries.shape[:2], column.shape[1]))
        beyond = np.take_along_axis(rows.queries, place, -1).swapaxes(1, 2) > cut[..., None]
        return np.where(beyond, high[..., None], low[..., None]).astype(np.int64)


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
