import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.intervals.compute import attach_interval
from veracity.intervals.means import outer_rank


@given(rows=st.integers(1, 300), tail=st.floats(0.001, 0.4))
def test_rank_by_definition(rows, tail):
    rank = outer_rank(rows, tail)
    assert rank == 0 or binom.cdf(rank - 1, rows, 0.5) <= tail
    assert rank == rows // 2 or binom.cdf(rank, rows, 0.5) > tail


def test_twenty_rows(of_rows):
    m = of_rows("median_absolute_error", np.zeros(20), number=np.arange(1, 21))
    found = attach_interval(m, "order_statistics", Confidence())
    assert (found.low, found.high) == (6, 15)  # ranks 6 and 15: the textbook interval of 20 rows


def test_too_few_rows(of_rows):
    m = of_rows("median_absolute_error", np.zeros(5), number=np.arange(5))
    with pytest.raises(Refused, match="too few rows"):
        attach_interval(m, "order_statistics", Confidence())
    assert attach_interval(m, "order_statistics", Confidence(0.95, "upper")).high == 4


def test_repeats_count(of_rows):
    values = np.arange(1.0, 11)
    once = of_rows("median_absolute_error", np.zeros(20), number=np.repeat(values, 2))
    repeated = of_rows("median_absolute_error", np.zeros(10), number=values, counts=np.full(10, 2))
    first, second = (attach_interval(m, "order_statistics", Confidence()) for m in (once, repeated))
    assert (first.low, first.high) == (second.low, second.high)
