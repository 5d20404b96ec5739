"""One model against a value: the binomial law, scipy's t, DeLong, the bootstrap, and the majority baseline."""

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


NUMBERS = RANDOM.normal(size=100)
NUMERIC = predictions(NUMBERS, number=NUMBERS + 0.4 * RANDOM.normal(size=100))
HEAVY = RANDOM.uniform(0.2, 2, 100)
WEIGHED = predictions(TRUTH, proba=CHANCE, positive=1, weights=HEAVY)
GROUPED = predictions(TRUTH, proba=CHANCE, positive=1, groups=RANDOM.permutation(100) // 4)
AS_ESTIMATED = [
    (SURE, "log_loss", "hall_t"),
    (SURE, "brier", "hall_t"),
    (SURE, "auc", "delta_logit"),
    (SURE, "average_precision", "delta_logit"),
    (NUMERIC, "rmse", "hall_t"),
    (NUMERIC, "r2", "jackknife_t"),
    (NUMERIC, "correlation", "jackknife_t"),
    (WEIGHED, "brier", "hall_t"),
    (GROUPED, "log_loss", "hall_t"),
    (GROUPED, "auc", "delta_logit"),
]


@pytest.mark.parametrize(("p", "score", "method"), AS_ESTIMATED)
def test_the_bound_is_that_of_estimate_and_meets_the_value_at_the_p_value(p, score, method):
    alone = estimate(p, score)[score]
    assert alone.interval.method == method
    side, end = ("upper", "high") if alone.better == "lower" else ("lower", "low")
    bound = getattr(estimate(p, score, side=side)[score].interval, end)
    for share in (0.3, 0.9, 1.0, 1.1, 2):  # on both sides of the bound
        value = alone.value + share * (bound - alone.value)
        if p.kind != "numbers" and not 0 < value < 1:
            continue
        using = f"one_sample(value={float(value)!r})"
        found = compare(p, score, using=using)
        assert getattr(found.interval, end) == pytest.approx(bound - value)
        assert found.p_value == pytest.approx(0.05) if share == 1 else (found.p_value < 0.05) is (share > 1)
        there = compare(p, score, using=using, level=1 - found.p_value).interval
        assert getattr(there, end) == pytest.approx(0, abs=1e-9)


def test_losses_that_are_not_skewed_are_tested_by_student():
    """Squared errors are 0.01 and 0.09, as many of each."""
    p = predictions(NUMBERS, number=NUMBERS + np.tile([0.1, 0.3], 50))
    expected = stats.ttest_1samp(np.tile([0.01, 0.09], 50), 0.06, alternative="less")
    found = compare(p, "mse", using="one_sample(value=0.06)")
    assert (found.statistic, found.p_value, found.df) == pytest.approx((expected.statistic, expected.pvalue, 99))
    assert found.interval.high == pytest.approx(expected.confidence_interval(0.95).high - 0.06)


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


def test_very_skewed_losses_are_told():
    truth = RANDOM.normal(size=60)
    p = predictions(truth, number=truth + np.where(np.arange(60) == 7, 30, 0.1))
    (note,) = (n for n in compare(p, "mse", using="one_sample(value=20)").notes if n.code == "skewed-losses")
    assert note.weight == "caution" and "losses are very skewed" in note.says
    even = predictions(truth, number=truth + np.tile([1.0, 1.2], 30))
    assert "skewed-losses" not in str(compare(even, "mse", using="one_sample(value=1)").notes)


def test_few_rows_of_a_class_are_told():
    p = predictions([0] * 30 + [1] * 3, value=[*range(30), 20.5, 28.5, 29.5], positive=1)
    assert "small-class" in {note.code for note in compare(p, "auc", using="one_sample(value=0.5)").notes}


def _mean_of_squares(random):
    truth = random.normal(size=60)
    return predictions(truth, number=truth + random.normal(size=60)), "mse", 1.0


def _area(random):
    """Eight rows of the positive class, whose values are normal and 1.5 higher."""
    truth = np.repeat([0, 1], [60, 8])
    values = random.normal(size=68) + 1.5 * truth
    return predictions(truth, value=values, positive=1), "auc", stats.norm.cdf(1.5 / 2**0.5)


@pytest.mark.slow
@pytest.mark.parametrize("world", [_mean_of_squares, _area])
def test_true_values_are_rejected_no_more_often_than_told(world):
    """Student's and DeLong's laws, which it once went by, reject 10 % and 16 % of these at .05."""
    random = np.random.default_rng(17)
    worlds = (world(random) for _ in range(2000))
    found = [compare(p, score, using=f"one_sample(value={float(value)!r})").p_value for p, score, value in worlds]
    assert np.mean(np.array(found) < 0.05) < 0.05 + 2 * (0.05 * 0.95 / 2000) ** 0.5
