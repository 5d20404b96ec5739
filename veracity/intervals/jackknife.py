"""The skewness that BCa corrects for: from influence values, or by leaving rows out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from veracity.core.seeds import generator
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.ordering import Ordering
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from veracity.intervals.scored import Scored

BATCH = 2_000  # cells: up to here each is left out in turn, in one batch
CHUNK = 4_000_000  # weights at once
GROUPS = 200  # where rows are many and have no influence values, so many groups of them are left out in turn


def acceleration(m: Scored) -> float:
    """BCa's acceleration by the cheapest exact way there is."""
    if m.evidence.sampling is None and isinstance(m.evidence, (Counts, Ordering)):
        cells = np.asarray(m.evidence.cells)
        if cells.size <= BATCH:
            return skewness(m.evaluate(m.evidence.reweighted(_without_one(cells))), cells[cells > 0])
    if m.linear is not None:
        return m.linear.acceleration
    left_out = np.concatenate([m.evaluate(m.evidence.reweighted(part)) for part in _without_group(m.evidence)])
    return skewness(left_out, np.ones(len(left_out)))


def _without_one(cells: Array) -> Array:
    """The weights with one row less in each occupied cell in turn."""
    return cells - np.eye(cells.size)[cells > 0]


def _without_group(evidence: Evidence) -> Iterator[Array]:
    """The weights with one of at most 200 random groups of units left out in turn, a few at a time to bound memory.

    Sums over a group of rows have the skewness of the rows divided by the root of their number, which is just what
    having fewer of them multiplies it by, so the acceleration stays the same.
    """
    cells = np.asarray(evidence.cells, float)
    sampling = evidence.sampling
    units = sampling.units if sampling is not None else cells.size
    number = min(units, GROUPS)
    group = generator(0, "jackknife").permutation(units) % number
    if sampling is not None and sampling.group is not None:
        group = group[sampling.group]
    step = max(1, CHUNK // cells.size)
    for first in range(0, number, step):
        chosen = np.arange(first, min(first + step, number))
        if sampling is None:
            yield np.where(group == chosen[:, None], 0.0, cells)
        else:
            yield cells - np.array([_inside(sampling, group == one, cells.size) for one in chosen])


def _inside(sampling: Sampling, chosen: Array, size: int) -> Array:
    """The weight of the chosen rows in each cell."""
    return np.bincount(sampling.cell[chosen], sampling.row_weight[chosen], size)


def skewness(left_out: Array, times: Array) -> float:
    """The acceleration from the values with a row left out, each of which stands for so many rows."""
    known = np.isfinite(left_out)
    left_out, times = left_out[known], times[known]
    if left_out.size == 0:
        return 0.0
    gap = np.average(left_out, weights=times) - left_out
    spread = (times * gap**2).sum()
    return float((times * gap**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0
