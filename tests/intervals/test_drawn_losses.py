"""The standard error of the leave-one-out bootstrap against all draws of five rows and a numeric derivative."""

from itertools import product

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.evidence.losses import Draw, DrawnLosses
from veracity.intervals.resampled import loo_bootstrap_error, loo_bootstrap_se

Y = np.array([1.0, 2, 4, 7, 9])
EVERY = [np.array(draw) for draw in product(range(5), repeat=5)]


def draw(drawn, y=Y):
    out = np.setdiff1d(np.arange(len(y)), drawn)
    return Draw(drawn, out, (y[out] - y[drawn].mean()) ** 2)


@pytest.fixture(scope="module")
def every():
    return DrawnLosses.of(5, (draw(drawn) for drawn in EVERY))


def test_all_draws_of_five_rows(every):
    assert every.mean == pytest.approx(15.82)
    assert loo_bootstrap_error(every) == pytest.approx(7.1176, abs=5e-5)
    found = loo_bootstrap_se.function(every, Confidence(0.95))
    assert (found.high - found.about) == pytest.approx(1.959964 * 7.1176, abs=1e-4)


def test_influences_are_the_derivative_of_the_estimate(every):
    """Efron & Tibshirani's D_i: the estimate when draws come from rows weighted (1 + e) at row i, differentiated."""
    times = np.array([np.bincount(drawn, minlength=5) for drawn in EVERY])
    losses = np.array([(Y - Y[drawn].mean()) ** 2 for drawn in EVERY])
    out = times == 0

    def estimate(weight):
        chance = np.prod(weight**times, axis=1)[:, None] * out
        return float((weight * ((chance * losses).sum(0) / chance.sum(0))).sum())

    def moved(row, step):
        weight = np.full(5, (1 - step) / 5)
        weight[row] += step
        return weight

    slopes = [(estimate(moved(row, 1e-5)) - estimate(moved(row, -1e-5))) / 2e-5 for row in range(5)]
    own = (2 + 1 / 4) * (every.each - every.mean) / 5 + every.covariance / every.times_out
    assert np.array(slopes) / 5 == pytest.approx(own, rel=1e-5)


def test_limits(every):
    assert [note.code for note in check(loo_bootstrap_se.limits, every)] == ["fewer-rows"]
    few = DrawnLosses.of(5, [draw(np.array(d)) for d in ([0, 1, 1, 2, 2], [2, 3, 4, 4, 3], [0, 0, 1, 3, 4])])
    assert [note.code for note in check(loo_bootstrap_se.limits, few)] == ["few-draws", "fewer-rows"]
    with pytest.raises(Refused, match=r"loo_bootstrap\(draws=1000\)"):
        check(loo_bootstrap_se.limits, DrawnLosses.of(5, [draw(np.array([0, 1, 2, 3, 3]))]))
