import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import replicates
from veracity.intervals.compute import attach_interval
from veracity.intervals.proportions import mid_p

EXAMPLE = [[40, 10], [20, 130]]
THREE = [[50, 3, 2], [4, 30, 6], [1, 5, 19]]


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [("recall", 0.6696, 0.8876), ("specificity", 0.8030, 0.9120), ("precision", 0.5406, 0.7727)],
)
def test_wilson_of_rates(counted, score, low, high):
    found = attach_interval(counted(score, EXAMPLE), "wilson", Confidence())
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.5001e-4)


def test_balanced_accuracy_is_half_of_youden(counted):
    youden = attach_interval(counted("youden", EXAMPLE), "square_and_add", Confidence())
    balanced = attach_interval(counted("balanced_accuracy", EXAMPLE), "square_and_add", Confidence())
    assert (balanced.low, balanced.high) == pytest.approx(((youden.low + 1) / 2, (youden.high + 1) / 2))


def test_balanced_error_mirrors_balanced_accuracy(counted):
    right = attach_interval(counted("balanced_accuracy", THREE), "square_and_add", Confidence())
    wrong = attach_interval(counted("balanced_error", THREE), "square_and_add", Confidence())
    assert (wrong.low, wrong.high) == pytest.approx((1 - right.high, 1 - right.low))


def test_three_classes_by_hand(counted):
    rates = [Proportion(50, 55), Proportion(30, 40), Proportion(19, 25)]
    limits = [mid_p.function(rate, Confidence()) for rate in rates]
    below = np.sqrt(sum((rate.share - limit.low) ** 2 for rate, limit in zip(rates, limits, strict=True))) / 3
    found = attach_interval(counted("balanced_accuracy", THREE), "square_and_add", Confidence())
    assert found.low == pytest.approx(np.mean([rate.share for rate in rates]) - below)


def test_other_interval_of_the_rates(counted):
    narrow = attach_interval(counted("youden", EXAMPLE), "square_and_add", Confidence())
    wide = attach_interval(counted("youden", EXAMPLE), "square_and_add(of='clopper_pearson')", Confidence())
    assert wide.low < narrow.low and narrow.high < wide.high


@pytest.mark.parametrize("score", ["positive_likelihood_ratio", "negative_likelihood_ratio"])
def test_log_ratio_against_replicates(counted, score):
    m = counted(score, [[400, 100], [200, 1300]])
    found = attach_interval(m, "log_ratio", Confidence())
    logs = np.log(np.concatenate([m.evaluate(part) for part in replicates.bootstrap_replicates(m.evidence, 20_000, 1)]))
    assert np.log(found.high / found.low) / 2 / Confidence().z == pytest.approx(logs.std(), rel=0.03)
    assert np.log(found.high * found.low) / 2 == pytest.approx(np.log(m.value))


def test_zero_rate_has_no_log_ratio(counted):
    with pytest.raises(Refused, match="a rate is 0"):
        attach_interval(counted("negative_likelihood_ratio", [[40, 0], [20, 130]]), "log_ratio", Confidence())


@pytest.mark.parametrize(("average", "method"), [("micro", "square_and_add"), ("macro", "log_ratio")])
def test_averages_are_refused(counted, average, method):
    score = "youden" if method == "square_and_add" else "positive_likelihood_ratio"
    with pytest.raises(Refused, match="average over classes"):
        attach_interval(counted(f"{score}(average={average!r})", THREE), method, Confidence())


def test_average_of_two_classes_is_youden_itself(counted):
    """Either class against the rest has the same J, so nothing is gained by averaging."""
    alone = attach_interval(counted("youden", EXAMPLE), "square_and_add", Confidence())
    average = attach_interval(counted("youden(average='macro')", EXAMPLE), "square_and_add", Confidence())
    assert (average.low, average.high) == pytest.approx((alone.low, alone.high))


def test_averages_of_alike_classes_are_narrower_than_of_one(counted):
    """Three classes with the same matrix against the rest: the average has their value and varies less."""
    alike = [[30, 4, 4], [4, 30, 4], [4, 4, 30]]
    for score in ("youden", "negative_likelihood_ratio"):
        average = attach_interval(counted(f"{score}(average='macro')", alike), "square_and_add", Confidence())
        of_one = "square_and_add" if score == "youden" else "score_ratio"
        alone = attach_interval(counted(f"{score}(average='none')", alike, positive=0), of_one, Confidence())
        assert alone.low < average.low < average.high < alone.high
