"""One model against a value: the binomial law, scipy's t, DeLong, the bootstrap, and the majority baseline."""

import re

import numpy as np
import pytest
from scipy import stats

from veracity.contests.compare import compare
from veracity.core.errors import BadInput, Refused
from veracity.evidence.make_predictions import predictions
from veracity.risk.estimates import estimate

RANDOM = np.random.default_rng(5)
TRUTH = np.repeat([0, 1], [70, 30])
WRONG = np.arange(100) % 9 == 0  # 12 rows
MODEL = predictions(TRUTH, label=np.where(WRONG, 1 - TRUTH, TRUTH), positive=1)
CHANCE = np.clip(0.3 + 0.4 * TRUTH + 0.2 * RANDOM.normal(size=100), 0.01, 0.99)
SURE = predictions(TRUTH, proba=CHANCE, positive=1)


@pytest.mark.parametrize(
    ("score", "value", "hits", "side"), [("error", 0.2, 12, "less"), ("accuracy", 0.8, 88, "greater")]
)
def test_shares_are_tested_by_the_binomial_law(score, value, hits, side):
    found = compare(MODEL, score, using=f"one_sample(value={value})")
    expected = stats.binomtest(hits, 100, value, side)
    bound = expected.proportion_ci(0.95, "exact")
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.a, found.b) == ("model", f"{value:g}")
    assert found.difference == pytest.approx(hits / 100 - value)
    if side == "less":
        assert (found.interval.low, found.interval.high) == (-np.inf, pytest.approx(bound.high - value))
    else:
        assert (found.interval.low, found.interval.high) == (pytest.approx(bound.low - value), np.inf)
    assert f"than {value:g}," in str(found) and f"evidence that it is better than {value:g}" in str(found)


def test_the_bound_agrees_with_the_p_value():
    for value in np.linspace(0.1, 0.3, 41):
        found = compare(MODEL, "error", using=f"one_sample(value={value})")
        assert (found.interval.high < 0) is bool(found.p_value < 0.05)


def test_mean_losses_by_student():
    loss = -np.log(np.where(TRUTH == 1, CHANCE, 1 - CHANCE))
    expected = stats.ttest_1samp(loss, 0.5, alternative="less")
    found = compare(SURE, "log_loss", using="one_sample(value=0.5)")
    assert (found.statistic, found.p_value, found.df) == pytest.approx((expected.statistic, expected.pvalue, 99))
    assert found.interval.high == pytest.approx(expected.confidence_interval(0.95).high - 0.5)


def test_areas_by_delong():
    found = compare(SURE, "auc", using="one_sample(value=0.85)")
    alone = estimate(SURE, "auc", interval="delong", level=0.90)["auc"]
    assert found.interval.low == pytest.approx(alone.interval.low - 0.85)
    assert found.p_value == pytest.approx(stats.norm.sf(found.statistic))


@pytest.mark.parametrize(("score", "name", "value"), [("auc", "percentile", 0.6), ("error", "wilson", 0.2)])
def test_an_interval_by_name_is_of_the_difference_too(score, name, value):
    """It once was that of the score itself, told as one of the difference, and drawn with another seed."""
    found = compare(SURE, score, using=f"one_sample(value={value})", interval=name, seed=7)
    alone = estimate(SURE, score, interval=name, seed=7)[score].interval
    assert (found.interval.low, found.interval.high) == pytest.approx((alone.low - value, alone.high - value))
    assert found.difference in found.interval and found.interval.method == name
    assert found.interval.notes == alone.notes


def test_other_scores_by_the_bootstrap():
    found = compare(MODEL, "kappa", using="one_sample(value=0.5, draws=1999)")
    assert 0 < found.p_value < 0.05 and found.interval.low > 0
    assert "seed" in {note.code for note in found.all_notes}
    beaten = compare(MODEL, "kappa", using="one_sample(value=0.9, draws=1999)")
    assert beaten.p_value > 0.9


def test_majority_baseline():
    found = compare(MODEL, "error", using="one_sample(value=majority)")
    assert found.difference == pytest.approx(0.12 - 0.30)
    assert found.p_value == pytest.approx(stats.binomtest(12, 100, 0.3, "less").pvalue)
    assert compare(MODEL, "kappa", using="one_sample(value=majority, draws=1999)").difference > 0
    with pytest.raises(Refused, match="names a class"):
        compare(SURE, "auc", using="one_sample(value=majority)")
    with pytest.raises(Refused, match="majority class is undefined"):
        compare(MODEL, "precision", using="one_sample(value=majority)")


def test_several_models_are_one_family():
    found = compare({"a": MODEL, "b": SURE}, "error", using="one_sample(value=0.2)")
    assert [row.a for row in found] == ["a", "b"]
    assert all(row.adjusted_p_value >= row.p_value for row in found)


def test_values_that_no_score_can_have():
    for value in (1.5, "'minority'"):
        with pytest.raises(BadInput, match="'majority' or a number from 0 to 1"):
            compare(MODEL, "error", using=f"one_sample(value={value})")


def test_separated_classes_and_lone_losses_are_refused():
    separated = predictions([0, 0, 1, 1], value=[1, 2, 3, 4], positive=1)
    with pytest.raises(Refused, match="separated perfectly"):
        compare(separated, "auc", using="one_sample(value=0.5)")


def test_grouped_rows_are_tested_by_groups():
    plain = compare(MODEL, "error", using="one_sample(value=0.2)")
    grouped = predictions(TRUTH, label=MODEL.label, positive=1, groups=np.arange(100) // 5)
    found = compare(grouped, "error", using="one_sample(value=0.2)")
    assert found.df == 19 and found.difference == pytest.approx(plain.difference)


def test_skewed_losses_are_told():
    """Squared errors of 60 rows: Student's test of their mean rejects 9 % of null worlds at .05, as the note says."""
    random = np.random.default_rng(0)
    truth = random.normal(size=60)
    p = predictions(truth, number=truth + random.normal(size=60))
    said = {n.code: n.says for n in compare(p, "mse", using="one_sample(value=1)").notes}
    assert re.search(r"rejects about 0\.0[2-5]", said["skewed-losses"])
    even = predictions(truth, number=truth + np.tile([1.0, 1.2], 30))
    assert "skewed-losses" not in str(compare(even, "mse", using="one_sample(value=1)").notes)
