"""The hierarchical posterior against integration over a grid, and its limits."""

import numpy as np
import pytest
from scipy.special import gammaln, stdtr

import veracity as vc
from veracity.comparisons.posteriors import RATE, SHAPE, _read_data_sets, split_r_hat


def matrix(means, spread=0.05, splits=20, seed=0):
    """Data sets whose differences have these means."""
    random = np.random.default_rng(seed)
    tables = {}
    for i, mean in enumerate(means):
        noise = random.normal(size=splits)
        d = mean + spread * (noise - noise.mean())
        tables[f"d{i}"] = vc.split_scores({"a": 0.7 + d, "b": np.full(splits, 0.7)}, train=90, test=10, k=10)
    return vc.score_matrix(tables)


def on_a_grid(m, rope):
    """Mean probabilities of the regions for the next data set, with everything summed over fine grids."""
    sets, unit, _ = _read_data_sets(m)
    mu = np.linspace(-12, 12, 1201)
    centres = np.linspace(-6, 6, 61)
    scales = np.exp(np.linspace(np.log(0.01), np.log(60), 50))
    degrees = 1 + np.exp(np.linspace(np.log(0.05), np.log(100), 16))
    own = []
    for x, squares, number, rho in zip(sets.mean, sets.squares, sets.splits, sets.rho, strict=True):
        inflation = (1 + (number - 1) * rho) / number
        own.append((squares / (1 - rho) + (x - mu) ** 2 / inflation) ** (-(number - 1) / 2))
    own = np.array(own) / np.max(own, axis=1, keepdims=True)
    total, found = 0.0, np.zeros(3)
    for nu in degrees:
        constant = gammaln((nu + 1) / 2) - gammaln(nu / 2) - np.log(nu * np.pi) / 2
        prior = (nu - 1) ** SHAPE * np.exp(-RATE * (nu - 1))  # steps of the grid are even in ln(nu - 1)
        for scale in scales:
            away = (mu - centres[:, None]) / scale
            law = np.exp(constant - (nu + 1) / 2 * np.log1p(away**2 / nu)) / scale
            weight = np.prod(law @ own.T, axis=1) * prior * scale  # and even in ln s0
            left = stdtr(nu, (-rope / unit - centres) / scale)
            right = stdtr(nu, (centres - rope / unit) / scale)
            total += weight.sum()
            found += np.array([weight @ left, weight @ (1 - left - right), weight @ right])
    return found / total


@pytest.mark.slow
def test_a_grid_of_all_parameters_agrees():
    m = matrix([0.03, 0.01, 0.05, 0.02, -0.01])
    found = dict(vc.compare(m, using="hierarchical_posterior(rope=0.01)").facts)
    expected = on_a_grid(m, 0.01)
    assert [found["next_left"], found["next_rope"], found["next_right"]] == pytest.approx(expected, abs=0.01)


def test_what_is_told():
    found = vc.compare(matrix([0.03, 0.01, 0.05, 0.02, 0.04, 0.03]), using="hierarchical_posterior(rope=0.01)")
    assert sum(found.probabilities) == pytest.approx(1) and np.argmax(found.probabilities) == 2
    assert dict(found.facts)["r_hat"] < 1.01
    assert found.interval.low < found.difference < found.interval.high
    says = " ".join(note.says for note in found.notes)
    assert "split R-hat" in says and "seed 0" in says and "priors: uniform up to 48" in says


def test_noisy_data_sets_count_less():
    sure, noisy = (
        vc.compare(matrix([0.03] * 4 + [-0.03], spread), using="hierarchical_posterior(draws=3200)").interval.width
        for spread in (0.005, 0.3)
    )
    assert noisy > sure


def test_equal_splits_are_floored_and_flagged():
    tables = {
        f"d{i}": vc.split_scores({"a": [0.7 + i / 100] * 10, "b": [0.7] * 10}, train=9, test=1, k=10) for i in range(4)
    }
    found = vc.compare(vc.score_matrix(tables), using="hierarchical_posterior(rope=0.005, draws=3200)")
    assert "no-spread" in [note.code for note in found.notes]
    assert sum(found.probabilities) == pytest.approx(1)
    same = {name: vc.split_scores({"a": [0.7] * 10, "b": [0.7] * 10}, train=9, test=1, k=10) for name in "xyz"}
    nothing = vc.compare(vc.score_matrix(same), using="hierarchical_posterior(rope=0.1, draws=3200)")
    assert nothing.difference == pytest.approx(0, abs=1e-3)


def test_it_needs_three_data_sets_and_their_splits():
    with pytest.raises(vc.Refused, match="fewer than 3 data sets"):
        vc.compare(matrix([0.1, 0.2]), using="hierarchical_posterior")
    for anyway in (False, True):  # without splits there is nothing to read, whatever is accepted
        with pytest.raises(vc.Refused, match="split scores of every data set"):
            vc.compare(vc.score_matrix(np.ones((5, 2))), using="hierarchical_posterior", anyway=anyway)
    with pytest.raises(vc.BadInput, match="draws must be at least 64"):
        vc.compare(matrix([0.1, 0.2, 0.3]), using="hierarchical_posterior(draws=10)")


def test_the_same_seed_gives_the_same_draws_and_few_are_told():
    m = matrix([0.03, 0.01, 0.05])
    one, again, other = (vc.compare(m, using="hierarchical_posterior(draws=640)", seed=s) for s in (1, 1, 2))
    assert one.facts == again.facts != other.facts
    assert "few-draws" in [note.code for note in one.notes]


def test_chains_that_have_not_met_are_seen():
    random = np.random.default_rng(0)
    together = random.standard_cauchy((4, 500))
    assert split_r_hat(together) < 1.01
    assert split_r_hat(together + 3 * np.arange(4)[:, None]) > 1.1
    assert split_r_hat(np.sort(together, axis=1)) > 1.1  # a drift


@pytest.mark.slow
def test_intervals_of_the_mean_hold_it_as_often_as_they_say():
    random = np.random.default_rng(3)
    held = []
    for trial in range(150):
        means = 0.02 + 0.03 * random.normal(size=12)
        found = vc.compare(matrix(means, 0.001, seed=trial), using="hierarchical_posterior(draws=3200)")
        held.append(0.02 in found.interval)
    assert np.mean(held) == pytest.approx(0.95, abs=0.06)


def test_infinite_splits_have_no_posterior_whatever_is_accepted():
    scores = {"a": [np.inf, 1.0, 2.0], "b": [1.0, 2.0, 4.0]}
    tables = {f"d{i}": vc.split_scores(scores, train=9, test=1, k=3) for i in range(3)}
    with pytest.raises(vc.Refused, match="undefined or infinite in some splits"):
        vc.compare(vc.score_matrix(tables), using="hierarchical_posterior", anyway=True)
