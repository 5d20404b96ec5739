"""Roots: scipy's, to the last digits that the tolerance leaves; known ones; and none where there is none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from veracity.core.errors import BadInput
from veracity.core.root import root

FUNCTIONS = {
    "line": lambda x: 3 * x - 1,
    "flat": lambda x: (x - 0.3) ** 9,
    "steep": lambda x: math.atan(1e6 * (x - 0.7)),
    "step": lambda x: -1.0 if x < 0.123 else 1.0,
    "exponential": lambda x: math.exp(20 * x) - 1e4,
    "tiny": lambda x: x - 1e-18,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (1.0, 0.0), (-0.5, 2.0)])
@pytest.mark.parametrize("tolerance", [{"xtol": 1e-12}, {"xtol": 1e-15, "rtol": 1e-13}, {"xtol": 1e-24, "rtol": 1e-13}])
def test_as_scipy(name, low, high, tolerance):
    function = FUNCTIONS[name]
    theirs = brentq(function, low, high, maxiter=2000, **tolerance)
    assert root(function, low, high, **tolerance) == pytest.approx(theirs, rel=1e-12, abs=2 * tolerance["xtol"])


@given(st.floats(-100, 100), st.floats(0.01, 100), st.floats(0.01, 100), st.sampled_from([1, 3, 5]))
def test_powers_around_a_known_root(at, below, above, power):
    found = root(lambda x: (x - at) ** power, at - below, at + above, xtol=1e-10)
    assert found == pytest.approx(at, abs=2e-10)


def test_an_end_may_be_the_root():
    assert root(lambda x: x, 0.0, 1.0) == 0.0
    assert root(lambda x: x - 1, 0.0, 1.0) == 1.0


def test_the_same_sign_at_both_ends_is_refused():
    with pytest.raises(BadInput, match="same sign"):
        root(lambda x: x * x + 1, -1.0, 1.0)


@pytest.mark.parametrize("undefined", [lambda x: x < 0.01, lambda x: x > 0.99, lambda x: 0.01 <= x <= 0.99])
def test_a_function_that_is_undefined_has_no_root(undefined):
    with pytest.raises(BadInput, match="not defined at"):
        root(lambda x: math.nan if undefined(x) else x - 0.3, 0.0, 1.0)


def test_a_root_that_is_not_found_is_not_told():
    with pytest.raises(BadInput, match=r"no root between 0\.0 and 1\.0 was found"):
        root(FUNCTIONS["step"], 0.0, 1.0, xtol=0.0, rtol=0.0)
