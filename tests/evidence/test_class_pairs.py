"""All pairs of classes from one search per class: against the orderings of each pair, one by one."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity import predictions
from veracity.evidence.ordering import Ordering
from veracity.scores import scores
from veracity.scores.entry import numeric_influence


def make(seed, rows, classes, digits, weighted):
    random = np.random.default_rng(seed)
    truth = np.append(np.arange(classes), random.integers(0, classes, rows))
    chances = random.dirichlet(np.ones(classes), len(truth))
    proba = random.multinomial(10**digits, chances) / 10**digits  # few digits make many ties
    weight = random.integers(1, 4, len(truth)) / 2 if weighted else None
    p = predictions(truth, proba=proba, weights=weight)
    return p, np.ones(len(truth)) if weight is None else weight


@given(st.integers(0, 10**6), st.integers(0, 40), st.integers(2, 5), st.sampled_from([1, 2, 9]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_areas_are_those_of_each_pair_alone(seed, rows, classes, digits, weighted):
    p, weight = make(seed, rows, classes, digits, weighted)
    found, auc = p.each_against_each, scores["auc"]
    for i, j in permutations(range(classes), 2):
        of_pair = np.isin(p.truth, (i, j))
        alone = Ordering.of(p.probability(i)[of_pair], p.truth[of_pair] == i, weight[of_pair])
        assert found.areas[i, j] == pytest.approx(float(auc.evaluate(alone)), abs=1e-12)
    assert auc.evaluate(found) == pytest.approx(found.of_pairs.mean(), abs=1e-15)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [1, 9])
def test_influence_is_the_derivative_by_each_weight(digits, weighted):
    p, weight = make(3, 60, 4, digits, weighted)
    pairs, auc = p.each_against_each, scores["auc"]
    slope = numeric_influence(lambda cells: auc.evaluate(pairs.reweigh(cells)), weight)
    np.testing.assert_allclose(pairs.influence, slope, atol=1e-6)


def test_many_weightings_at_once_are_each_alone():
    p, _ = make(5, 50, 3, 2, False)
    weights = np.random.default_rng(1).integers(0, 3, (2, 4, len(p)))
    together = p.each_against_each.reweigh(weights).areas
    alone = p.each_against_each.reweigh(weights[1, 2]).areas
    np.testing.assert_array_equal(together[1, 2], alone)


def test_perfect_and_inverted_orders_are_one_and_zero_exactly():
    truth = np.repeat([0, 1, 2], 7)
    proba = np.eye(3)[truth] * 0.7 + 0.1
    right = predictions(truth, proba=proba).each_against_each
    assert (right.of_pairs == 1).all()
    wrong = predictions(truth, proba=(1 - proba) / 2).each_against_each
    assert (wrong.of_pairs == 0).all()


def test_rows_that_are_all_alike_are_flat():
    assert predictions([0, 1, 2, 1], proba=np.full((4, 3), 1 / 3)).each_against_each.flat
    assert not predictions([0, 1, 2, 1], proba=np.eye(3)[[0, 1, 2, 1]]).each_against_each.flat
