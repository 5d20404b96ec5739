"""Power by the noncentral t."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.planning.tests import noncentral_t_power


def test_the_paired_t_of_theory():
    assert vc.power("paired_t", datasets=15, difference=0.02, sd=0.03).power == pytest.approx(0.671, abs=5e-4)


@given(st.integers(1, 200), st.floats(0, 6), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_mean_over_the_denominator_is_the_noncentral_t(df, shift, level):
    cut = stats.t.ppf((1 + level) / 2, df)
    with np.errstate(divide="ignore"):
        expected = stats.nct.sf(cut, df, shift) + stats.nct.cdf(-cut, df, shift)
    assert noncentral_t_power(df, shift, Confidence(level)) == pytest.approx(expected, abs=1e-9)


def test_one_degree_of_freedom_by_quadrature_over_the_denominator():
    shift, level = 7.9, 0.999
    cut = stats.t.ppf((1 + level) / 2, 1)
    density = lambda c: (stats.norm.sf(cut * c - shift) + stats.norm.cdf(-cut * c - shift)) * 2 * stats.norm.pdf(c)  # noqa: E731
    parts = [quad(density, low, high, epsabs=1e-14)[0] for low, high in ((0, 0.01), (0.01, 0.02), (0.02, 1), (1, 10))]
    assert noncentral_t_power(1, shift, Confidence(level)) == pytest.approx(sum(parts), abs=1e-12)


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
    assert one == pytest.approx(vc.power("corrected_t", splits=10, **told).power, rel=1e-12)
    assert one < two == pytest.approx(many, rel=1e-12)
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
    with pytest.raises(vc.BadInput, match=f"`{name}=` must be larger than 0, not 0"):
        vc.power("corrected_t", difference=0.02, splits=10, **given)


def test_rows_in_groups_count_as_far_as_they_are_not_alike():
    told = {"difference": 0.05, "sd": 0.4}
    single = vc.power("paired_loss_t", groups=200, **told).power
    assert vc.power("paired_loss_t", groups=200, each=5, alike=1, **told).power == pytest.approx(single)
    assert vc.power("paired_loss_t", groups=200, each=5, alike=0.2, **told).power > single + 0.1
    plain = vc.power("paired_t", datasets=200, **told).power
    assert single == pytest.approx(plain)
    needed = vc.power("paired_loss_t", power=0.8, each=5, alike=0.2, **told)
    assert needed.to_json()["groups"] == needed.groups and f"needs {needed.groups} groups" in str(needed)


@pytest.mark.slow
def test_the_power_of_groups_is_that_of_simulated_ones():
    random, concluded = np.random.default_rng(0), 0
    group = np.repeat(np.arange(25), 4)
    for _ in range(400):
        gap = 0.25 + np.sqrt(0.3) * random.normal(size=25)[group] + np.sqrt(0.7) * random.normal(size=100)
        truth = np.zeros(100)
        pair = {"a": gap + 10, "b": np.full(100, 10.0)}
        models = {name: vc.predictions(truth, number=one, groups=group) for name, one in pair.items()}
        concluded += vc.compare(models, "mae").p_value < 0.05
    expected = vc.power("paired_loss_t", groups=25, difference=0.25, sd=1, each=4, alike=0.3).power
    assert concluded / 400 == pytest.approx(expected, abs=0.07)


@pytest.mark.parametrize(("told", "says"), [({"each": 0.5}, "at least 1, not 0.5"), ({"alike": 2}, "between 0 and 1")])
def test_groups_that_are_none(told, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.power("paired_loss_t", groups=9, difference=0.1, sd=1, **told)
