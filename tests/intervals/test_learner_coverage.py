"""Intervals for a learner hold its risk as often as they should in a world of two Gaussians, and naive_t does not."""

import pytest

from veracity.lab import NearestMean, TwoGaussians, coverage

WORLD = TwoGaussians(distance=2.0, features=5)
REPEATED = "repeated_kfold(k=10, repeats=10)"


def test_naive_t_is_far_off_where_corrected_t_is_not():
    by = "repeated_holdout(repeats=40, test=0.1)"
    corrected, naive = coverage(WORLD, NearestMean, by=by, methods=("corrected_t", "naive_t"), rows=50, trials=60)
    assert naive.coverage + 3 * naive.error < 0.9
    assert corrected.coverage + 3 * corrected.error > 0.95 and corrected.coverage > naive.coverage + 0.15
    assert corrected.width > 1.5 * naive.width


@pytest.mark.slow
@pytest.mark.parametrize("rows", [50, 100])
def test_corrected_t_is_near_its_level_and_naive_t_is_not(rows):
    corrected, naive = coverage(
        WORLD, NearestMean, by=REPEATED, methods=("corrected_t", "naive_t"), rows=rows, trials=600
    )
    assert corrected.coverage == pytest.approx(0.95, abs=3 * corrected.error + 0.02)  # RHO is an approximation
    assert naive.coverage + 3 * naive.error < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("rows", [50, 100])
def test_conservative_z_holds_at_least_its_level(rows):
    by = "paired_subsampling(outer=10, inner=15)"
    (found,) = coverage(WORLD, NearestMean, by=by, methods="conservative_z", rows=rows, trials=400)
    assert found.coverage + 3 * found.error >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("rows", [50, 100])
def test_nested_cv_is_near_its_level_for_the_risk_at_all_rows(rows):
    by = "nested_cv_bates(k=10, repeats=10)"
    (found,) = coverage(WORLD, NearestMean, by=by, methods="nested_cv", rows=rows, trials=400)
    assert found.at_all == pytest.approx(0.95, abs=3 * found.error + 0.01)
