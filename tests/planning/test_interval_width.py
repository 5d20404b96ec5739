"""Rows for a width, against the intervals themselves, formulas and published numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import intervals


def enumerated(rows, value, method, level=0.95):
    """Every count, the width of its interval from the catalogue, and its chance."""
    at = Confidence(level)
    found = [intervals[method].function(Proportion(float(k), float(rows)), at) for k in range(rows + 1)]
    widths = [min(one.high, 1.0) - max(one.low, 0.0) for one in found]
    return float(stats.binom.pmf(np.arange(rows + 1), rows, value) @ widths)


@settings(max_examples=30)
@given(st.integers(1, 60), st.floats(0, 1), st.sampled_from(["wilson", "clopper_pearson"]))
def test_the_width_of_a_share_is_the_mean_over_all_counts(rows, value, method):
    found = vc.interval_width("share", rows=rows, value=value, interval=method)
    assert found.width == pytest.approx(enumerated(rows, value, method), abs=1e-9)


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson"])
@pytest.mark.parametrize(("value", "width"), [(0.1, 0.04), (0.5, 0.1), (0.02, 0.05), (0.0, 0.01)])
def test_so_many_rows_suffice_and_one_less_does_not(value, width, method):
    found = vc.interval_width("share", value=value, width=width, interval=method)
    assert found.solved == "rows" and found.width <= width
    assert vc.interval_width("share", value=value, rows=found.rows - 1, interval=method).width > width


def test_the_textbook_number_of_rows():
    """385 rows for plus or minus 5 points at 95 %, from z^2 / 4 / 0.05^2; Wilson's interval is a little narrower."""
    assert vc.interval_width("share", value=0.5, width=0.1).rows == pytest.approx(385, abs=5)


def test_very_many_rows_are_taken_in_blocks():
    found = vc.interval_width("share", value=0.1, rows=10_000_000).width
    assert found == pytest.approx(2 * stats.norm.ppf(0.975) * np.sqrt(0.09 / 1e7), rel=1e-4)


def test_a_level_can_be_asked_for():
    level = vc.interval_width("share", value=0.1, rows=200, width=0.08, level=None).level
    assert vc.interval_width("share", value=0.1, rows=200, level=level).width == pytest.approx(0.08, abs=1e-6)


@pytest.mark.parametrize("rows", [2, 5, 30, 1000])
def test_the_width_of_a_mean_is_that_of_students_interval(rows):
    expected = 2 * stats.t.ppf(0.975, rows - 1) * 0.4 * stats.chi(rows - 1).mean() / np.sqrt((rows - 1) * rows)
    assert vc.interval_width("mean", sd=0.4, rows=rows).width == pytest.approx(expected, rel=1e-9)


def test_the_width_of_a_mean_of_simulated_rows():
    losses = np.random.default_rng(0).normal(size=(4000, 12))
    widths = 2 * stats.t.ppf(0.975, 11) * losses.std(axis=1, ddof=1) / np.sqrt(12)
    assert vc.interval_width("mean", sd=1, rows=12).width == pytest.approx(widths.mean(), abs=4 * widths.std() / 63)


def test_the_standard_error_of_hanley_and_mcneil():
    """Their example: 51 abnormal and 58 normal images, an area of .893, a standard error of about .032."""
    found = vc.interval_width("auc", value=0.893, rows=109, prevalence=51 / 109)
    assert found.width / (2 * stats.norm.ppf(0.975)) == pytest.approx(0.032, abs=1e-3)


def test_the_width_of_an_auc_is_near_that_of_simulated_rows():
    random = np.random.default_rng(1)
    found = []
    for _ in range(60):
        truth = np.repeat([0, 1], [160, 40])
        p = vc.predictions(truth, value=random.normal(size=200) + 1.4657 * truth, positive=1)  # an area of .85
        found.append(vc.estimate(p, "auc")["auc"].interval.width)
    planned = vc.interval_width("auc", value=0.85, rows=200, prevalence=0.2).width
    assert np.mean(found) == pytest.approx(planned, rel=0.15)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"value": 0.1}, "needs `rows=` or `width=`"),
        ({"value": 0.1, "rows": 9, "width": 0.1}, "needs `rows=` or `width=`"),
        ({"value": 1.1, "rows": 9}, "a share of rows between 0 and 1"),
        ({"rows": 9}, "width of share_width needs `value=`"),
        ({"value": 0.1, "rows": 0}, "from 1 to 1,000,000,000, not 0"),
        ({"value": 0.1, "rows": 10**18}, "from 1 to 1,000,000,000, not"),
        ({"value": 0.1, "width": 0.0}, "larger than 0"),
        ({"value": 0.1, "rows": 9, "sd": 1}, "is not asked with `sd=`"),
        ({"value": 0.1, "rows": 9, "interval": "jeffrey"}, "one of wilson, clopper_pearson"),
    ],
)
def test_what_is_asked_wrongly(how, says):
    with pytest.raises(BadInput, match=says):
        vc.interval_width("share", **how)
    with pytest.raises(Refused, match="even 1,000,000,000 rows"):
        vc.interval_width("share", value=0.5, width=1e-6)


def test_the_finite_class_bound_is_the_interval_of_that_name():
    assert vc.finite_class(rows=1000, delta=0.05, size_h=1000).epsilon == pytest.approx(0.0728, abs=5e-5)
    assert vc.finite_class(rows=1000, delta=0.05, size_h=1000, side="upper").epsilon == pytest.approx(0.0704, abs=5e-5)
    assert vc.finite_class(epsilon=0.05, delta=0.05, size_h=1000).rows == 2120


@given(st.integers(1, 10**6), st.floats(0.01, 0.5), st.floats(0.001, 0.5), st.sampled_from(["two", "upper"]))
def test_each_part_follows_from_the_others(size_h, epsilon, delta, side):
    sides = {"two": 2, "upper": 1}[side]

    def bound(rows, number):
        return sides * number * np.exp(-2 * rows * epsilon**2)

    rows = vc.finite_class(epsilon=epsilon, delta=delta, size_h=size_h, side=side).rows
    assert bound(rows, size_h) <= delta * (1 + 1e-9) and (rows == 1 or bound(rows - 1, size_h) > delta * (1 - 1e-9))
    chance = vc.finite_class(rows=rows, epsilon=epsilon, size_h=size_h, side=side).delta
    assert chance == pytest.approx(bound(rows, size_h))
    most = vc.finite_class(rows=rows, epsilon=epsilon, delta=delta, side=side).size_h
    assert most >= size_h and bound(rows, most) <= delta * (1 + 1e-9) < bound(rows, most + 1) * (1 + 1e-6)
    assert vc.finite_class(rows=rows, delta=delta, size_h=size_h, side=side).epsilon <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"rows": 9}, "needs three of `rows=`, `epsilon=`, `delta=`, `size_h=`"),
        ({"rows": 9, "epsilon": 0.1, "delta": 0.1, "size_h": 2}, "needs three of"),
        ({"rows": 0, "epsilon": 0.1, "delta": 0.1}, "at least 1, not 0"),
        ({"rows": 9, "epsilon": 1.5, "delta": 0.1}, "strictly between 0 and 1"),
        ({"rows": 9, "epsilon": 0.1, "delta": 0.1, "side": "lower"}, "'two' or 'upper'"),
    ],
)
def test_the_bound_asked_wrongly(how, says):
    with pytest.raises(BadInput, match=says):
        vc.finite_class(**how)


def test_too_few_rows_promise_nothing():
    with pytest.raises(Refused, match="promise nothing"):
        vc.finite_class(rows=10, epsilon=0.1, size_h=100)
    with pytest.raises(Refused, match="not enough for a single hypothesis"):
        vc.finite_class(rows=10, epsilon=0.1, delta=0.05)


@pytest.mark.parametrize("how", [{"epsilon": 1e-200, "delta": 0.05}, {"epsilon": 1e-9, "delta": 1e-300}])
def test_more_rows_than_anybody_has(how):
    with pytest.raises(Refused, match="which nobody has"):
        vc.finite_class(size_h=1e300, **how)


def test_a_bound_of_very_many_hypotheses_and_hardly_any_chance():
    assert vc.finite_class(epsilon=0.1, delta=1e-300, size_h=1e300).rows == 69113
