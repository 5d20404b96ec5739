"""Bootstrap replicates of any evidence: the same cells with the weights of another sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veracity.core.seeds import derive, generator
from veracity.kernels import draw
from veracity.records.arrays import Array
from veracity.records.counts import Counts
from veracity.records.evidence import Evidence

CHUNK = 4_000_000  # cells per chunk of replicates: bounded memory, whatever the number of draws
ROWS_PER_CELL = 20  # from here on one multinomial draw over cells is cheaper than drawing rows


def replicates(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """The evidence resampled `draws` times, in chunks along a leading axis."""
    cells = evidence.cells
    if evidence.sampling is not None:
        yield from _of_units(evidence, draws, seed)
    elif isinstance(evidence, Counts) or cells.sum() > ROWS_PER_CELL * cells.size:
        yield from _of_cells(evidence, cells, draws, seed)
    else:
        yield from _of_rows(evidence, cells, draws, seed)


def _chunks(draws: int, width: int) -> Iterator[tuple[int, int]]:
    step = max(1, min(draws, CHUNK // max(width, 1)))
    for first in range(0, draws, step):
        yield first, min(step, draws - first)


def _of_cells(evidence: Evidence, cells: Array, draws: int, seed: int) -> Iterator[Evidence]:
    """An exact multinomial draw on the cells, whatever the number of rows."""
    random = generator(seed, "bootstrap of cells")
    total = int(round(float(cells.sum())))
    for _, number in _chunks(draws, cells.size):
        yield evidence.reweighted(random.multinomial(total, cells / cells.sum(), size=number))


def _of_rows(evidence: Evidence, cells: Array, draws: int, seed: int) -> Iterator[Evidence]:
    """Rows drawn one by one and counted in their cells."""
    total = int(round(float(cells.sum())))
    occupied = np.flatnonzero(cells)
    single = len(occupied) == total
    start = np.concatenate([[0], np.cumsum(cells[occupied]).astype(np.int64)[:-1]])
    for first, number in _chunks(draws, max(total, cells.size)):
        drawn = draw.counts(derive(seed, "bootstrap of rows"), first, number, total)
        counted = drawn if single else np.add.reduceat(drawn, start, axis=1, dtype=np.int64)
        if len(occupied) == cells.size:
            yield evidence.reweighted(counted)
            continue
        full = np.zeros((number, cells.size), counted.dtype)
        full[:, occupied] = counted
        yield evidence.reweighted(full)


def _of_units(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """Whole clusters (or weighted rows) drawn with replacement."""
    sampling = evidence.sampling
    assert sampling is not None
    size = evidence.cells.shape[-1]
    group = np.arange(len(sampling.cell)) if sampling.group is None else sampling.group
    inside = sampling.cell >= 0
    for first, number in _chunks(draws, max(len(sampling.cell), size)):
        drawn = draw.counts(derive(seed, "bootstrap of units"), first, number, sampling.units)
        weight = drawn[:, group] * sampling.row_weight
        yield evidence.reweighted(np.array([np.bincount(sampling.cell[inside], w[inside], size) for w in weight]))
