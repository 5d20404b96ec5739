"""Models that give labels only, and more than two classes."""

import numpy as np
import pytest
from sklearn import metrics

import veracity as vc

TRUTH = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
GOOD = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0]
BAD = [0, 0, 0, 1, 1, 1, 1, 1, 0, 0]
E2 = [
    ([0.6, 0.3, 0.1], 1),
    ([0.5, 0.2, 0.3], 1),
    ([0.2, 0.5, 0.3], 2),
    ([0.4, 0.4, 0.2], 2),
    ([0.1, 0.3, 0.6], 3),
    ([0.3, 0.4, 0.3], 3),
    ([0.2, 0.2, 0.6], 3),
    ([0.45, 0.35, 0.2], 1),
]
PROBA, CLASSES = np.array([p for p, _ in E2]), [c for _, c in E2]


def labels(label, truth=TRUTH, **more):
    return vc.predictions(truth, label=label, positive=1, **more)


def test_a_crisp_model_is_three_points_whose_area_is_the_balanced_accuracy():
    p = labels(GOOD)
    chart = vc.curve(p, "roc")
    assert chart.x == pytest.approx([0, 1 / 6, 1]) and chart.y == pytest.approx([0, 3 / 4, 1])
    assert chart.threshold is None
    assert chart.facts["auc"]["model"] == pytest.approx(vc.score(p, "balanced_accuracy"))
    assert [(m.name, m.x, m.y) for m in chart.marks] == [("model", pytest.approx(1 / 6), pytest.approx(3 / 4))]
    assert [guide.name for guide in chart.guides] == ["chance"]


def test_below_the_diagonal_the_inverted_model_is_a_guide():
    chart = vc.curve(labels(BAD), "roc")
    inverted = chart.guides[1]
    assert (inverted.name, inverted.of) == ("model inverted", "model")
    assert inverted.x == pytest.approx([0, 1 - 4 / 6, 1]) and inverted.y == pytest.approx([0, 1 - 1 / 4, 1])
    assert chart.marks[1].name == "model inverted"


def test_weights_of_crisp_rows_count():
    weights = np.arange(1, 11)
    weighted = vc.curve(labels(GOOD, weights=weights), "roc")
    repeated = vc.curve(labels(np.repeat(GOOD, weights), np.repeat(TRUTH, weights)), "roc")
    assert weighted.x == pytest.approx(repeated.x) and weighted.y == pytest.approx(repeated.y)


def test_a_crisp_model_that_selects_nothing_has_no_precision_there():
    line = vc.curve(labels([0] * 10), "precision_recall").only
    assert np.isnan(line.y[0]) and line.y[1] == pytest.approx(0.4)


def test_three_classes_give_each_against_the_rest():
    chart = vc.curve(vc.predictions(CLASSES, proba=PROBA), "roc")
    assert [line.name for line in chart.lines] == ["1", "2", "3"]
    assert list(chart.facts["auc"].values()) == pytest.approx([1, 0.9583, 0.9333], abs=5e-5)
    for number, line in enumerate(chart.lines):
        false, true, _ = metrics.roc_curve(np.array(CLASSES) == number + 1, PROBA[:, number], drop_intermediate=False)
        assert line.x == pytest.approx(false) and line.y == pytest.approx(true)


def test_a_named_class_of_three_is_shown_alone():
    chart = vc.curve(vc.predictions(CLASSES, proba=PROBA, positive=2), "roc")
    assert chart.facts["auc"]["model"] == pytest.approx(0.9583, abs=5e-5)


def test_crisp_labels_of_three_classes():
    said = [1, 1, 2, 1, 3, 2, 3, 1]
    chart = vc.curve({"a": vc.predictions(CLASSES, label=said)}, "roc")
    assert chart.line("3").y[1] == pytest.approx(2 / 3) and chart.line("1").x[1] == pytest.approx(1 / 5)
    two = vc.curve({"a": vc.predictions(CLASSES, label=said), "b": vc.predictions(CLASSES, proba=PROBA)}, "roc")
    assert [line.name for line in two.lines] == ["a: 1", "a: 2", "a: 3", "b: 1", "b: 2", "b: 3"]


def test_a_class_without_rows_is_left_out_and_named():
    chart = vc.curve(vc.predictions([1, 1, 2, 2], proba=PROBA[:4], classes=[1, 2, 3]), "roc")
    assert [line.name for line in chart.lines] == ["1", "2"]
    assert [note.code for note in chart.notes] == ["undefined-line"] and chart.notes[0].says.startswith("3 ")
