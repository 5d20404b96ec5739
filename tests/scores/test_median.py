"""Weighted quantiles against repeating rows, and the influence of a median."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.evidence.losses import Losses
from veracity.scores.numeric import median_absolute_error, quantiles

repeated = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=20)


@given(repeated)
def test_weighted_median_is_the_median_of_repeated_rows(pairs):
    values, times = np.array(pairs, float).T
    assert quantiles(values, times, (0.5,))[0] == np.median(np.repeat(values, times.astype(int)))


def test_rows_of_weight_zero_do_not_count():
    values = np.array([1.0, 2, 3, 4])
    weight = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 0, 5]])
    assert quantiles(values, weight, (0.5,))[:, 0] == pytest.approx([2.5, 2.5, 4])


def test_fractional_weights_split_evenly_in_spite_of_rounding():
    values = np.arange(1.0, 21)
    assert quantiles(values, np.full(20, 0.1), (0.5,))[0] == pytest.approx(10.5)


def test_influence_has_the_variance_of_a_median():
    """For normal errors the asymptotic variance of the median of |e| is 1 / (4 f^2), f the density there."""
    values = np.abs(np.random.default_rng(5).normal(size=100_000))
    psi = median_absolute_error.influence_of(Losses(values[:, None]))
    density = 2 * np.exp(-0.5 * 0.67449**2) / np.sqrt(2 * np.pi)
    assert psi.var() == pytest.approx(1 / (4 * density**2), rel=0.05)
    assert psi.mean() == pytest.approx(0, abs=1e-12)
