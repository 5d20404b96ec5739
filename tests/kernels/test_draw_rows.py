import numpy as np
import pytest

from veracity.kernels import draw_rows


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_draws_as_many_as_there_are_rows(size):
    assert (draw_rows.bootstrap_counts(3, 0, 5, size).sum(1) == size).all()


@pytest.mark.parametrize("size", [1001, 1002])
def test_numpy_and_compiled_agree(size):
    compiled = np.zeros((4, size), np.int32)
    draw_rows._fill_pairs.compiled(np.uint64(5), np.uint64(3), compiled)
    assert (draw_rows._numpy_counts(5, 3, 4, size) == compiled).all()


def test_order_of_draws_does_not_matter():
    together = draw_rows.bootstrap_counts(9, 0, 6, 50)
    assert (draw_rows.bootstrap_counts(9, 4, 2, 50) == together[4:]).all()


def test_one_row_a_word_is_uniform_too():
    out = np.zeros((300, 40), np.int32)
    draw_rows._fill_rows.compiled(np.uint64(1), np.uint64(0), out)
    assert (out.sum(1) == 40).all()
    assert np.abs(out.sum(0) / 300 - 1).max() < 5 / np.sqrt(300)


def test_multinomial_mean_variance_and_covariance():
    found = draw_rows.bootstrap_counts(2, 0, 40_000, 5).astype(float)
    assert found.mean(0) == pytest.approx(np.ones(5), abs=0.03)
    assert np.cov(found.T) == pytest.approx(np.eye(5) - 0.2, abs=0.04)


def test_different_seeds_differ():
    assert (draw_rows.bootstrap_counts(1, 0, 1, 100) != draw_rows.bootstrap_counts(2, 0, 1, 100)).any()
