"""Shares of rows: published answers and the identities between them."""

import numpy as np
import pytest

import veracity as vc
from veracity import Counts, estimate, predictions, score

A = Counts([[40, 10], [20, 130]], classes=("yes", "no"), positive="yes")
B = Counts([[0, 5], [7, 993]], classes=("yes", "no"), positive="yes")
C = Counts([[50, 3, 2], [4, 30, 6], [1, 5, 19]])
OF_A = {
    "accuracy": 0.85,
    "error": 0.15,
    "precision": 0.6667,
    "recall": 0.8,
    "specificity": 0.8667,
    "false_positive_rate": 0.1333,
    "false_negative_rate": 0.2,
    "negative_predictive_value": 0.9286,
    "false_omission_rate": 0.0714,
    "false_discovery_proportion": 0.3333,
    "positive_rate": 0.3,
    "prevalence": 0.25,
}
OF_B = {"accuracy": 0.9881, "recall": 0.0, "specificity": 0.993, "precision": 0.0}
OF_C = {
    "accuracy": 0.825,
    "precision(average='macro')": 0.8008,
    "recall(average='macro')": 0.8064,
    "precision(average='prior')": 0.8264,
}


def close(expected):
    return pytest.approx(expected, abs=0.5e-4)


@pytest.mark.parametrize(("name", "expected"), OF_A.items())
def test_example_a(name, expected):
    assert score(A, name) == close(expected)


@pytest.mark.parametrize(("name", "expected"), OF_B.items())
def test_example_b_with_skewed_classes(name, expected):
    assert score(B, name) == close(expected)


@pytest.mark.parametrize(("name", "expected"), OF_C.items())
def test_example_c_with_three_classes(name, expected):
    assert score(C, name) == close(expected)


def test_each_class_of_example_c():
    each = C.each_against_rest()
    assert each.tp / (each.tp + each.fp) == close([0.9091, 0.7895, 0.7037])
    assert each.tp / (each.tp + each.fn) == close([0.9091, 0.75, 0.76])


def test_plain_name_is_the_macro_average_of_three_classes():
    assert score(C, "precision") == score(C, "precision(average='macro')")


@pytest.mark.parametrize("name", ["precision", "recall", "fbeta"])
def test_micro_average_is_accuracy(name):
    assert score(C, f"{name}(average='micro')") == pytest.approx(score(C, "accuracy"))


def test_prior_weighted_recall_is_accuracy():
    assert score(C, "recall(average='prior')") == pytest.approx(score(C, "accuracy"))


def test_macro_recall_is_balanced_accuracy():
    assert score(C, "recall(average='macro')") == pytest.approx(score(C, "balanced_accuracy"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("error", "accuracy"),
        ("false_positive_rate", "specificity"),
        ("false_negative_rate", "recall"),
        ("false_discovery_proportion", "precision"),
        ("false_omission_rate", "negative_predictive_value"),
        ("balanced_error", "balanced_accuracy"),
    ],
)
def test_pairs_that_add_up_to_one(one, other):
    assert score(A, one) + score(A, other) == pytest.approx(1)


def test_one_undefined_class_makes_the_average_undefined():
    never_predicted = Counts([[5, 1, 0], [2, 6, 0], [1, 1, 0]])
    assert np.isnan(score(never_predicted, "precision"))
    assert score(never_predicted, "precision").reason == "nothing is predicted positive"
    assert score(never_predicted, "recall") == pytest.approx((5 / 6 + 6 / 8 + 0) / 3)


def test_a_class_absent_from_truth_but_predicted_still_counts():
    absent = Counts([[5, 1, 1], [2, 6, 0], [0, 0, 0]])
    assert np.isnan(score(absent, "recall(average='macro')"))
    assert score(absent, "precision(average='macro')") == pytest.approx((5 / 7 + 6 / 7 + 0) / 3)


def test_the_majority_baseline_is_printed():
    p = predictions([0] * 19 + [1], label=[0] * 18 + [1, 1])
    (note,) = estimate(p, "error")["error"].notes
    assert note.code == "skewed-classes" and "accuracy 0.95, error 0.05" in note.says


def test_a_class_that_is_predicted_but_never_true_is_told():
    found = vc.estimate(vc.predictions(["yes", "no", "no"], label=["Yes", "no", "no"]), "error")["error"]
    assert [note.says.split()[0] for note in found.notes if note.code == "never-true"] == ["Yes"]
