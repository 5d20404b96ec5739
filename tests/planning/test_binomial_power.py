"""Power of tests that count, by enumeration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.planning.tests import critical_count


def enumerated(number, stated, true, alpha=0.05):
    """Every count, its p-value by twice the smaller tail, and its chance."""
    counts = np.arange(number + 1)
    lower, upper = stats.binom.cdf(counts, number, stated), stats.binom.sf(counts - 1, number, stated)
    return float(stats.binom.pmf(counts, number, true)[np.minimum(lower, upper) <= alpha / 2].sum())


def test_the_sign_test_of_theory():
    assert vc.power("sign", datasets=15, win=0.8).power == pytest.approx(0.648, abs=5e-4)


@given(st.integers(1, 80), st.floats(0.05, 0.95), st.floats(0.01, 0.99))
def test_one_proportion_is_the_sum_over_all_counts(rows, value, true):
    if abs(true - value) < 1e-6:
        return
    found = vc.power("one_proportion", rows=rows, value=value, difference=true - value).power
    assert found == pytest.approx(enumerated(rows, value, true), abs=1e-9)


@given(st.integers(1, 300), st.sampled_from([0.005, 0.025, 0.05]), st.booleans())
def test_the_critical_count_is_the_largest_that_fits(number, tail, middle):
    found = int(critical_count(np.asarray(number), 0.5, tail, middle))
    counts = np.arange(number + 1)
    chance = stats.binom.cdf(counts, number, 0.5) - (stats.binom.pmf(counts, number, 0.5) / 2 if middle else 0)
    assert found == int((chance <= tail).sum()) - 1


@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.95])
@pytest.mark.parametrize(("value", "difference"), [(0.1, 0.05), (0.1, -0.05), (0.5, 0.1)])
def test_from_the_rows_needed_on_power_never_falls_below_again(value, difference, wanted):
    found = vc.power("one_proportion", value=value, difference=difference, power=wanted)
    assert found.power >= wanted
    assert enumerated(found.rows - 1, value, value + difference) < wanted
    assert all(enumerated(found.rows + more, value, value + difference) >= wanted for more in range(150))


def test_the_smallest_difference_is_just_seen():
    found = vc.power("one_proportion", value=0.1, rows=500, power=0.8)
    assert found.power == pytest.approx(0.8, abs=1e-6) and found.difference == pytest.approx(0.0422, abs=1e-4)
    assert vc.power("one_proportion", value=0.1, rows=500, difference=found.difference * 0.99).power < 0.8


def test_sign_solves_for_its_probability_of_winning():
    found = vc.power("sign", datasets=15, power=0.8)
    assert (found.win, found.difference) == (pytest.approx(0.8428, abs=1e-4), None)
    assert vc.power("sign", win=0.8, power=0.8).datasets == 23
