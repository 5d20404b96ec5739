"""Scores of the whole matrix: published answers, identities, symmetries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity import BadInput, Counts, score

A = Counts([[40, 10], [20, 130]], classes=("yes", "no"), positive="yes")
B = Counts([[0, 5], [7, 993]], classes=("yes", "no"), positive="yes")
C = Counts([[50, 3, 2], [4, 30, 6], [1, 5, 19]])
KNOWN = [
    (A, "fbeta", 0.7273),
    (A, "fbeta(beta=2)", 0.7692),
    (A, "fbeta(beta=0.5)", 0.6897),
    (A, "balanced_accuracy", 0.8333),
    (A, "youden", 0.6667),
    (A, "lift", 2.6667),
    (A, "jaccard", 0.5714),
    (A, "positive_likelihood_ratio", 6.0),
    (A, "negative_likelihood_ratio", 0.2308),
    (A, "kappa", 0.625),
    (A, "mcc", 0.6299),
    (B, "balanced_accuracy", 0.4965),
    (B, "balanced_error", 0.5035),
    (B, "fbeta", 0.0),
    (B, "kappa", -0.0058),
    (B, "mcc", -0.0059),
    (C, "fbeta", 0.8030),
    (C, "fbeta(average='prior')", 0.8253),
    (C, "kappa", 0.7255),
    (C, "mcc", 0.7258),
    (C, "cost(matrix=[[0, 1, 4], [2, 0, 1], [5, 2, 0]])", 0.3333),
]
matrices = st.lists(st.integers(1, 40), min_size=4, max_size=4).map(lambda cells: np.reshape(cells, (2, 2)))


@pytest.mark.parametrize(("counts", "name", "expected"), KNOWN)
def test_published_answers(counts, name, expected):
    assert score(counts, name) == pytest.approx(expected, abs=0.5e-4)


def test_f1_of_each_class_of_example_c():
    each = C.each_against_rest()
    f1 = 2 * each.tp / (2 * each.tp + each.fp + each.fn)
    assert f1 == pytest.approx([0.9091, 0.7692, 0.7308], abs=0.5e-4)
    assert score(C, "fbeta") == pytest.approx(f1.mean())


def test_harmonic_mean_does_not_reward_selecting_everything():
    everything = Counts([[1, 0], [9999, 0]], positive=0)
    assert score(everything, "precision") == pytest.approx(1e-4)
    assert score(everything, "fbeta") == pytest.approx(0.00019998, abs=0.5e-8)


@given(matrices)
def test_f1_follows_from_jaccard(matrix):
    counts = Counts(matrix, positive=0)
    j = score(counts, "jaccard")
    assert score(counts, "fbeta") == pytest.approx(2 * j / (1 + j))


@given(matrices)
def test_swapping_classes_leaves_symmetric_scores(matrix):
    counts, swapped = Counts(matrix, positive=0), Counts(matrix[::-1, ::-1], positive=0)
    for name in ("mcc", "kappa", "accuracy", "balanced_accuracy", "youden"):
        assert score(counts, name) == pytest.approx(score(swapped, name), abs=1e-12)
    assert score(counts, "recall") == pytest.approx(score(swapped, "specificity"))
    assert score(counts, "precision") == pytest.approx(score(swapped, "negative_predictive_value"))


@given(matrices)
def test_swapping_truth_and_prediction_swaps_precision_and_recall(matrix):
    counts, turned = Counts(matrix, positive=1), Counts(matrix.T, positive=1)
    assert score(counts, "precision") == pytest.approx(score(turned, "recall"))
    for name in ("mcc", "kappa", "fbeta", "jaccard", "lift"):
        assert score(counts, name) == pytest.approx(score(turned, name), abs=1e-12)


def test_likelihood_ratio_without_false_positives_is_infinite():
    assert score(Counts([[40, 10], [0, 150]], positive=0), "positive_likelihood_ratio") == np.inf
    assert score(Counts([[40, 10], [150, 0]], positive=0), "negative_likelihood_ratio") == np.inf


def test_f1_is_zero_when_positives_exist_but_none_is_predicted():
    assert score(Counts([[0, 7], [0, 5]], positive=0), "fbeta") == 0


def test_cost_of_a_correct_cell_counts():
    assert score(A, "cost(matrix=[[-1, 5], [1, 0.5]])") == pytest.approx((-40 + 50 + 20 + 65) / 200)


def test_cost_matrix_of_the_wrong_size_names_the_classes():
    with pytest.raises(BadInput, match=r"2 x 2 finite numbers in the order \['yes', 'no'\]"):
        score(A, "cost(matrix=[[0, 1, 2], [1, 0, 2], [2, 2, 0]])")


@pytest.mark.parametrize("beta", [0, -1])
def test_beta_must_be_positive(beta):
    with pytest.raises(BadInput, match="beta must be greater than 0"):
        score(A, f"fbeta(beta={beta})")
