"""Levels and sides."""

import pytest

from veracity.core.confidence import Confidence, rejects
from veracity.core.errors import BadInput


def test_quantiles_of_a_two_sided_level():
    at = Confidence(0.95)
    assert at.z == pytest.approx(1.959964, abs=5e-7)
    assert at.t(9) == pytest.approx(2.262157, abs=5e-7)
    assert at.tail == pytest.approx(0.025)


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_one_sided_bound_has_the_whole_miss_on_its_side(side):
    at = Confidence(0.95, side)
    assert at.tail == at.miss == pytest.approx(0.05)
    assert at.z == pytest.approx(1.644854, abs=5e-7)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan")])
def test_a_level_outside_zero_and_one(level):
    with pytest.raises(BadInput, match="level must lie strictly between 0 and 1"):
        Confidence(level)


def test_an_unknown_side():
    with pytest.raises(BadInput, match="side must be"):
        Confidence(0.9, "both")


@pytest.mark.parametrize(("p", "level"), [(0.05, 0.95), (0.1, 0.9), (0.01, 0.99), (0.2, 0.8)])
def test_a_p_value_of_the_size_rejects_at_every_level(p, level):
    assert rejects(p, level) and not rejects(p + 1e-9, level)
