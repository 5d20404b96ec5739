"""Power by the noncentral t."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.planning.difference_power import noncentral_t_power


def test_the_paired_t_of_theory():
    assert vc.power("paired_t", datasets=15, difference=0.02, sd=0.03).power == pytest.approx(0.671, abs=5e-4)


@given(st.integers(1, 200), st.floats(0, 6), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_mean_over_the_denominator_is_the_noncentral_t(df, shift, level):
    cut = stats.t.ppf((1 + level) / 2, df)
    expected = stats.nct.sf(cut, df, shift) + (stats.nct.cdf(-cut, df, shift) if shift < 4 else 0.0)
    assert noncentral_t_power(df, shift, Confidence(level)) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("df", [1, 14, 10**6])
def test_shifts_at_which_scipy_gives_up(df):
    assert noncentral_t_power(df, 1e4, Confidence()) == pytest.approx(1.0, abs=1e-6)
    assert noncentral_t_power(df, 0.0, Confidence()) == pytest.approx(0.05, abs=1e-6)


def test_solving_either_way():
    needed = vc.power("paired_t", difference=0.02, sd=0.03, power=0.8)
    assert needed.datasets == 20 and needed.power == pytest.approx(0.807, abs=1e-3)
    assert vc.power("paired_t", datasets=19, difference=0.02, sd=0.03).power < 0.8
    seen = vc.power("paired_t", datasets=15, sd=0.03, power=0.8)
    assert vc.power("paired_t", datasets=15, sd=0.03, difference=seen.difference).power == pytest.approx(0.8, abs=1e-6)


def test_repeats_give_the_conservative_t_no_power():
    told = {"difference": 0.02, "sd": 0.03, "train": 9, "test": 1}
    one, two, many = (vc.power("conservative_t", splits=splits, **told).power for splits in (10, 20, 1000))
    assert one == vc.power("corrected_t", splits=10, **told).power
    assert one < two == many
    shift = 0.02 / (0.03 * (1 / 10 + 1 / 9) ** 0.5)
    assert many == pytest.approx(noncentral_t_power(15, shift, Confidence()))


def test_corrected_t_is_the_noncentral_t_with_its_variance():
    found = vc.power("corrected_t", splits=100, difference=0.02, sd=0.03, train=9, test=1).power
    shift = 0.02 / (0.03 * (1 / 100 + 1 / 9) ** 0.5)
    cut = stats.t.ppf(0.975, 99)
    assert found == pytest.approx(stats.nct.sf(cut, 99, shift) + stats.nct.cdf(-cut, 99, shift), abs=1e-6)
    assert vc.power("corrected_t", difference=0.03, sd=0.03, train=9, test=1, power=0.8).splits == 77


def test_more_splits_have_a_ceiling_and_the_refusal_says_what_helps():
    with pytest.raises(vc.Refused, match=r"even 1,000,000 splits give power 0.516 only; more splits .* find more rows"):
        vc.power("corrected_t", difference=0.02, sd=0.03, train=9, test=1, power=0.8)


@pytest.mark.parametrize("name", ["sd", "train", "test"])
def test_what_must_be_positive(name):
    given = {"sd": 0.03, "train": 9.0, "test": 1.0, name: 0.0}
    with pytest.raises(vc.BadInput, match=f"{name}= must be larger than 0, not 0"):
        vc.power("corrected_t", difference=0.02, splits=10, **given)
