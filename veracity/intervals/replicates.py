"""Bootstrap and jackknife replicates of a score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from veracity.core.seeds import derive, generator
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Evidence
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import OrderedRows, Ordering
from veracity.kernels.bootstrap import add_to_cells, bootstrap_counts
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from veracity.intervals.scored import Scored

CHUNK = 4_000_000  # cells at once: bounded memory, whatever the number of draws
ROWS_PER_CELL = 20  # from here on one multinomial draw over cells is cheaper than drawing rows
BATCH = 2_000  # cells: up to here each is left out in turn, in one batch
GROUPS = 200  # where rows are many and have no influence values, so many groups of them are left out in turn


def bootstrap_replicates(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """Return the evidence resampled `draws` times, in chunks along a leading axis."""
    if evidence.sampling is not None:
        yield from _resample_units(evidence, draws, seed)
    elif isinstance(evidence, Ordering) and evidence.rows <= 2 * ROWS_PER_CELL * evidence.positives.size:
        yield from _resample_ordered_rows(evidence, draws, seed)
    elif isinstance(evidence, (Losses, OrderedRows)) and evidence.weight is None:  # each row is a cell
        rows = int(evidence.rows)
        for first, number in chunks(draws, rows):
            yield evidence.reweigh(bootstrap_counts(derive(seed, "bootstrap of rows"), first, number, rows))
    else:  # an exact multinomial draw on the cells, whatever the number of rows
        random, cells = generator(seed, "bootstrap of cells"), evidence.cells
        total = round(float(cells.sum()))
        for _, number in chunks(draws, cells.size):
            yield evidence.reweigh(random.multinomial(total, cells / cells.sum(), size=number))


def chunks(draws: int, width: int) -> Iterator[tuple[int, int]]:
    """Return the first draw and the number of draws of each chunk, when a draw takes `width` cells."""
    step = max(1, min(draws, CHUNK // max(width, 1)))
    for first in range(0, draws, step):
        yield first, min(step, draws - first)


def _resample_ordered_rows(o: Ordering, draws: int, seed: int) -> Iterator[Ordering]:
    """Rows drawn one by one and counted in their blocks."""
    rows, blocks = int(o.rows), o.positives.size
    positive = o.positives.astype(np.uint8)
    times = np.concatenate([o.positives, o.negatives]).astype(np.int64)
    cell = np.repeat(np.arange(2 * blocks, dtype=np.int32), times)  # which row is which does not matter
    for first, number in chunks(draws, rows):
        drawn = bootstrap_counts(derive(seed, "bootstrap of rows"), first, number, rows)
        if rows == blocks:  # the count of a row belongs to the class it has
            yield Ordering(drawn * positive, drawn - drawn * positive, o.values)
            continue
        counts = np.zeros((number, 2 * blocks), np.int32)
        add_to_cells(drawn, cell, counts)
        yield Ordering(counts[:, :blocks], counts[:, blocks:], o.values)


def _resample_units(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """Whole clusters (or weighted rows) drawn with replacement."""
    sampling = evidence.sampling
    assert sampling is not None
    size = evidence.cells.shape[-1]
    cell, weight = sampling.cell, sampling.row_weight
    unit = np.arange(len(cell)) if sampling.group is None else sampling.group
    for first, number in chunks(draws, max(len(sampling.cell), size)):
        drawn = bootstrap_counts(derive(seed, "bootstrap of units"), first, number, sampling.units)
        yield evidence.reweigh(np.array([np.bincount(cell, times[unit] * weight, size) for times in drawn]))


def acceleration(m: Scored) -> float:
    """Return BCa's acceleration by the cheapest exact way there is."""
    if m.evidence.sampling is None and isinstance(m.evidence, (Counts, Ordering)):
        cells = np.asarray(m.evidence.cells)
        if cells.size <= BATCH:
            without_one = cells - np.eye(cells.size)[cells > 0]
            return skewness(m.evaluate(m.evidence.reweigh(without_one)), cells[cells > 0])
    if m.linear is not None:
        return m.linear.acceleration
    left_out = np.concatenate([m.evaluate(m.evidence.reweigh(part)) for part in _without_group(m.evidence)])
    return skewness(left_out, np.ones(len(left_out)))


def _without_group(evidence: Evidence) -> Iterator[Array]:
    """Return the weights with one of at most 200 random groups of units left out in turn, a few at a time.

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
            weights = [np.where(group == one, sampling.row_weight, 0.0) for one in chosen]
            yield cells - np.array([np.bincount(sampling.cell, weight, cells.size) for weight in weights])


def skewness(left_out: Array, times: Array) -> float:
    """Return the acceleration from the values with a row left out, each of which stands for so many rows."""
    known = np.isfinite(left_out)
    left_out, times = left_out[known], times[known]
    if left_out.size == 0:
        return 0.0
    gap = np.average(left_out, weights=times) - left_out
    spread = (times * gap**2).sum()
    return float((times * gap**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0
