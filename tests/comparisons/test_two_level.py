"""The two-level mean: closed cases, its size, and that more repeats buy power."""

import numpy as np
import pytest
from scipy.special import stdtr

from veracity.comparisons import comparisons
from veracity.comparisons.datasets import variance_between
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores

TRAIN, TEST = 90, 10


def matrix(differences):
    """One data set for each row of split differences."""
    cells = [(SplitScores.of(row, TRAIN, TEST), SplitScores.of(np.zeros(len(row)), TRAIN, TEST)) for row in differences]
    values = np.array([[a.mean, b.mean] for a, b in cells])
    return ScoreMatrix(values, ("a", "b"), tuple(f"d{i}" for i in range(len(cells))), splits=tuple(cells))


def world(random, data_sets, splits, mean=0.0, between=0.0, within=1.0):
    """Splits correlated by the share of rows tested, within of each data set its own."""
    share = TEST / (TRAIN + TEST)
    true = mean + between * random.normal(size=(data_sets, 1))
    common = np.sqrt(share) * random.normal(size=(data_sets, 1))
    own = np.sqrt(1 - share) * random.normal(size=(data_sets, splits))
    return matrix(true + within * random.uniform(0.3, 1.7, (data_sets, 1)) * (common + own))


def rejected(random, times, **of):
    return np.mean([comparisons["two_level"](world(random, **of)).p_value < 0.05 for _ in range(times)])


def test_equal_variances_give_the_paired_t_of_the_means():
    offsets = np.array([-1.0, 0.0, 1.0])
    means = np.array([3.0, -5.0, 8.0, 1.0])  # far apart: the splits add little
    found = comparisons["two_level"](matrix(means[:, None] + offsets * 0.01))
    expected = means.mean() / (means.std(ddof=1) / 2)
    assert (found.statistic, found.df) == pytest.approx((expected, 3), rel=1e-3)
    assert found.p_value == pytest.approx(2 * stdtr(3, -abs(expected)), rel=1e-2)
    assert found.estimate == pytest.approx(means.mean(), rel=1e-3)


def test_the_variance_between_balances_the_weighted_squares():
    means, variances = np.array([0.1, 0.5, -0.2, 0.9]), np.array([0.01, 0.02, 0.01, 0.05])
    between = variance_between(means, variances)
    weights = 1 / (variances + between)
    centre = weights @ means / weights.sum()
    assert weights @ (means - centre) ** 2 == pytest.approx(3)
    assert variance_between(means / 100, variances) == 0


@pytest.mark.parametrize("between", [0.0, 0.5, 2.0])
def test_it_rejects_at_its_level(between):
    random = np.random.default_rng(int(10 * between))
    assert rejected(random, 300, data_sets=12, splits=10, between=between) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.slow
@pytest.mark.parametrize("splits", [2, 5, 30])  # few make weights noisy
@pytest.mark.parametrize("data_sets", [3, 6, 20])
def test_its_size_over_designs(splits, data_sets):
    random = np.random.default_rng(splits * data_sets)
    for between in (0.0, 0.3, 1.0):
        found = rejected(random, 2000, data_sets=data_sets, splits=splits, between=between)
        assert found <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_more_repeats_buy_power():
    random = np.random.default_rng(9)
    few, many = (rejected(random, 200, data_sets=15, splits=n, mean=0.35, between=0.1) for n in (2, 50))
    assert many > few + 0.1


def test_data_sets_without_spread():
    found = comparisons["two_level"](matrix([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [0.2, 0.1, 0.4]]))
    assert found.notes[0].code == "no-spread"
    assert np.isfinite(found.p_value)
    assert comparisons["two_level"](matrix(np.zeros((4, 3)))).p_value == 1
    assert comparisons["two_level"](matrix(np.ones((4, 3)))).notes[0].weight == "refuse"


def test_what_it_cannot_read():
    plain = ScoreMatrix(np.random.default_rng(0).random((8, 2)), ("a", "b"), tuple("12345678"))
    with pytest.raises(Refused, match="have none: use wilcoxon"):
        check(comparisons["two_level"].limits, plain)
    with pytest.raises(Refused, match="have none: use wilcoxon"):  # whatever is accepted
        comparisons["two_level"](plain)
    with pytest.raises(BadInput, match="d1 lacks them"):
        comparisons["two_level"](matrix([[0.1, 0.2], [0.3, np.nan]]))
