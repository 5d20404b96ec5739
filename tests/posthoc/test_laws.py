"""The studentised range and Dunnett's law: tables, scipy, and closed forms."""

import math

import numpy as np
import pytest
from scipy.special import ndtr, stdtr
from scipy.stats import multivariate_t, studentized_range

from veracity.posthoc.pair_tests import control_tail, critical_value, range_tail


@pytest.mark.parametrize(("learners", "df"), [(2, 3), (3, 2), (4, 15), (5, 145), (30, 60), (100, 9801)])
def test_scipy_agrees_on_the_range(learners, df):
    q = np.array([0.5, 2.0, 3.5, 6.0])
    assert range_tail(q, learners, df) == pytest.approx(studentized_range.sf(q, learners, df), rel=1e-6)


@pytest.mark.parametrize("learners", [2, 10, 100])
def test_scipy_agrees_on_the_range_with_known_deviation(learners):
    q = np.array([0.5, 2.0, 3.5, 6.0])
    assert range_tail(q, learners) == pytest.approx(studentized_range.sf(q, learners, math.inf), rel=1e-6)


def test_two_learners_are_the_normal_law_far_into_its_tail():
    q = np.array([0.0, 1.0, 10.0, 30.0])
    assert range_tail(q, 2) == pytest.approx(2 * ndtr(-q / math.sqrt(2)), rel=1e-10)
    assert control_tail(q, 1) == pytest.approx(2 * ndtr(-q), rel=1e-10)


@pytest.mark.parametrize("df", [2, 15, 400])
def test_two_learners_are_students_law(df):
    q = np.array([0.0, 1.0, 4.0])
    assert range_tail(q, 2, df) == pytest.approx(2 * stdtr(df, -q / math.sqrt(2)), rel=1e-9)
    assert control_tail(q, 1, df) == pytest.approx(2 * stdtr(df, -q), rel=1e-9)


def test_dunnett_is_the_multivariate_t():
    shape = np.full((3, 3), 0.5) + np.eye(3) / 2
    for d in (1.0, 2.61):
        inside = multivariate_t.cdf([d] * 3, shape=shape, df=15, lower_limit=[-d] * 3, random_state=0, maxpts=200_000)
        assert control_tail(np.array([d]), 3, 15)[0] == pytest.approx(1 - inside, abs=2e-4)


def test_printed_quantiles():
    assert critical_value(range_tail, 0.05, 4, 15) == pytest.approx(4.076, abs=5e-4)
    assert critical_value(control_tail, 0.05, 3, 15) == pytest.approx(2.610, abs=5e-4)
