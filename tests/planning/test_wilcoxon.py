"""Power of the signed-rank test, by simulation."""

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.comparisons.wilcoxon import largest_sum
from veracity.core.confidence import Confidence


@pytest.mark.parametrize("datasets", [6, 9, 15])
def test_the_critical_sum_is_that_of_the_exact_test(datasets):
    cut = largest_sum(datasets, Confidence())
    ranks = np.arange(1, datasets + 1.0)

    def p_value(smaller):  # the smallest set of ranks with this sum, negative
        signs, left = np.ones(datasets), smaller
        for rank in range(datasets, 0, -1):
            if rank <= left:
                signs[rank - 1], left = -1, left - rank
        return stats.wilcoxon(ranks * signs, method="exact").pvalue

    assert p_value(cut) <= 0.05 < p_value(cut + 1)


def test_power_lies_a_little_below_that_of_the_t_test_and_comes_with_its_error():
    found = vc.power("wilcoxon", datasets=15, difference=0.02, sd=0.03, draws=4000)
    t = vc.power("paired_t", datasets=15, difference=0.02, sd=0.03).power
    assert t - 0.08 < found.power < t + 0.01
    assert found.error == pytest.approx((found.power * (1 - found.power) / 4000) ** 0.5)
    assert "simulated, standard error 0.0076" in str(found)
    assert found == vc.power("wilcoxon(draws=4000)", datasets=15, difference=0.02, sd=0.03)
    assert found.power != vc.power("wilcoxon", datasets=15, difference=0.02, sd=0.03, draws=4000, seed=1).power


def test_without_a_difference_it_holds_its_level():
    tiny = vc.power("wilcoxon", datasets=10, difference=1e-9, sd=1.0, draws=20_000).power
    assert tiny == pytest.approx(0.0488, abs=0.006)  # the exact size of the test at 10


def test_solving_either_way():
    needed = vc.power("wilcoxon", difference=0.03, sd=0.03, power=0.8, draws=2000)
    assert 9 <= needed.datasets <= 13 and needed.power >= 0.8
    seen = vc.power("wilcoxon", datasets=15, sd=0.03, power=0.8, draws=2000)
    assert seen.power >= 0.8 and seen.difference == pytest.approx(0.024, abs=0.002)


def test_five_data_sets_can_never_conclude():
    assert vc.power("wilcoxon", datasets=5, difference=1.0, sd=0.01).power == 0.0
    with pytest.raises(vc.Refused, match="is found with power 0 only"):
        vc.power("wilcoxon", datasets=5, sd=0.01, power=0.5)
    with pytest.raises(vc.Refused, match=r"even 200 data sets give power .* ask paired_t"):
        vc.power("wilcoxon", difference=0.0002, sd=0.03, power=0.8, draws=500)
