"""Two sorted classes merged into tied blocks."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from veracity.kernels import merge

values = st.lists(st.integers(-4, 4), max_size=20).map(lambda items: np.sort(np.array(items, float)))


@given(values, values)
def test_blocks_count_every_row_once(positives, negatives):
    of_positives, of_negatives, found = merge.blocks(positives, negatives)
    assert found.tolist() == sorted({*positives, *negatives}, reverse=True)
    assert of_positives.tolist() == [int((positives == value).sum()) for value in found]
    assert of_negatives.tolist() == [int((negatives == value).sum()) for value in found]


def test_values_need_not_be_kept():
    of_positives, _, values = merge.blocks(np.array([1.0, 2]), np.array([2.0]), keep_values=False)
    assert values is None and of_positives.tolist() == [1, 1]


def test_many_blocks_are_counted_in_small_integers(monkeypatch):
    monkeypatch.setattr(merge, "COMPACT_ABOVE", 2)
    of_positives, of_negatives, _ = merge.blocks(np.arange(5.0), np.repeat(3.0, 300))
    assert of_positives.dtype == of_negatives.dtype == np.uint16
    assert of_negatives.tolist() == [0, 300, 0, 0, 0]
