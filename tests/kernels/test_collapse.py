import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.kernels import collapse
from veracity.kernels.collapse import add_to_blocks, add_to_cells, move_rows, tied_blocks

values = st.lists(st.integers(-4, 4), max_size=20).map(lambda items: np.sort(np.array(items, float)))


@given(values, values)
def test_blocks_count_every_row_once(positives, negatives):
    of_positives, of_negatives, found = tied_blocks(positives, negatives)
    assert found.tolist() == sorted({*positives, *negatives}, reverse=True)
    assert of_positives.tolist() == [int((positives == value).sum()) for value in found]
    assert of_negatives.tolist() == [int((negatives == value).sum()) for value in found]


def test_values_need_not_be_kept():
    of_positives, _, values = tied_blocks(np.array([1.0, 2]), np.array([2.0]), keep_values=False)
    assert values is None and of_positives.tolist() == [1, 1]


def test_many_blocks_are_counted_in_small_integers(monkeypatch):
    monkeypatch.setattr(collapse, "COMPACT_ABOVE", 2)
    of_positives, of_negatives, _ = tied_blocks(np.arange(5.0), np.repeat(3.0, 300))
    assert of_positives.dtype == of_negatives.dtype == np.uint16
    assert of_negatives.tolist() == [0, 300, 0, 0, 0]


@pytest.mark.parametrize("rows", [30, 9000], ids=["plain", "compiled"])
def test_counts_by_class_and_block(rows):
    random = np.random.default_rng(0)
    drawn = random.integers(0, 4, (3, rows)).astype(np.uint8)
    negative, block = random.integers(0, 2, rows).astype(np.uint8), random.integers(0, 7, rows).astype(np.int32)
    out = np.zeros((2, 3, 7), np.int32)
    add_to_blocks(drawn, negative, block, out)
    for kind in (0, 1):
        for draw in range(3):
            assert (out[kind, draw] == np.bincount(block, drawn[draw] * (negative == kind), 7)).all()


@pytest.mark.parametrize("units", [30, 9000], ids=["plain", "compiled"])
def test_counts_by_cell(units):
    random = np.random.default_rng(1)
    drawn, cell = random.integers(0, 4, (3, units)), random.integers(0, 7, units)
    out = np.zeros((3, 7), np.int32)
    add_to_cells(drawn, cell, out)
    assert (out == [np.bincount(cell, line, 7) for line in drawn]).all()


@pytest.mark.parametrize("units", [30, 9000], ids=["plain", "compiled"])
def test_rows_move_and_none_is_lost(units):
    random = np.random.default_rng(2)
    number, (start, end) = random.integers(0, 2, (3, units)).astype(np.uint16), random.integers(0, 7, (2, units))
    own = np.bincount(start, minlength=7).astype(np.uint16)
    out = np.tile(own, (3, 1))
    move_rows(number, start, end, out)
    for line, found in zip(number, out, strict=True):
        assert (found == own - np.bincount(start, line, 7) + np.bincount(end, line, 7)).all()
        assert found.sum() == units
