"""Rows in bins of confidence."""

import numpy as np
import pytest

from veracity import predictions
from veracity.scores.probability import FEW_BINS, bin_of, bin_rows, confidence_and_hit


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("bins", [1, 3, 10, FEW_BINS, FEW_BINS + 1, 100])
def test_an_edge_starts_its_bin_and_one_closes_the_last(bins, kind):
    edges = (np.arange(bins + 1) / bins).astype(kind)
    assert bin_of(edges, bins).tolist() == [*range(bins), bins - 1]
    assert bin_of(np.nextafter(edges[1:], kind(0)), bins).tolist() == list(range(bins))


def test_few_bins_and_many_are_counted_alike():
    chance = np.random.default_rng(0).integers(0, 1_001, 500) / 1_000
    for bins in (FEW_BINS, FEW_BINS + 1):
        edges = np.arange(1, bins) / bins
        assert bin_of(chance, bins).tolist() == [int((value >= edges).sum()) for value in chance]


def test_equal_numbers_with_weights_are_as_repeats():
    chance, times = np.array([0.1, 0.2, 0.5, 0.9]), np.array([3, 1, 1, 1])
    repeated = bin_of(np.repeat(chance, times), 2, "count")
    assert np.repeat(bin_of(chance, 2, "count", times.astype(float)), times).tolist() == repeated.tolist()


def test_what_bins_say():
    p = predictions([1, 0, 1], proba=[0.6, 0.8, 0.1], positive=1)
    confidence, hit = confidence_and_hit(p)
    found = bin_rows(confidence, hit, bin_of(confidence, 2))
    assert found.rows.tolist() == [1, 2]
    assert found.gaps == pytest.approx([0.1 - 1, 0.7 - 0.5])
    assert found.error == pytest.approx((0.9 + 0.4) / 3)
    assert (found.low.tolist(), found.high.tolist()) == ([0.1, 0.6], [0.1, 0.8])
