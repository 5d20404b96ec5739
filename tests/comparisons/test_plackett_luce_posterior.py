"""Plackett-Luce: the posterior against integration on a grid, the likelihood against its gradient, ties."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from veracity.comparisons import comparisons
from veracity.comparisons.posteriors import likeliest_weights, posterior_draws
from veracity.core.errors import BadInput
from veracity.kernels.recursions import plackett_luce_sweeps
from veracity.readers.scores_of_arrays import score_matrix

REFERENCE = Path(__file__).parents[1] / "reference"
GARCIA = np.loadtxt(REFERENCE / "gh2008_accuracy.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
RANKS = np.array([(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2), (1, 2, 3)], float)
TIED = np.array([(1, 2, 3), (1.5, 1.5, 3), (2, 2, 2), (3, 1.5, 1.5), (1, 2, 3), (2, 3, 1)], float)


def chance(ranks, weights):
    """Of one row of ranks, averaged over all orders that its ties allow; weights have the learners last."""
    orders = [order for order in itertools.permutations(range(3)) if (np.diff(ranks[list(order)]) >= 0).all()]
    stages = [[weights[..., j] / weights[..., order[t:]].sum(axis=-1) for t, j in enumerate(order)] for order in orders]
    return np.mean([np.prod(stage, axis=0) for stage in stages], axis=0)


def on_grid(ranks):
    """The mean weights and the chance of each to be the largest, by the middles of small triangles."""
    size = 120
    points = [(i + 1 / 3, j + 1 / 3) for i in range(size) for j in range(size - i)]
    points += [(i + 2 / 3, j + 2 / 3) for i in range(size) for j in range(size - i - 1)]
    grid = np.array([(x, y, size - x - y) for x, y in points]) / size
    density = np.prod([chance(row, grid) for row in ranks], axis=0)
    largest = np.isclose(grid, grid.max(axis=1, keepdims=True))
    best = density @ (largest / largest.sum(axis=1, keepdims=True))
    return density @ grid / density.sum(), best / density.sum()


@pytest.mark.parametrize("ranks", [RANKS, TIED], ids=["untied", "tied"])
def test_the_posterior_is_that_of_the_grid(ranks):
    draws = posterior_draws(ranks, 40_000, 1)
    mean, best = on_grid(ranks)
    assert draws.mean(axis=0) == pytest.approx(mean, abs=0.005)
    assert np.bincount(draws.argmax(axis=1), minlength=3) / len(draws) == pytest.approx(best, abs=0.01)


def test_plain_and_compiled_sweeps_give_the_same_draws():
    orders = np.argsort(TIED, axis=1)
    tied = np.diff(np.sort(TIED, axis=1)) == 0
    plain, fast = np.empty((50, 3)), np.empty((50, 3))
    plackett_luce_sweeps.function(np.random.default_rng(7), orders.copy(), tied, 5, plain)
    plackett_luce_sweeps.compiled(np.random.default_rng(7), orders.copy(), tied, 5, fast)
    assert fast == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("ranks", [RANKS, TIED], ids=["untied", "tied"])
def test_the_likelihood_has_no_slope_at_its_largest(ranks):
    weights = likeliest_weights(ranks)

    def log_likelihood(logs):
        w = np.exp(logs) / np.exp(logs).sum()
        return sum(math.log(chance(row, w)) for row in ranks)

    logs = np.log(weights)
    for j in range(3):
        step = np.eye(3)[j] * 1e-5
        slope = (log_likelihood(logs + step) - log_likelihood(logs - step)) / 2e-5
        assert slope == pytest.approx(0, abs=1e-6)


def test_there_is_no_largest_likelihood_where_some_always_win():
    always = np.array([(1, 2, 3), (2, 1, 3), (1, 2, 3)], float)
    assert likeliest_weights(always) is None
    found = comparisons["plackett_luce"](score_matrix(-always))
    assert [note.code for note in found.notes] == ["seed", "no-likeliest"]
    assert sum(found.probabilities) == pytest.approx(1)


def test_published_data():
    found = comparisons["plackett_luce"](score_matrix(GARCIA))
    assert np.argmax(found.probabilities) == 0  # C4.5 has the best mean rank
    assert found.p_value is None
    assert [str(note.says) for note in found.notes] == ["10000 draws with seed 0"]
    again = comparisons.choose("plackett_luce(seed=0)")(score_matrix(GARCIA))
    assert again.probabilities == found.probabilities


def test_few_draws():
    assert "few-draws" in [n.code for n in comparisons.choose("plackett_luce(draws=50)")(score_matrix(GARCIA)).notes]
    with pytest.raises(BadInput, match="such as 10000"):
        comparisons.choose("plackett_luce(draws=0)")(score_matrix(GARCIA))
