"""What a row is to each class: a hit, a miss, an alarm or none of them; and back from that to cells of the matrix."""

from __future__ import annotations

import numpy as np

from veracity.evidence.counts import Counts
from veracity.records.arrays import Array

NEITHER, ALARM, MISS, HIT = range(4)  # what a row is to one class, in the order of a matrix "rest, class"


def of_one_class(of_kind: Array, counts: Counts) -> Array:
    """By cell, from what a hit, a miss, an alarm and any other row of the named positive class do."""
    return of_kind[..., of_cells(counts)]


def of_cells(counts: Counts) -> Array:
    """What a row of each cell is to the named positive class."""
    own = np.arange(len(counts.classes)) == counts.positive
    return (MISS * own[:, None] + ALARM * own).ravel()


def over_classes(of_kind: Array, weight: Array) -> Array:
    """By cell, from what each kind of row does to the score of each class, classes weighed and summed.

    A row of cell (i, j) is a miss of class i, an alarm of class j and neither to all others; on the diagonal a hit.
    """
    weighed = of_kind * weight[..., None]
    neither = weighed[..., NEITHER]
    missed, alarmed, hit = (weighed[..., kind] - neither for kind in (MISS, ALARM, HIT))
    out = missed[..., :, None] + alarmed[..., None, :]
    place = np.arange(out.shape[-1])
    out[..., place, place] = hit
    return by_cell(out + neither.sum(-1)[..., None, None])


def of_shares(values: Array, prior: Array) -> Array:
    """By cell, what a row does by making its own class more frequent, where classes are weighed by their rows."""
    moved = values - (values * prior).sum(-1)[..., None]
    return by_cell(np.broadcast_to(moved[..., :, None], (*moved.shape, moved.shape[-1])))


def by_cell(matrix: Array) -> Array:
    """The matrix of classes as one axis of cells."""
    return matrix.reshape((*matrix.shape[:-2], -1))
