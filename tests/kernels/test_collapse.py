import numpy as np
import pytest

from veracity.kernels.collapse import into_blocks, into_cells, moved


@pytest.mark.parametrize("rows", [30, 9000], ids=["plain", "compiled"])
def test_counts_by_class_and_block(rows):
    random = np.random.default_rng(0)
    drawn = random.integers(0, 4, (3, rows)).astype(np.uint8)
    negative, block = random.integers(0, 2, rows).astype(np.uint8), random.integers(0, 7, rows).astype(np.int32)
    out = np.zeros((2, 3, 7), np.int32)
    into_blocks(drawn, negative, block, out)
    for kind in (0, 1):
        for draw in range(3):
            assert (out[kind, draw] == np.bincount(block, drawn[draw] * (negative == kind), 7)).all()


@pytest.mark.parametrize("units", [30, 9000], ids=["plain", "compiled"])
def test_counts_by_cell(units):
    random = np.random.default_rng(1)
    drawn, cell = random.integers(0, 4, (3, units)), random.integers(0, 7, units)
    out = np.zeros((3, 7), np.int32)
    into_cells(drawn, cell, out)
    assert (out == [np.bincount(cell, line, 7) for line in drawn]).all()


@pytest.mark.parametrize("units", [30, 9000], ids=["plain", "compiled"])
def test_rows_move_and_none_is_lost(units):
    random = np.random.default_rng(2)
    number, (start, end) = random.integers(0, 2, (3, units)).astype(np.uint16), random.integers(0, 7, (2, units))
    own = np.bincount(start, minlength=7).astype(np.uint16)
    out = np.tile(own, (3, 1))
    moved(number, start, end, out)
    for line, found in zip(number, out, strict=True):
        assert (found == own - np.bincount(start, line, 7) + np.bincount(end, line, 7)).all()
        assert found.sum() == units
