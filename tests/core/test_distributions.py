"""Tails and quantiles against scipy and known values; Hall's cubic and its inverse; roots, and none where none is."""

import math
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from veracity.core.distributions import (
    above,
    bent,
    beta_quantile,
    beta_quantiles,
    expit,
    logit,
    root,
    share_of_at_least,
    straightened,
    student_quantile,
    two_sided,
)
from veracity.core.errors import BadInput


@pytest.mark.parametrize("z", [-40.0, -3.0, 0.0, 1.96, 8.3, 9.0, 30.0])
def test_normal_tails_are_exact_far_out(z):
    assert above(z) == pytest.approx(special.ndtr(-z), rel=1e-12)
    assert two_sided(z) == two_sided(-z) == pytest.approx(2 * special.ndtr(-abs(z)), rel=1e-12)


def test_students_quantiles():
    assert student_quantile(9, 0.025) == pytest.approx(2.262157162798, rel=1e-11)
    assert student_quantile(2.5, 1e-9) == pytest.approx(-special.stdtrit(2.5, 1e-9), rel=1e-12)
    assert student_quantile(inf, 0.025) == pytest.approx(special.ndtri(0.975), rel=1e-14)
    assert isnan(student_quantile(float("nan"), 0.025))


@given(st.integers(0, 3_000), st.integers(0, 3_000), st.sampled_from([1e-9, 0.005, 0.025, 0.25, 0.9]))
def test_the_share_under_which_so_many_hits_are_rare(hits, misses, tail):
    share = share_of_at_least(hits, hits + misses, tail)
    assert special.betainc(hits, misses + 1, share) == pytest.approx(tail, rel=1e-8) if hits else share == 0.0


@given(st.floats(-700, 700))
def test_the_logistic_law(number):
    assert expit(number) == pytest.approx(special.expit(number), rel=1e-14)
    share = special.expit(number)
    assert logit(share) == pytest.approx(special.logit(share), rel=1e-13, abs=1e-15)


def test_shares_of_nothing_and_of_all():
    assert (logit(0), logit(1), expit(-inf), expit(inf), logit(np.float64(0.5))) == (-inf, inf, 0, 1, 0)


def test_quantiles_that_scipy_does_not_know_are_found_by_its_law(monkeypatch):
    """As its version 1.13 does for some laws of 10^12 rows."""
    a, b, below = np.array([2.0, 3e11, 0.5]), 7e11, np.array([0.025, 0.5, 0.975])
    known = special.betaincinv(a, b, below)
    monkeypatch.setattr(special, "betaincinv", lambda a, b, below: known * [1, np.nan, np.nan])
    assert beta_quantiles(a, b, below) == pytest.approx(known, rel=1e-9)
    monkeypatch.setattr(special, "betaincinv", lambda a, b, below: np.float64("nan"))
    assert beta_quantile(3, 4, 0.1) == pytest.approx(0.20090886, rel=1e-6)


@given(st.floats(-8, 8), st.floats(-3, 3))
def test_what_is_bent_is_straightened_again(t, skewness):
    assert straightened(bent(t, skewness), skewness) == pytest.approx(t, abs=1e-9)


@given(st.floats(-8, 8), st.floats(-8, 8), st.floats(-3, 3))
def test_bending_keeps_the_order(first, second, skewness):
    if first < second:
        assert bent(first, skewness) <= bent(second, skewness)


@given(st.floats(-8, 8))
def test_without_skewness_nothing_is_bent(t):
    assert bent(t, 0.0) == pytest.approx(t) and straightened(t, 0.0) == t


def test_halls_cubic_by_hand():
    assert straightened(2.0, 0.6) == pytest.approx(2 + 0.2 * 4 + 0.04 * 8 / 3 + 0.1)


def test_a_tail_to_the_right_moves_both_limits_to_the_right():
    assert -bent(2.0, 0.5) > -2.0 and -bent(-2.0, 0.5) > 2.0


@given(st.floats(-100, 100), st.floats(0.01, 100), st.floats(0.01, 100), st.sampled_from([1, 3, 5]))
def test_powers_around_a_known_root(at, below, above, power):
    found = root(lambda x: (x - at) ** power, at - below, at + above, xtol=1e-10)
    assert found == pytest.approx(at, abs=2e-10)


def test_an_end_may_be_the_root():
    assert root(lambda x: x, 0.0, 1.0) == 0.0
    assert root(lambda x: x - 1, 0.0, 1.0) == 1.0


def test_the_same_sign_at_both_ends_is_refused():
    with pytest.raises(BadInput, match="different signs"):
        root(lambda x: x * x + 1, -1.0, 1.0)


@pytest.mark.parametrize("undefined", [lambda x: x < 0.01, lambda x: x > 0.99, lambda x: 0.01 <= x <= 0.99])
def test_a_function_that_is_undefined_has_no_root(undefined):
    with pytest.raises(BadInput, match="not defined at"):
        root(lambda x: math.nan if undefined(x) else x - 0.3, 0.0, 1.0)


def test_a_root_that_is_not_found_is_not_told():
    with pytest.raises(BadInput, match=r"no root between 0\.0 and 1\.0 was found"):
        root(lambda x: x - 0.3, 0.0, 1.0, xtol=0.0)
