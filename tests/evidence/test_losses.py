"""Per-row quantities and their means."""

import numpy as np
import pytest

from veracity.evidence.evidence import Sampling
from veracity.evidence.losses import Losses

COLUMNS = np.array([[1.0, 10], [2, 20], [6, 60]])


def test_means_of_columns():
    assert Losses(COLUMNS).means == pytest.approx([3, 30])
    assert Losses(COLUMNS, np.array([1.0, 1, 2])).means == pytest.approx([3.75, 37.5])


def test_means_with_leading_axes():
    found = Losses(COLUMNS).reweigh(np.array([[1, 0, 0], [0, 1, 1]])).means
    assert found == pytest.approx(np.array([[1, 10], [4, 40]]))


def test_rows_are_counted_once_when_weighted_and_often_when_repeated():
    weight = np.array([2.0, 3, 5])
    assert Losses(COLUMNS).rows == 3
    assert Losses(COLUMNS, weight).rows == 10
    assert Losses(COLUMNS, weight, Sampling(np.arange(3), weight)).rows == 3


def test_sums_per_cluster():
    sampling = Sampling(np.array([0, 1, 1, 0]), np.array([1.0, 2, 3, 4]), np.array([0, 1, 0, 1]))
    assert sampling.units == 2
    assert sampling.per_unit(np.array([10.0, 100])).tolist() == [310, 240]
