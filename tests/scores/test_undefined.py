"""Zero denominators: never zero, never silent, always with the reason."""

import math

import numpy as np
import pytest

from veracity import Counts, Ordering, Refused, estimate, predictions, score

NOTHING_SELECTED = Counts([[0, 5], [0, 9]], positive=0)
ALL_SELECTED = Counts([[5, 0], [9, 0]], positive=0)
NO_POSITIVES = Counts([[0, 0], [3, 6]], positive=0)
NO_NEGATIVES = Counts([[4, 2], [0, 0]], positive=0)
EMPTY = Counts([[0, 0], [0, 0]], positive=0)
TRUE_NEGATIVES = Counts([[0, 0], [0, 9]], positive=0)
CASES = [
    (NOTHING_SELECTED, "precision", "nothing is predicted positive"),
    (NOTHING_SELECTED, "false_discovery_proportion", "nothing is predicted positive"),
    (NOTHING_SELECTED, "lift", "no row is positive, or none is predicted positive"),
    (NOTHING_SELECTED, "mcc", "truth or prediction is a single class"),
    (ALL_SELECTED, "negative_predictive_value", "nothing is predicted negative"),
    (ALL_SELECTED, "false_omission_rate", "nothing is predicted negative"),
    (NO_POSITIVES, "recall", "there are no positive rows"),
    (NO_POSITIVES, "false_negative_rate", "there are no positive rows"),
    (NO_POSITIVES, "balanced_accuracy", "a class has no rows"),
    (NO_POSITIVES, "youden", "a class has no rows"),
    (NO_NEGATIVES, "specificity", "there are no negative rows"),
    (NO_NEGATIVES, "false_positive_rate", "there are no negative rows"),
    (NO_NEGATIVES, "balanced_error", "a class has no rows"),
    (TRUE_NEGATIVES, "fbeta", "no row is positive or predicted positive"),
    (TRUE_NEGATIVES, "jaccard", "no row is positive or predicted positive"),
    (TRUE_NEGATIVES, "kappa", "truth and prediction are one and the same class"),
    (NOTHING_SELECTED, "positive_likelihood_ratio", "both rates are 0, or a class has no rows"),
    (ALL_SELECTED, "negative_likelihood_ratio", "both rates are 0, or a class has no rows"),
    (EMPTY, "error", "there are no rows"),
    (EMPTY, "accuracy", "there are no rows"),
    (EMPTY, "positive_rate", "there are no rows"),
    (EMPTY, "prevalence", "there are no rows"),
]
ONLY_POSITIVES = Ordering.of([0.1, 0.5], [True, True])
ONLY_NEGATIVES = Ordering.of([0.1, 0.5], [False, False])


@pytest.mark.parametrize(("counts", "name", "reason"), CASES)
def test_zero_denominators(counts, name, reason):
    found = score(counts, name)
    assert math.isnan(found)
    assert found.reason == reason


@pytest.mark.parametrize("name", ["auc", "partial_auc", "equal_error_rate", "hull_auc", "gain_area"])
@pytest.mark.parametrize("one_class", [ONLY_POSITIVES, ONLY_NEGATIVES])
def test_one_class_has_no_roc_curve(name, one_class):
    assert score(one_class, name).reason == "only one of the two classes has rows"


@pytest.mark.parametrize("name", ["average_precision", "break_even", "max_fbeta", "lift_at"])
def test_no_positives_no_precision_over_the_list(name):
    assert score(ONLY_NEGATIVES, name).reason == "there are no positive rows"


def test_an_undefined_estimate_is_shown_with_its_reason_and_null():
    row = estimate(NOTHING_SELECTED, "precision")["precision"]
    assert row.interval is None
    assert [note.says for note in row.notes] == ["precision is undefined: nothing is predicted positive"]
    assert row.to_json()["value"] is None
    assert "undefined (nothing is predicted positive)" in str(row)


def test_an_interval_asked_for_an_undefined_score_is_refused():
    with pytest.raises(Refused, match="precision is undefined"):
        estimate(NOTHING_SELECTED, "precision", interval="wilson")


def test_a_refused_interval_repeats_the_reason_that_depends_on_the_rows():
    with pytest.raises(Refused, match="train_mean="):
        estimate(predictions([1.0, 2, 3], number=[1.0, 2, 4]), "relative_squared_error", interval="mean_t")


@pytest.mark.parametrize("name", ["precision", "error", "auc", "brier", "prevalence", "specificity"])
def test_positive_unlabelled_rows_refuse_what_needs_negatives(name):
    p = predictions([1, 0, 0], proba=[0.9, 0.2, 0.6], positive=1, labelled="positives")
    with pytest.raises(Refused, match=f"{name} needs the true negatives.*positive_rate and recall can be had"):
        score(p, name)


def test_positive_unlabelled_rows_allow_recall_and_positive_rate():
    p = predictions([1, 1, 0, 0], proba=[0.9, 0.2, 0.6, 0.1], positive=1, labelled="positives")
    assert score(p, "recall") == 0.5
    assert score(p, "positive_rate") == 0.5


def test_undefined_in_one_of_many_leaves_the_others():
    from veracity.scores import scores

    many = Counts(np.stack([NOTHING_SELECTED.matrix, ALL_SELECTED.matrix]), positive=0)
    found = scores["precision"].evaluate(many)
    assert np.isnan(found[0]) and found[1] == pytest.approx(5 / 14)


@pytest.mark.parametrize("average", ["ovo", "macro_ovr", "prior_ovr"])
@pytest.mark.parametrize("truth", [["c", "c"], ["a", "c"]])
def test_an_average_of_areas_where_classes_have_no_rows(average, truth):
    p = predictions(truth, proba=[[0.2, 0.3, 0.5], [0.1, 0.6, 0.3]], classes=["a", "b", "c"])
    found = score(p, f"auc(average={average!r})")
    assert math.isnan(found)
    assert found.reason == "only one of the two classes has rows"
