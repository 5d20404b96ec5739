"""What a test returns: its p-value, its interval and its sides come from one object."""

import pytest
from scipy import stats

import veracity as vc
from veracity.comparisons.entry import MIN_P_VALUE, TestResult
from veracity.core.confidence import student_p_values
from veracity.findings.interval import Limits


def test_a_standard_error_gives_statistic_p_value_and_interval():
    found = TestResult.from_standard_error(0.3, 0.1, 9)
    assert (found.statistic, found.p_value) == pytest.approx((3, 2 * stats.t.sf(3, 9)))
    low, high, *_ = found.confidence_interval(0.9)
    assert (low, high) == pytest.approx(stats.t.interval(0.9, 9, 0.3, 0.1))
    normal = TestResult.from_standard_error(0.3, 0.1)
    assert normal.confidence_interval(0.9)[:2] == pytest.approx(stats.norm.interval(0.9, 0.3, 0.1))
    assert found.for_alternative("greater").p_value == pytest.approx(stats.t.sf(3, 9))
    assert found.for_alternative("less").confidence(0.9).side == "upper"


def test_an_estimate_that_does_not_vary_has_no_interval():
    found = TestResult.from_standard_error(0.3, 0.0, 9)
    assert (found.statistic, found.p_value, found.confidence_interval()) == (0, 1, None)


def test_the_difference_with_the_other_sign_has_the_other_sides():
    p = student_p_values(2.0, 9)
    found = TestResult.from_p_values(2.0, p, 9, limits=lambda at: Limits(0.1, 0.5 if at.side == "two" else 0.4))
    turned = found.for_alternative("less", -1)
    assert turned.p_value == p.greater and turned.confidence_interval()[:2] == (-0.4, -0.1)
    assert found.for_alternative("two-sided", -1).confidence_interval()[:2] == (-0.5, -0.1)


def test_no_p_value_is_zero():
    assert TestResult(50.0, 0.0).p_value == MIN_P_VALUE == TestResult.from_standard_error(1.0, 1e-9).p_value


def test_an_interval_is_named_for_a_score_that_has_it():
    models = {name: vc.predictions([1.0, 2.0, 3.0], number=said) for name, said in (("a", [1, 2, 4]), ("b", [2, 2, 2]))}
    with pytest.raises(vc.Refused, match="is an interval for auc, not for rmse: leave out `interval=`"):
        vc.compare(models, "rmse", using="paired_permutation", interval="delong_difference")
    splits = vc.split_scores({"a": [0.8, 0.7, 0.9], "b": [0.6, 0.7, 0.8]}, train=20, test=10, k=3)
    with pytest.raises(vc.Refused, match="; leave out `interval=`, for that of the test"):
        vc.compare(splits, interval="tango")
