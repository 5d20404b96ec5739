"""Scores against the threshold are the scores of the confusion matrix at each threshold."""

import numpy as np
import pytest

import veracity as vc
from veracity.curves.thresholds import count_scores

VALUES = np.array([0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.3, 0.2, 0.1])
TRUTH = np.array(["spam", "spam", "ham", "spam", "ham", "spam", "ham", "ham", "ham", "ham"])


@pytest.fixture(params=["spam", "ham"])
def p(request):
    proba = VALUES if request.param == "spam" else 1 - VALUES
    return vc.predictions(TRUTH, proba=proba, positive=request.param)


def test_every_count_score_equals_that_of_the_confusion_matrix(p):
    chart = vc.curve(p, "threshold")
    assert {line.name for line in chart.lines} == set(count_scores())
    assert {"error", "fbeta", "kappa", "mcc", "positive_likelihood_ratio", "lift"} <= set(count_scores())
    for line in chart.lines:
        at = [vc.score(p.confusion(threshold=t), line.name) for t in line.threshold[1:]]
        assert line.y[1:] == pytest.approx(at, nan_ok=True), line.name
        assert line.y[0] == pytest.approx(vc.score(p.confusion(threshold=2.0), line.name), nan_ok=True), line.name


def test_scores_are_chosen_by_name_with_parameters(p):
    matrix = ((0, 1), (5, 0))
    chart = vc.curve(p, "threshold", scores=["fbeta(beta=2)", f"cost(matrix={matrix})"])
    assert chart.lines[0].name == "fbeta(beta=2)"
    t = chart.lines[1].threshold[3]
    assert chart.lines[1].y[3] == pytest.approx(vc.score(p.confusion(threshold=t), f"cost(matrix={matrix})"))
    assert len(vc.curve(p, "threshold(scores='recall')").lines) == 1


def test_a_score_of_an_ordering_has_no_threshold(p):
    with pytest.raises(vc.BadInput, match="auc is no score of a confusion matrix"):
        vc.curve(p, "threshold", scores="auc")


def test_models_name_their_lines(p):
    chart = vc.curve({"a": p, "b": p}, "threshold", scores="recall")
    assert [line.name for line in chart.lines] == ["a: recall", "b: recall"]


def test_one_named_class_of_three_against_the_rest():
    p = vc.predictions([1, 2, 3, 3], value=[0.1, 0.2, 0.3, 0.15], positive=3)
    line = vc.curve(p, "threshold", scores="precision").only
    assert line.y == pytest.approx([np.nan, 1, 1 / 2, 2 / 3, 1 / 2], nan_ok=True)


def test_only_positives_labelled_allows_three_scores():
    p = vc.predictions(TRUTH, proba=VALUES, positive="spam", labelled="positives")
    assert {line.name for line in vc.curve(p, "threshold").lines} == {"recall", "false_negative_rate", "positive_rate"}
    with pytest.raises(vc.Refused, match="only positives are labelled"):
        vc.curve(p, "threshold", scores="precision")
