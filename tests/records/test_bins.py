import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.records.bins import bin_of, binned


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_width_bins_are_closed_below_and_the_last_above(kind):
    tenths = (np.arange(11) / 10).astype(kind)
    assert bin_of(tenths, 10).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert bin_of(np.array([0.29, 0.57, 0.58], kind), 100).tolist() == [29, 57, 58]  # 0.29 * 100 rounds below 29


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.integers(1, 8))
def test_count_bins_keep_ties_together_and_are_even_without_ties(values, bins):
    confidence = np.array(values) / 20
    found = bin_of(confidence, bins, "count")
    assert all(len(set(found[confidence == value])) == 1 for value in set(confidence))
    assert (np.diff(found[np.argsort(confidence, kind="stable")]) >= 0).all()
    distinct = bin_of(np.random.default_rng(0).permutation(len(values)) / len(values), bins, "count")
    sizes = np.bincount(distinct, minlength=bins)
    assert sizes.max() - sizes.min() <= 1


def test_bins_without_rows_are_left_out():
    said, hit = np.array([0.1, 0.15, 0.9]), np.array([False, True, True])
    found = binned(said, hit, bin_of(said, 4), np.array([1.0, 3.0, 2.0]))
    assert found.rows.tolist() == [4, 2]
    assert found.confidence == pytest.approx([(0.1 + 3 * 0.15) / 4, 0.9])
    assert found.frequency == pytest.approx([0.75, 1])
    assert (found.low.tolist(), found.high.tolist()) == ([0.1, 0.9], [0.15, 0.9])
    assert found.error == pytest.approx((4 * (0.75 - 0.1375) + 2 * 0.1) / 6)
