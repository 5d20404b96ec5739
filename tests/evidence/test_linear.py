"""Standard errors from summed powers of influence values."""

import numpy as np
import pytest

from veracity.evidence.interval_evidence import Linear, Proportion

VALUES = np.array([1.0, 2, 4, 9, 9])


def test_moments_give_the_standard_error_and_skewness_of_a_mean():
    found = Linear.of_moments(VALUES.mean(), *[(VALUES**k).sum() for k in range(4)])
    centred = VALUES - VALUES.mean()
    assert found.standard_error == pytest.approx(VALUES.std() / np.sqrt(5))
    assert found.sample_error == pytest.approx(VALUES.std(ddof=1) / np.sqrt(5))
    assert found.acceleration == pytest.approx((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))


def of_groups(sizes, means):
    """The mean of rows that are alike in each group."""
    held = np.array(sizes) / np.sum(sizes)
    value = held @ means
    return Linear.of_units(value, (held * (means - value))[None], held[None], True, False)


def test_a_group_counts_by_what_leaving_it_out_does():
    sizes, means = [1, 2, 5, 4], np.array([3.0, 1, 4, 2])
    without = [np.average(np.delete(means, k), weights=np.delete(sizes, k)) for k in range(4)]
    found = of_groups(sizes, means)
    assert found.squares == pytest.approx(np.square(np.array(without) - found.value).sum())
    assert found.degrees == pytest.approx(144 / 46 - 1)


@pytest.mark.parametrize("number", range(2, 60))
def test_equal_groups_are_a_whole_number_of_them(number):
    """None less by rounding, which would caution of too few."""
    found = of_groups([2] * number, np.sin(np.arange(number)))
    assert found.effective == number


def test_groups_of_equal_size_have_one_degree_less_than_groups():
    found = of_groups([7] * 5, VALUES)
    assert found.degrees == 4
    assert found.standard_error == pytest.approx(VALUES.std(ddof=1) / np.sqrt(5) * np.sqrt(5 / 4))


def test_parts_add_up_and_share_their_degrees():
    random = np.random.default_rng(0)
    held = np.array([np.r_[np.full(6, 1 / 6), np.zeros(4)], np.r_[np.zeros(6), np.full(4, 1 / 4)]])
    moved = np.where(held > 0, random.normal(size=(2, 10)), 0.0)
    found = Linear.of_units(0.0, moved, held, True, False)
    parts = [(moved[0] ** 2).sum() / (5 / 6) ** 2, (moved[1] ** 2).sum() / (3 / 4) ** 2]
    assert found.squares == pytest.approx(sum(parts))
    assert found.degrees == pytest.approx(sum(parts) / (parts[0] / 5 + parts[1] / 3))


def test_one_unit_that_holds_all_has_no_error():
    found = Linear.of_units(0.0, np.zeros((1, 2)), np.array([[1.0, 0.0]]), False, True)
    assert np.isnan(found.standard_error)


def test_without_spread_there_is_no_skewness():
    assert Linear(1.0, 5, 0.0, 0.0).acceleration == 0


def test_a_proportion_knows_its_share_and_misses():
    p = Proportion(12, 40)
    assert (p.share, p.misses, p.whole) == (0.3, 28, True)
    assert not Proportion(1.5, 4).whole
