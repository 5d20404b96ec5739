"""Hall's cubic and its inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.skewness import bent, straightened

ratios, skewnesses = st.floats(-8, 8), st.floats(-3, 3)


@given(ratios, skewnesses)
def test_what_is_bent_is_straightened_again(t, skewness):
    assert straightened(bent(t, skewness), skewness) == pytest.approx(t, abs=1e-9)


@given(ratios, ratios, skewnesses)
def test_order_is_kept(first, second, skewness):
    if first < second:
        assert bent(first, skewness) <= bent(second, skewness)


@given(ratios)
def test_without_skewness_nothing_changes(t):
    assert bent(t, 0.0) == pytest.approx(t) and straightened(t, 0.0) == t


def test_by_hand():
    assert straightened(2.0, 0.6) == pytest.approx(2 + 0.2 * 4 + 0.04 * 8 / 3 + 0.1)


def test_a_tail_to_the_right_moves_both_limits_to_the_right():
    assert -bent(2.0, 0.5) > -2.0 and -bent(-2.0, 0.5) > 2.0
