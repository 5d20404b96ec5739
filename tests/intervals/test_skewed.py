"""Intervals of skewed means and of functions of means, against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.distributions import bent
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import widest_gap
from veracity.intervals.compute import attach_interval
from veracity.intervals.means import MOST, UNDERSTATED
from veracity.intervals.scored import Scored
from veracity.scores import scores

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.normal(size=60)
SAID = 0.8 * TRUTH + RANDOM.normal(size=60) * 0.5


@given(st.floats(-4, 4), st.floats(-0.9, 0.9))
def test_halls_transformation_is_undone(end, skewness):
    """Hall 1992: x + a/3 x^2 + a^2/27 x^3 + a/6 takes the skewness a away."""
    x = bent(end, skewness)
    assert x + skewness * x**2 / 3 + skewness**2 * x**3 / 27 + skewness / 6 == pytest.approx(end, abs=1e-5)


def test_hall_t_by_hand(of_rows):
    losses = np.array([0.1, 0.3, 0.2, 0.9, 0.4, 2.0])
    found = attach_interval(of_rows("mae", losses, number=np.zeros(6)), "hall_t", Confidence())
    gap = losses - losses.mean()
    bend = min(UNDERSTATED * (gap**3).sum() / (gap**2).sum() ** 1.5, MOST)
    t, error = student.ppf(0.975, 5), losses.std(ddof=1) / np.sqrt(6)
    ends = [losses.mean() - error * bent(end, bend) for end in (t, -t)]
    assert (found.low, found.high) == pytest.approx((max(ends[0], 0), ends[1]))
    assert found.high - losses.mean() > t * error  # large losses were missed, if any


def test_even_losses_have_students_interval(of_rows):
    losses = np.array([1.0, 2, 3, 4, 5, 6, 7])
    m = of_rows("mae", losses, number=np.zeros(7))
    one, other = (attach_interval(m, name, Confidence()) for name in ("hall_t", "mean_t"))
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_rare_large_losses_are_told(of_rows):
    losses = np.r_[np.full(40, 0.1), 9.0] + np.arange(41) / 1000
    found = attach_interval(of_rows("mae", losses, number=np.zeros(41)), "hall_t", Confidence())
    assert "skewed-losses" in {note.code for note in found.notes}


@pytest.mark.parametrize("score", ["log_loss", "brier"])
@pytest.mark.parametrize(("rare", "told"), [(0, True), (6, True), (7, False), (40, False), (54, True)])
def test_a_class_that_few_rows_show_is_told_beside_a_mean_loss(score, rare, told):
    truth = np.repeat([1, 0], [rare, 60 - rare])
    chance = np.where(truth == 1, 0.4, 0.3) + np.arange(60) / 500
    (row,) = vc.estimate(vc.predictions(truth, proba=chance, positive=1, classes=[0, 1]), score)
    assert ("small-class" in {note.code for note in row.interval.notes if note.weight == "caution"}) is told


def test_rows_that_are_repeated_count_as_rows_of_their_class():
    truth, chance = np.repeat([1, 0], [3, 57]), 0.3 + np.arange(60) / 200
    counts = np.where(truth == 1, 3, 1)
    (row,) = vc.estimate(vc.predictions(truth, proba=chance, positive=1, counts=counts), "brier")
    assert "small-class" not in {note.code for note in row.interval.notes}


def test_weighted_rows_have_the_wider_limits(of_rows):
    weights = np.linspace(0.5, 2, 60)
    m = of_rows("mse", TRUTH, number=SAID, weights=weights)
    hall, plain = (attach_interval(m, name, Confidence()) for name in ("hall_t", "mean_t"))
    assert hall.low <= plain.low and hall.high >= plain.high


SCALES = {
    "r2": (lambda x: np.log(1 - x), lambda x: 1 - np.exp(x)),
    "correlation": (np.arctanh, np.tanh),
    "root_relative_squared_error(baseline='test')": (np.log, np.exp),
}


@pytest.mark.parametrize("score", SCALES)
def test_jackknife_t_leaves_each_row_out(of_rows, score):
    there, back = SCALES[score]
    m = of_rows(score, TRUTH, number=SAID)
    rows = np.arange(60)
    without = np.array([of_rows(score, TRUTH[rows != i], number=SAID[rows != i]).value for i in rows])
    gap = there(without) - there(without).mean()
    half = student.ppf(0.975, 59) * np.sqrt((gap**2).sum() * 59 / 60)
    expected = sorted((back(there(m.value) - half), back(there(m.value) + half)))
    found = attach_interval(m, "jackknife_t", Confidence())
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("score", SCALES)
def test_influence_values_tell_what_leaving_a_row_out_does(of_rows, score, monkeypatch):
    random = np.random.default_rng(0)
    truth = random.normal(size=2_000)
    m = of_rows(score, truth, number=truth + random.normal(size=2_000))
    left_out = attach_interval(m, "jackknife_t", Confidence())
    monkeypatch.setattr("veracity.intervals.means.LARGE", 1_000)
    linear = attach_interval(m, "jackknife_t", Confidence())
    assert (linear.low, linear.high) == pytest.approx((left_out.low, left_out.high), rel=2e-3)


def test_jackknife_t_of_counts_is_of_rows(of_rows):
    times = np.arange(60) % 3 + 1
    short = of_rows("r2", TRUTH, number=SAID, counts=times)
    long = of_rows("r2", np.repeat(TRUTH, times), number=np.repeat(SAID, times))
    one, other = (attach_interval(m, "jackknife_t", Confidence()) for m in (short, long))
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_one_interval_for_one_number():
    p = vc.predictions(TRUTH, number=SAID)
    found = vc.estimate(p, ["r2", "relative_squared_error(baseline='test')"])
    explained, left = (one.interval for one in found)
    assert (1 - explained.high, 1 - explained.low) == pytest.approx((left.low, left.high))


@pytest.mark.parametrize(
    ("score", "truth", "number", "why"),
    [
        ("correlation", [1.0, 2, 3, 4], [1.0, 2, 3, 4], "edge of its range"),
        ("r2", [1.0, 2], [1.5, 2], "so few rows"),
        ("median_absolute_error", [1.0, 2, 3, 5], [1.0, 2, 3, 4], "no function of means"),
    ],
)
def test_what_has_no_jackknife_says_why(of_rows, score, truth, number, why):
    with pytest.raises(Refused, match=why):
        attach_interval(of_rows(score, truth, number=number), "jackknife_t", Confidence())


def test_a_few_losses_far_apart_are_a_caution_though_their_skewness_is_not():
    random = np.random.default_rng(3)
    errors = np.abs(random.normal(size=300))
    far = np.concatenate([errors, [9.0, 9.5, 10.0, 14.0, 15.0, 16.0, 20.0]])
    near = np.concatenate([errors, np.linspace(errors.max(), errors.max() + 2, 7)])
    codes = {}
    for name, rows in (("far", far), ("near", near)):
        p = vc.predictions(rows, number=np.zeros(len(rows)))
        (found,) = vc.estimate(p, "mae")
        codes[name] = {note.code for note in found.all_notes if note.weight == "caution"}
        counted = vc.predictions(rows, number=np.zeros(len(rows)), counts=np.ones(len(rows), int))
        assert vc.estimate(counted, "mae").rows[0].interval == found.interval
    linear = Scored.of_predictions(scores.choose("mae"), vc.predictions(far, number=np.zeros(307))).linear
    usual = np.quantile(far, 0.9) - np.median(far)
    assert 0.1 < linear.skewness < 0.4 and linear.gap == pytest.approx((9 - errors.max()) / usual)
    assert codes == {"far": {"skewed-losses"}, "near": set()}


def test_the_widest_gap():
    assert widest_gap(np.arange(101.0)) == pytest.approx(1 / 40)
    assert widest_gap(np.array([0.0] * 20 + [5.0])) == np.inf  # the usual losses do not differ at all
    assert widest_gap(np.zeros(9)) == 0
