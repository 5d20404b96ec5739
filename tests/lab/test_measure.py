"""Bias, variance, coverage and size as one would add them up by hand."""

from dataclasses import replace

import numpy as np
import pytest

from veracity.core.errors import BadInput, Refused
from veracity.lab import NearestMean, Polynomial, PureNoise, Sine, TwoGaussians, coverage, learner_risk, quality, size
from veracity.lab.results import Quality

WORLD = TwoGaussians(distance=2.0, features=5)


def test_mean_squared_error_is_squared_bias_plus_variance():
    random = np.random.default_rng(0)
    found, truth = random.normal(0.3, 0.1, 50), 0.25
    q = Quality("some", truth, float(found.mean()), float(found.var()), 50)
    assert q.mse == pytest.approx(np.mean((found - truth) ** 2))
    assert q.error == pytest.approx(found.std() / 50**0.5)
    assert replace(q, truth_error=0.3).error == pytest.approx((q.error**2 + 0.09) ** 0.5)


def test_resubstitution_is_optimistic_and_two_folds_tell_of_half_the_rows():
    low = quality(WORLD, NearestMean, "resubstitution", rows=20, trials=150)
    high = quality(WORLD, NearestMean, "kfold(k=2)", rows=20, trials=150)
    assert low.truth == high.truth == learner_risk(WORLD, NearestMean, 20)
    assert low.bias < -3 * low.error
    assert high.mean == pytest.approx(learner_risk(WORLD, NearestMean, 10), abs=3 * high.error)


def test_numbers_have_worlds_too():
    found = quality(Sine(), Polynomial, "kfold(k=5)", rows=40, trials=60)
    assert found.truth > Sine().best and abs(found.bias) < 5 * found.error + 0.05


def test_more_rows_make_a_better_learner():
    assert learner_risk(WORLD, NearestMean, 100) < learner_risk(WORLD, NearestMean, 10)


def test_a_wider_level_holds_more():
    ninety, half = (
        coverage(WORLD, NearestMean, by="kfold(k=5)", methods="corrected_t", rows=40, trials=60, level=level)[0]
        for level in (0.9, 0.5)
    )
    assert ninety.coverage > half.coverage and ninety.width > half.width
    assert str(half).startswith("corrected_t by kfold(k=5), 40 rows: held")


def test_an_interval_that_is_refused_everywhere_is_told():
    with pytest.raises(Refused, match="refused on every sample"):
        coverage(WORLD, NearestMean, by="kfold(k=5)", methods="nested_cv", rows=40, trials=3)


class OneFeature(NearestMean):
    """Sees one feature only."""

    def __init__(self, which):
        self.which = which

    def fit(self, features, target):
        return super().fit(features[:, [self.which]], target)

    def predict(self, features):
        return super().predict(features[:, [self.which]])


def test_size_of_a_test_on_noise():
    learners = (lambda: OneFeature(0)), (lambda: OneFeature(1))
    by = "repeated_kfold(k=5, repeats=4)"
    corrected, resampled = size(
        PureNoise(), learners, methods=("corrected_t", "resampled_t"), by=by, rows=60, trials=100, anyway=True
    )
    assert corrected.rejected < 0.05 + 3 * (0.05 * 0.95 / 100) ** 0.5
    assert resampled.rejected > 0.2 and resampled.fits == 100 * 2 * 20 and resampled.by == by
    with pytest.raises(BadInput, match="corrected_t"):
        size(PureNoise(), learners, methods="mcnemar", by=by, rows=60)
