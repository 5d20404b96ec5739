"""Gain, lift chart and true positives by false positives."""

import numpy as np
import pytest

import veracity as vc

VALUES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]


@pytest.fixture
def p():
    return vc.predictions(TRUTH, value=VALUES, positive=1)


@pytest.mark.parametrize("fraction", [0.1, 0.25, 0.5, 1.0])
def test_lift_is_the_slope_of_both_charts(p, fraction):
    gain, lift = vc.curve(p, "gain"), vc.curve(p, "lift_chart")
    score = vc.score(p, f"lift_at(fraction={fraction})")
    assert np.interp(fraction, gain.x, gain.y) / fraction == pytest.approx(score)
    assert np.interp(14 * fraction, lift.x, lift.y) / (14 * fraction) / (6 / 14) == pytest.approx(score)


def test_lift_chart_counts_rows(p):
    chart = vc.curve(p, "lift_chart")
    assert chart.x.tolist() == list(range(15))
    assert chart.y.tolist() == [0, *np.cumsum(TRUTH)]
    assert chart.threshold[0] == np.inf


def test_gain_area_is_the_area(p):
    chart = vc.curve(p, "gain")
    assert np.trapezoid(chart.y, chart.x) == pytest.approx(chart.facts["gain_area"]["model"])
    assert chart.facts["gain_area"]["model"] == pytest.approx(0.6905, abs=5e-5)


def test_nothing_finds_more_than_the_perfect_guide(p):
    for kind in ("gain", "lift_chart"):
        chart = vc.curve(p, kind)
        perfect = next(guide for guide in chart.guides if guide.name == "perfect")
        assert (np.interp(chart.x, perfect.x, perfect.y) >= chart.y - 1e-12).all()


def test_false_positives_are_numbers(p):
    chart = vc.curve(p, "tpr_by_false_positives")
    assert chart.x.tolist() == [0, *np.cumsum(1 - np.array(TRUTH))]
    assert chart.y == pytest.approx(vc.curve(p, "roc").y)
    assert chart.x_range == (0, 6) and vc.curve(p, "tpr_by_false_positives(upto=3)").x_range == (0, 3)
    with pytest.raises(vc.BadInput, match="upto"):
        vc.curve(p, "tpr_by_false_positives", upto=0)


def test_only_positives_labelled_allows_gain_and_refuses_the_rest():
    p = vc.predictions(TRUTH, value=VALUES, positive=1, labelled="positives")
    assert [guide.name for guide in vc.curve(p, "gain").guides] == ["chance"]
    for kind in ("roc", "precision_recall", "lift_chart", "det"):
        with pytest.raises(vc.Refused, match="only positives are labelled"):
            vc.curve(p, kind)
