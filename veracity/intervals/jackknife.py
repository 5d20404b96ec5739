"""The skewness that BCa corrects for: from influence values, or by leaving rows out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veracity.core.seeds import generator
from veracity.records.arrays import Array
from veracity.records.counts import Counts
from veracity.records.evidence import Evidence
from veracity.records.ordering import Ordering

if TYPE_CHECKING:
    from veracity.intervals.measured import Measured

BATCH = 2_000  # cells: up to here each is left out in turn, in one batch
GROUPS = 200  # where rows are many and have no influence values, so many groups of them are left out in turn


def acceleration(m: Measured) -> float:
    """BCa's acceleration by the cheapest exact way there is."""
    if m.evidence.sampling is None and isinstance(m.evidence, (Counts, Ordering)):
        cells = np.asarray(m.evidence.cells)
        if cells.size <= BATCH:
            return _skewness(m.evaluate(m.evidence.reweighted(_without_one(cells))), cells[cells > 0])
    if m.linear is not None:
        return m.linear.acceleration
    left_out = m.evaluate(m.evidence.reweighted(_without_group(m.evidence)))
    return _skewness(left_out, np.ones(len(left_out)))


def _without_one(cells: Array) -> Array:
    """The weights with one row less in each occupied cell in turn."""
    return cells - np.eye(cells.size)[cells > 0]


def _without_group(evidence: Evidence) -> Array:
    """The weights with one of at most 200 random groups of units left out in turn.

    Sums over a group of rows have the skewness of the rows divided by the root of their number, which is just what
    having fewer of them multiplies it by, so the acceleration stays the same.
    """
    cells = np.asarray(evidence.cells, float)
    sampling = evidence.sampling
    units = sampling.units if sampling is not None else cells.size
    number = min(units, GROUPS)
    group = generator(0, "jackknife").permutation(units) % number
    if sampling is None:
        return np.where(group == np.arange(number)[:, None], 0.0, cells)
    of_row = group if sampling.group is None else group[sampling.group]
    inside = sampling.cell >= 0
    code = of_row[inside] * cells.size + sampling.cell[inside]
    inside_weight = np.bincount(code, sampling.row_weight[inside], number * cells.size)
    return cells - inside_weight.reshape(number, cells.size)


def _skewness(left_out: Array, times: Array) -> float:
    known = np.isfinite(left_out)
    left_out, times = left_out[known], times[known]
    if left_out.size == 0:
        return 0.0
    gap = np.average(left_out, weights=times) - left_out
    spread = (times * gap**2).sum()
    return float((times * gap**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0
