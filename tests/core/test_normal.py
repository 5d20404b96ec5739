"""Tails of the normal law."""

import pytest
from scipy.special import ndtr

from veracity.core.normal import above, two_sided


@pytest.mark.parametrize("z", [-40.0, -3.0, 0.0, 1.96, 8.3, 9.0, 30.0])
def test_tails_are_exact_far_out(z):
    assert above(z) == pytest.approx(ndtr(-z), rel=1e-12)
    assert two_sided(z) == two_sided(-z) == pytest.approx(2 * ndtr(-abs(z)), rel=1e-12)
