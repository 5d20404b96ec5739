from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.intervals import replicates
from veracity.intervals.bootstrap import corrected_level, share_below
from veracity.intervals.compute import attach_interval

METHODS = ["percentile", "basic", "bca", "studentised"]
TWELVE = [[20, 5], [7, 8]]  # 12 errors among 40 rows


def test_bootstrap_of_an_error_is_binomial(counted):
    found = counted("error", TWELVE).replicates(50_000, 1) * 40
    share = np.bincount(np.round(found).astype(int), minlength=41) / 50_000
    assert share == pytest.approx(binom.pmf(np.arange(41), 40, 0.3), abs=0.008)


def test_percentile_of_an_error(counted):
    found = attach_interval(counted("error", TWELVE), "percentile(draws=50000)", Confidence())
    assert (found.low, found.high) == pytest.approx((0.175, 0.45))


def test_bca_constants_of_an_error(counted):
    m = counted("error", TWELVE)
    below = binom.cdf(11, 40, 0.3) + binom.pmf(12, 40, 0.3) / 2
    bias = NormalDist().inv_cdf(below)
    assert bias == pytest.approx(0.0223, abs=0.5e-4)
    assert share_below(m.replicates(100_000, 1), m.value) == pytest.approx(below, abs=0.006)
    assert replicates.acceleration(m) == pytest.approx(0.0230, abs=0.5e-4)
    assert m.linear.acceleration == pytest.approx((1 - 0.6) / (6 * np.sqrt(40 * 0.21)), rel=1e-4)
    levels = [corrected_level(z, bias, replicates.acceleration(m)) for z in (-Confidence().z, Confidence().z)]
    assert levels == pytest.approx([0.0334, 0.9821], abs=0.5e-4)


def brute_force(value, truth, draws, seed):
    """BCa of average precision by resampling rows and leaving each one out."""
    from sklearn.metrics import average_precision_score as score

    random, rows = np.random.default_rng(seed), len(truth)
    found = np.array([score(truth[i], value[i]) for i in random.integers(0, rows, (draws, rows))])
    theta = score(truth, value)
    left = np.array([score(np.delete(truth, i), np.delete(value, i)) for i in range(rows)])
    gap = left.mean() - left
    acceleration = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    bias = NormalDist().inv_cdf((found < theta).mean() + (found == theta).mean() / 2)
    levels = [corrected_level(z, bias, acceleration) for z in (-Confidence().z, Confidence().z)]
    return np.quantile(found, levels), acceleration


@pytest.mark.slow
def test_bca_by_brute_force(ordered, two_classes):
    truth, chance = two_classes(80, seed=5)
    m = ordered("average_precision", chance, truth)
    expected, acceleration = brute_force(chance, truth, 1500, 1)
    assert replicates.acceleration(m) == pytest.approx(acceleration, rel=1e-6)
    found = attach_interval(m, "bca", Confidence())
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=0.03)


def test_acceleration_by_groups_is_that_of_rows(of_rows):
    random = np.random.default_rng(2)
    m = of_rows("mse", np.zeros(3000), number=random.exponential(size=3000))
    from veracity.intervals.replicates import _without_group, skewness

    left_out = np.concatenate([m.evaluate(m.evidence.reweigh(part)) for part in _without_group(m.evidence)])
    assert skewness(left_out, np.ones(len(left_out))) == pytest.approx(m.linear.acceleration, abs=0.015)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["counts", "ordering", "losses"])
def test_all_agree_on_many_rows(counted, ordered, of_rows, two_classes, method, kind):
    truth, chance = two_classes(3000, seed=1)
    m = {
        "counts": lambda: counted("kappa", [[400, 100], [200, 1300]]),
        "ordering": lambda: ordered("auc", chance, truth),
        "losses": lambda: of_rows("brier", truth, proba=chance, positive=1),
    }[kind]()
    found, expected = (
        attach_interval(m, f"{method}(draws=2000)", Confidence()),
        attach_interval(m, "delta", Confidence()),
    )
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.1 * expected.width)


def test_studentised_by_hand(of_rows):
    number = np.random.default_rng(0).exponential(size=60)
    m = of_rows("mae", np.zeros(60), number=number)
    found = attach_interval(m, "studentised", Confidence())
    random = np.random.default_rng(1)
    rows = number[random.integers(0, 60, (20_000, 60))]
    distance = (rows.mean(1) - number.mean()) / (rows.std(1) / np.sqrt(60))
    low, high = number.mean() - np.quantile(distance, [0.975, 0.025]) * number.std() / np.sqrt(60)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.03)


def test_bca_of_several_classes(of_rows):
    random = np.random.default_rng(3)
    proba = random.dirichlet([1, 1, 1], 150)
    truth = (proba.cumsum(1) < random.random((150, 1))).sum(1)
    m = of_rows("auc", truth, proba=proba)
    found, near = attach_interval(m, "bca(draws=1999)", Confidence()), attach_interval(m, "delta", Confidence())
    assert (found.low, found.high) == pytest.approx((near.low, near.high), abs=0.03)


def test_same_seed_same_numbers(ordered, two_classes):
    truth, chance = two_classes(300)
    one, same, other = (attach_interval(ordered("auc", chance, truth), "bca", Confidence(), seed) for seed in (1, 1, 2))
    assert one == same and one.low != other.low
    assert "bca: 9999 draws with seed 1" in [note.says for note in one.notes]


@pytest.mark.parametrize("method", METHODS)
def test_no_information_is_refused(counted, method):
    with pytest.raises(Refused):
        attach_interval(counted("kappa", [[30, 0], [0, 70]]), method, Confidence())


def test_undefined_replicates(counted):
    m = counted("recall", [[2, 1], [5, 30]])
    assert "undefined-replicates" in [note.code for note in attach_interval(m, "percentile", Confidence()).notes]
    with pytest.raises(Refused, match="more rows are needed"):
        attach_interval(counted("recall", [[1, 1], [5, 300]]), "percentile", Confidence())


def test_draws(counted):
    m = counted("kappa", TWELVE)
    assert "few-draws" in [note.code for note in attach_interval(m, "percentile(draws=200)", Confidence()).notes]
    with pytest.raises(BadInput, match="at least 2"):
        attach_interval(m, "percentile(draws=1)", Confidence())


def test_acceleration_by_groups_a_few_at_a_time(of_rows, monkeypatch):
    from veracity.intervals import replicates

    m = of_rows("mse", np.zeros(300), number=np.random.default_rng(2).exponential(size=300), weights=np.arange(1, 301))
    whole = np.concatenate(list(replicates._without_group(m.evidence)))
    monkeypatch.setattr(replicates, "CHUNK", 1_000)
    parts = list(replicates._without_group(m.evidence))
    assert len(parts) > 1 and (np.concatenate(parts) == whole).all()
    assert whole.sum(0) == pytest.approx((len(whole) - 1) * m.evidence.cells)
