"""Learners that know their training rows by an order: near rows by one matrix of distances, cuts by sorted features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.kernels.split_fits import best_cuts, nearest_means, nearest_places
from veracity.lab.split_rows import SplitRows
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
