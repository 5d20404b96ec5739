"""Quantiles in plain Python, beside those of scipy."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from veracity.core.quantiles import (
    beta_below,
    beta_quantile,
    beta_quantiles,
    expit,
    logit,
    share_of_at_least,
    student_quantile,
)

TAILS = st.sampled_from([1e-9, 1e-6, 1e-4, 0.0005, 0.005, 0.025, 0.05, 0.1, 0.25, 0.4, 0.5, 0.9])


@given(st.one_of(st.integers(1, 10**7), st.floats(0.1, 2_000)), TAILS)
def test_students_quantile(degrees, tail):
    assert student_quantile(degrees, tail) == pytest.approx(-special.stdtrit(degrees, tail), rel=2e-11, abs=1e-15)


def test_endless_degrees_are_the_normal_law_and_none_is_told():
    assert student_quantile(inf, 0.025) == pytest.approx(special.ndtri(0.975), rel=1e-14)
    assert isnan(student_quantile(float("nan"), 0.025))


@given(st.integers(0, 3_000), st.integers(0, 3_000), TAILS)
def test_the_share_under_which_so_many_hits_are_rare(hits, misses, tail):
    expected = special.betaincinv(hits, misses + 1, tail) if hits else 0.0
    assert share_of_at_least(hits, hits + misses, tail) == pytest.approx(expected, rel=1e-10)


@given(st.floats(0.3, 900), st.floats(0.3, 900), st.floats(0, 1))
def test_the_law_of_a_share(a, b, x):
    assert beta_below(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-10, abs=1e-14)


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
