"""Bootstrap counts are the same in any order, fair, and land in the cells of their rows."""

import numpy as np
import pytest

from veracity.kernels.bootstrap import add_to_cells, bootstrap_counts, draw_counts, move_rows


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_draws_as_many_as_there_are_rows(size):
    assert (bootstrap_counts(3, 0, 5, size).sum(1) == size).all()


def test_counts_stay_the_same_for_ever():
    """Intervals that were published are found again only from the same draws."""
    assert bootstrap_counts(3, 1, 2, 7).tolist() == [[2, 1, 0, 0, 1, 2, 1], [0, 0, 0, 1, 3, 2, 1]]


def test_order_of_draws_does_not_matter():
    together = bootstrap_counts(9, 0, 6, 50)
    assert (bootstrap_counts(9, 4, 2, 50) == together[4:]).all()


def test_one_row_a_word_is_uniform_too():
    out = np.zeros((300, 40), np.int32)
    draw_counts.compiled(np.uint64(1), np.uint64(0), out, False)
    assert (out.sum(1) == 40).all()
    assert np.abs(out.sum(0) / 300 - 1).max() < 5 / np.sqrt(300)


def test_multinomial_mean_variance_and_covariance():
    found = bootstrap_counts(2, 0, 40_000, 5).astype(float)
    assert found.mean(0) == pytest.approx(np.ones(5), abs=0.03)
    assert np.cov(found.T) == pytest.approx(np.eye(5) - 0.2, abs=0.04)


def test_different_seeds_differ():
    assert (bootstrap_counts(1, 0, 1, 100) != bootstrap_counts(2, 0, 1, 100)).any()


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
