"""Standard errors from summed powers of influence values."""

import numpy as np
import pytest

from veracity.evidence.linear import Linear
from veracity.evidence.proportion import Proportion

VALUES = np.array([1.0, 2, 4, 9, 9])


def test_moments_give_the_standard_error_and_skewness_of_a_mean():
    found = Linear.of_moments(VALUES.mean(), *[(VALUES**k).sum() for k in range(4)])
    centred = VALUES - VALUES.mean()
    assert found.standard_error == pytest.approx(VALUES.std() / np.sqrt(5))
    assert found.sample_error == pytest.approx(VALUES.std(ddof=1) / np.sqrt(5))
    assert found.acceleration == pytest.approx((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))


def test_clusters_are_corrected_for_their_number():
    assert Linear(0.0, 5, 2.0, 0.0, clustered=True).variance == pytest.approx(2.5)
    assert Linear(0.0, 5, 2.0, 0.0).variance == 2.0


def test_without_spread_there_is_no_skewness():
    assert Linear(1.0, 5, 0.0, 0.0).acceleration == 0


def test_a_proportion_knows_its_share_and_misses():
    p = Proportion(12, 40)
    assert (p.share, p.misses, p.whole) == (0.3, 28, True)
    assert not Proportion(1.5, 4).whole
