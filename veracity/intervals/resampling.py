"""Bootstrap replicates of any evidence: the same cells with the weights of another sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from veracity.core.seeds import derive, generator
from veracity.evidence.evidence import Evidence
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import Ordering, Orderings
from veracity.kernels import collapse, draw_rows
from veracity.records.arrays import Array

CHUNK = 4_000_000  # cells per chunk of replicates: bounded memory, whatever the number of draws
ROWS_PER_CELL = 20  # from here on one multinomial draw over cells is cheaper than drawing rows


def replicates(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """The evidence resampled `draws` times, in chunks along a leading axis."""
    if evidence.sampling is not None:
        return _of_units(evidence, draws, seed)
    if isinstance(evidence, Ordering) and evidence.rows <= 2 * ROWS_PER_CELL * evidence.positives.size:
        return _of_ordered_rows(evidence, draws, seed)
    if isinstance(evidence, (Losses, Orderings)) and evidence.weight is None:
        return _of_rows(evidence, draws, seed)
    return _of_cells(evidence, draws, seed)


def chunks(draws: int, width: int) -> Iterator[tuple[int, int]]:
    """First draw and number of draws of each chunk, when a draw takes `width` cells."""
    step = max(1, min(draws, CHUNK // max(width, 1)))
    for first in range(0, draws, step):
        yield first, min(step, draws - first)


def _of_cells(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """An exact multinomial draw on the cells, whatever the number of rows."""
    random = generator(seed, "bootstrap of cells")
    cells = evidence.cells
    total = round(float(cells.sum()))
    for _, number in chunks(draws, cells.size):
        yield evidence.reweighted(random.multinomial(total, cells / cells.sum(), size=number))


def _of_rows(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """Rows drawn one by one, where each row is a cell."""
    rows = int(evidence.rows)
    for first, number in chunks(draws, rows):
        yield evidence.reweighted(draw_rows.bootstrap_counts(derive(seed, "bootstrap of rows"), first, number, rows))


def _of_ordered_rows(o: Ordering, draws: int, seed: int) -> Iterator[Ordering]:
    """Rows drawn one by one and counted in their blocks."""
    rows = int(o.rows)
    count = _one_row_a_block(o) if rows == o.positives.size else _many_rows_a_block(o)
    for first, number in chunks(draws, rows):
        positives, negatives = count(draw_rows.bootstrap_counts(derive(seed, "bootstrap of rows"), first, number, rows))
        yield Ordering(positives, negatives, o.values)


def _one_row_a_block(o: Ordering) -> Callable[[Array], tuple[Array, Array]]:
    """The count of a row belongs to the class it has."""
    positive = o.positives.astype(np.uint8)

    def count(drawn: Array) -> tuple[Array, Array]:
        of_positives = drawn * positive
        return of_positives, drawn - of_positives

    return count


def _many_rows_a_block(o: Ordering) -> Callable[[Array], tuple[Array, Array]]:
    """Counts are summed over the rows of each block and class; which row is which does not matter."""
    blocks = o.positives.size
    times = np.concatenate([o.positives, o.negatives]).astype(np.int64)
    block = np.repeat(np.tile(np.arange(blocks, dtype=np.int32), 2), times)
    negative = np.repeat(np.array([0, 1], np.uint8), [int(o.all_positives), int(o.all_negatives)])

    def count(drawn: Array) -> tuple[Array, Array]:
        out = np.zeros((2, len(drawn), blocks), np.int32)
        collapse.add_to_blocks(drawn, negative, block, out)
        return out[0], out[1]

    return count


def _of_units(evidence: Evidence, draws: int, seed: int) -> Iterator[Evidence]:
    """Whole clusters (or weighted rows) drawn with replacement."""
    sampling = evidence.sampling
    assert sampling is not None
    size = evidence.cells.shape[-1]
    cell, weight = sampling.cell, sampling.row_weight
    unit = np.arange(len(cell)) if sampling.group is None else sampling.group
    for first, number in chunks(draws, max(len(sampling.cell), size)):
        drawn = draw_rows.bootstrap_counts(derive(seed, "bootstrap of units"), first, number, sampling.units)
        yield evidence.reweighted(np.array([np.bincount(cell, times[unit] * weight, size) for times in drawn]))
