"""The parts of a loss: published examples, brute force, and sums that hold to the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.experiments.bias_variance import domingos, kohavi_wolpert, squared


def one(*numbers):
    return np.array([numbers], float)


def means(parts):
    return [pytest.approx(float(column[0]), abs=1e-12) for column in parts]


def test_three_classes_of_kohavi_and_wolpert():
    found = kohavi_wolpert(one(0.5, 0.3, 0.2), one(0.2, 0.5, 0.3))
    assert means(found) == [0.69, 0.07, 0.31, 0.31]


@pytest.mark.parametrize(
    ("says_one", "loss", "bias", "variance", "noise"),
    [(0.3, 0.66, 1, -0.3, -0.4 * 0.1), (0.7, 0.34, 0, 0.3, 0.4 * 0.1)],
)
def test_two_classes_of_domingos(says_one, loss, bias, variance, noise):
    found = domingos(one(1 - says_one, says_one), one(0.1, 0.9))
    assert means(found) == [loss, bias, variance, noise]


@st.composite
def shares(draw):
    classes = draw(st.integers(2, 5))
    columns = st.lists(st.integers(0, 20), min_size=classes, max_size=classes).filter(sum)
    return [np.array([numbers]) / sum(numbers) for numbers in (draw(columns), draw(columns))]


@given(shares())
def test_parts_sum_to_the_loss_of_enumerated_pairs(pair):
    said, true = pair
    classes = range(said.shape[1])
    loss = sum(said[0, i] * true[0, j] for i in classes for j in classes if i != j)
    for decompose in (domingos, kohavi_wolpert):
        parts = decompose(said, true)
        assert parts.loss[0] == pytest.approx(loss, abs=1e-12)
        assert parts.bias + parts.variance + parts.noise == pytest.approx(parts.loss, abs=1e-12)


@given(shares())
def test_coefficients_of_domingos_as_he_defines_them(pair):
    (said,), (true,) = pair
    main, best = said.argmax(), true.argmax()
    others = [j for j in range(len(said)) if j != best]
    noise, right = 1 - true[best], said[best]
    both = noise * (1 - right)
    same = sum(true[j] * said[j] for j in others) / both if both else 0.0  # P(y = t | y != y*, t != y*)
    c1 = right - (1 - right) * same
    differ = 1 - said[main]
    c2 = 1 if main == best else -(right / differ if differ else 0.0)
    parts = domingos(*pair)
    assert parts.noise[0] == pytest.approx(c1 * noise, abs=1e-12)
    assert parts.variance[0] == pytest.approx(c2 * differ, abs=1e-12)


def test_squared_loss_by_hand():
    parts = squared(np.array([[1.0], [2.0], [6.0]]), np.array([2.0]))
    assert means(parts) == [17 / 3, 1 - 7 / 3, 7, 0]
    assert parts.loss[0] == pytest.approx(np.mean([1, 0, 16]))  # the mean loss over the three models


def test_squared_parts_are_unbiased_in_a_world_that_is_known():
    random = np.random.default_rng(0)
    predicted = 3 + random.normal(0, 2, (5, 40_000))  # five models, bias 1, variance 4
    parts = squared(predicted, np.full(40_000, 2.0), 0.25)
    assert parts.bias.mean() == pytest.approx(1, abs=0.05)
    assert parts.variance.mean() == pytest.approx(4, abs=0.05)
    assert (parts.bias < 0).any()  # unbiased, hence sometimes below 0
    assert parts.loss == pytest.approx(((predicted - 2) ** 2).mean(0) + 0.25)
