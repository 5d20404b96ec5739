"""Scores of numbers: published answers, brute force, degenerate targets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity import BadInput, estimate, predictions, score
from veracity.scores import scores

ACTUAL, SAID = [3.0, 5, 2, 7], [2.5, 5, 4, 8]
G = predictions(ACTUAL, number=SAID)
OF_G = {
    "mse": 1.3125,
    "rmse": 1.1456,
    "mae": 0.875,
    "relative_absolute_error(baseline='test')": 0.5,
    "relative_squared_error(baseline='test')": 0.3559,
    "root_relative_squared_error(baseline='test')": 0.5966,
    "r2": 0.6441,
    "correlation": 0.8818,
    "median_absolute_error": 0.75,
    "pinball(q=0.9)": 0.1875,
}
numbers = st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3, max_size=30)


@pytest.mark.parametrize(("name", "expected"), OF_G.items())
def test_example_g(name, expected):
    assert score(G, name) == pytest.approx(expected, abs=0.5e-4)


@given(numbers.filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True))))
def test_correlation_agrees_with_numpy(pairs):
    actual, said = np.array(pairs, float).T
    assert score(predictions(actual, number=said), "correlation") == pytest.approx(np.corrcoef(actual, said)[0, 1])


@given(numbers.filter(lambda pairs: len({a for a, _ in pairs}) > 1), st.floats(1e3, 1e6))
def test_r2_does_not_mind_where_zero_is(pairs, shift):
    actual, said = np.array(pairs, float).T
    here, there = predictions(actual, number=said), predictions(actual + shift, number=said + shift)
    assert score(here, "r2") == pytest.approx(score(there, "r2"), abs=1e-6)


def test_pinball_at_one_half_is_half_the_absolute_error():
    assert score(G, "pinball(q=0.5)") == pytest.approx(score(G, "mae") / 2)


@pytest.mark.parametrize("q", [0, 1, -0.1])
def test_pinball_needs_a_share(q):
    with pytest.raises(BadInput, match="q must lie strictly between 0 and 1"):
        score(G, f"pinball(q={q})")


def test_pinball_without_its_share_says_how_to_give_it():
    with pytest.raises(BadInput, match=r"pinball needs q: write pinball\(q=...\)"):
        score(G, "pinball")


@pytest.mark.parametrize("constant", [0.0, 0.1, 1 / 3, 1e9])
@pytest.mark.parametrize("name", ["r2", "correlation", *[n for n in OF_G if "relative" in n]])
def test_a_constant_target_is_undefined(name, constant):
    found = score(predictions([constant] * 7, number=np.arange(7.0)), name)
    assert np.isnan(found) and found.reason


def test_a_constant_prediction_has_no_correlation():
    found = score(predictions(ACTUAL, number=[0.1] * 4), "correlation")
    assert found.reason == "the target or the prediction is constant"


def test_r2_of_one_row_is_undefined():
    assert np.isnan(score(predictions([1.0], number=[2.0]), "r2"))


def test_class_scores_refuse_numbers_and_the_other_way_round():
    with pytest.raises(BadInput, match="error needs predicted labels"):
        score(G, "error")
    with pytest.raises(BadInput, match="rmse needs predicted numbers"):
        score(predictions([0, 1], label=[0, 1]), "rmse")


def test_perfect_correlation_has_no_spread():
    p = predictions([1.0, 2, 3, 5], number=[2.0, 4, 6, 10])
    assert estimate(p, "correlation")["correlation"].interval is None


def test_influence_of_correlation_by_leaving_rows_out():
    random = np.random.default_rng(0)
    truth = random.normal(size=2_000)
    p = predictions(truth, number=truth + random.normal(size=2_000))
    left_out = [
        score(predictions(np.delete(truth, k), number=np.delete(p.number, k)), "correlation") for k in range(20)
    ]
    psi = scores["correlation"].influence_of(scores["correlation"].gather(p))
    assert psi[:20] == pytest.approx((score(p, "correlation") - np.array(left_out)) * 2_000, abs=0.02)
