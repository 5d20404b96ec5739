"""The scale of decision values: logistic regression on one feature, without warnings."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from veracity.risk.interval_evidence import _slope_of_odds


@pytest.mark.parametrize("rows", [30, 3_000])
def test_it_is_scikit_learns_slope(rows):
    random = np.random.default_rng(rows)
    positive = random.random(rows) < 0.4
    value = random.normal(size=rows) + 1.5 * positive
    expected = LogisticRegression(C=1e9, solver="newton-cholesky", tol=1e-12).fit(value[:, None], positive).coef_[0, 0]
    assert _slope_of_odds(value, positive) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("outlier", [1e4, 1e8, 1e300])
def test_outlying_values_give_no_warning(outlier):
    random = np.random.default_rng(1)
    positive = random.random(300) < 0.4
    value = random.normal(size=300) + 1.5 * positive
    value[0] = outlier
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(_slope_of_odds(value, positive))


def test_classes_that_are_apart_have_a_large_slope_and_one_class_none():
    value = np.array([-2.0, -1.0, 1.0, 2.0])
    assert 5 < _slope_of_odds(value, value > 0) < np.inf
    assert _slope_of_odds(value, value < 9) == 0
