"""Intervals of scores of an ordering: by hand, by brute force, and none where nothing can be said."""

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import Proportion, Ranked
from veracity.intervals.auc import squared_distance
from veracity.intervals.compute import attach_default, attach_interval
from veracity.intervals.proportions import wilson

TRUTH = (1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0)
SCORES = ("auc", "average_precision", "gain_area", "break_even", "partial_auc(max_fpr=0.4)", "lift_at")


def test_by_hand(ordered):
    """Example D of the area: six positives, eight negatives, placements counted by pairs."""
    truth = np.array(TRUTH)
    positive, negative = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)
    wins = np.array([[p < n for n in negative] for p in positive], float)
    area = wins.mean()
    spread = wins.mean(1).var() / 6 + wins.mean(0).var() / 8
    gap = 0.5 - area
    centre = area + gap * (1 - 1 / ((1 + 0.25 / 6) * (1 + 0.25 / 8)))
    error = sqrt(spread * 6 / 5 + 0.25 * gap**2 * (1 / 36 + 1 / 64))
    half = stats.t.ppf(0.975, 6) * error / (centre * (1 - centre))
    expected = [1 / (1 + exp(-(log(centre / (1 - centre)) + sign * half))) for sign in (-1, 1)]
    found = attach_interval(ordered("auc", -np.arange(14), TRUTH), "delta_logit", Confidence())
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("score", [*SCORES, "partial_auc(max_fpr=0.3, standardised=True)"])
def test_limits_lie_between_what_the_score_can_be(ordered, score):
    for truth in ([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1], [1, 0] * 5):
        m = ordered(score, -np.arange(10.0), truth)
        evidence, found = m.view(Ranked), attach_interval(m, "delta_logit", Confidence(), anyway=True)
        assert evidence.low <= found.low < found.high <= evidence.high
        assert evidence.low - 1e-12 <= m.value <= evidence.high + 1e-12


def test_many_rows_come_back_to_delong(ordered, two_classes):
    truth, chance = two_classes(20_000, tied=False)
    m = ordered("auc", chance, truth)
    first, second = (attach_interval(m, name, Confidence()) for name in ("delta_logit", "delong_logit"))
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=2e-4)


@pytest.mark.parametrize("score", [*SCORES, "equal_error_rate"])
def test_constant_values_have_none(score):
    p = vc.predictions([0, 1] * 20, value=np.ones(40), positive=1)
    row = vc.estimate(p, score).rows[0]
    assert row.interval is None
    assert any("all rows have the same value" in note.says for note in row.notes)


def test_an_order_that_does_not_matter_has_none(ordered):
    with pytest.raises(Refused, match="order does not matter"):
        attach_interval(ordered("lift_at(fraction=1.0)", np.arange(20), TRUTH + (0,) * 6), "delta_logit", Confidence())


@pytest.mark.parametrize("score", ["max_fbeta", "hull_auc"])
def test_the_best_of_the_same_rows_has_none(ordered, two_classes, score):
    truth, chance = two_classes(100)
    found, notes = attach_default(ordered(score, chance, truth), Confidence())
    assert found is None and "the best that these very rows allow" in notes[0].says


def test_one_row_of_a_class(ordered):
    with pytest.raises(Refused, match="fewer than two rows"):
        attach_interval(ordered("auc", [3, 2, 1], [0, 1, 0]), "delta_logit", Confidence())


def test_a_row_that_outweighs_its_class_leaves_none(of_rows, two_classes):
    truth, chance = two_classes(100, seed=2)
    heavy = of_rows("auc", truth, proba=chance, positive=1, weights=np.r_[1e6, np.ones(99)])
    found, notes = attach_default(heavy, Confidence())
    assert found is None and "fewer than two rows that count" in notes[0].says


def test_few_rows_are_told(ordered):
    found = attach_interval(ordered("auc", -np.arange(12), [1, 0, 1] + [0, 1] + [0] * 7), "delta_logit", Confidence())
    assert "small-class" in [note.code for note in found.notes]


def test_several_classes(of_rows):
    random = np.random.default_rng(0)
    m = of_rows("auc", np.arange(60) % 3, proba=random.dirichlet([1, 1, 1], 60))
    parts = m.view(Ranked).pulls
    assert [part.positives for part in parts] == [20] * 3 and sum(part.share for part in parts) == pytest.approx(1)
    assert attach_default(m, Confidence())[0].method == "delta_logit"


def test_weights_and_groups_count_in_effect(of_rows, two_classes):
    truth, chance = two_classes(120)
    weight = np.where(np.arange(120) % 2 == 0, 3.0, 1.0)
    weighted = of_rows("auc", truth, proba=chance, positive=1, weights=weight).view(Ranked).pulls[0]
    assert weighted.positives == pytest.approx(weight[truth == 1].sum() / 3)
    told = attach_default(of_rows("auc", truth, proba=chance, positive=1, weights=weight), Confidence())[0].notes
    assert "weighted-order" in [note.code for note in told]
    repeated = of_rows(
        "auc", np.repeat(truth, 3), proba=np.repeat(chance, 3), positive=1, groups=np.repeat(np.arange(120), 3)
    )
    assert repeated.view(Ranked).pulls[0].positives == pytest.approx((truth == 1).sum())


def nearest(truth, value, rate):
    """The squared distance in standard errors from a rate common to both to the curve, on a fine grid of its points."""
    order = np.argsort(-value, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(value[order]) != 0, True))
    missed = np.append(1, 1 - np.cumsum(truth[order])[ends] / truth.sum())
    alarms = np.append(0, np.cumsum(1 - truth[order])[ends] / (1 - truth).sum())
    fine = np.linspace(0, len(missed) - 1, 20_001)
    at = [np.interp(fine, np.arange(len(missed)), one) for one in (missed, alarms)]
    far = truth.sum() * (at[0] - rate) ** 2 + (1 - truth).sum() * (at[1] - rate) ** 2
    return far.min() / (rate * (1 - rate))


@pytest.mark.parametrize("step", [1e-9, 0.5])
def test_equal_rates_by_brute_force(ordered, step):
    random = np.random.default_rng(1)
    truth = (np.arange(60) < 14).astype(int)
    value = np.round((random.normal(size=60) + 1.2 * truth) / step) * step
    found = attach_interval(ordered("equal_error_rate", value, truth), "equal_rates", Confidence())
    for limit in (found.low, found.high):
        assert nearest(truth, value, limit) == pytest.approx(Confidence().z ** 2, rel=1e-3)


@given(st.lists(st.booleans(), min_size=4, max_size=40).filter(lambda t: 0 < sum(t) < len(t)))
def test_equal_rates_lie_inside_wilson_of_the_smaller_class(truth):
    p = vc.predictions(np.array(truth, int), value=-np.arange(len(truth)), positive=1)
    row = vc.estimate(p, "equal_error_rate").rows[0]
    smaller = min(sum(truth), len(truth) - sum(truth))
    outer = wilson.function(Proportion(row.value * smaller, smaller), Confidence())
    assert outer.low - 1e-9 <= row.interval.low <= row.value + 1e-9
    assert row.value - 1e-9 <= row.interval.high <= outer.high + 1e-9


def test_separated_classes_bound_the_equal_error_rate(ordered):
    found = attach_interval(
        ordered("equal_error_rate", [5, 4, 3, 2, 1, 0], [1, 1, 0, 0, 0, 0]), "equal_rates", Confidence()
    )
    assert (found.low, found.high) == pytest.approx((0, wilson.function(Proportion(0, 2), Confidence()).high), abs=1e-8)


def test_distance_to_a_line():
    assert squared_distance(np.array([[-1.0, 1.0, 3.0], [1.0, 1.0, 4.0]])) == pytest.approx(1)
    assert squared_distance(np.array([[0.0, 2.0], [2.0, 0.0]])) == pytest.approx(2)
