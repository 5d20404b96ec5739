"""Predictions: what they offer, how labels are cut, what they count."""

import numpy as np
import pytest

from veracity import BadInput, compare, predictions, score
from veracity.evidence.predictions import subset

TWO = predictions([1, 0, 1, 0], proba=[0.9, 0.5, 0.2, 0.49], positive=1)
THREE = predictions(
    ["a", "b", "c", "a"],
    proba=np.eye(3)[[0, 1, 1, 2]] * 0.7 + 0.1,
    rows=[10, 11, 12, 13],
    weights=[1, 2, 3, 4],
    groups=["x", "y", "z", "y"],
    prior=(0.5, 0.3, 0.2),
)


def test_what_predictions_offer():
    assert TWO.offers == {"proba", "label", "value"}
    assert predictions([0, 1], value=[1, 2], positive=1).offers == {"value"}
    assert predictions([0, 1], value=[1, 2], positive=1, threshold=1.5).offers == {"value", "label"}
    assert predictions([0, 1], label=[1, 0]).offers == {"label"}
    assert predictions([0.0, 1], number=[1, 0]).offers == {"number"}


def test_positive_beyond_half_or_from_a_threshold_on():
    assert TWO.labels().tolist() == [1, 0, 0, 0]
    assert TWO.labels(0.5).tolist() == [1, 1, 0, 0]
    assert TWO.labels(0.95).tolist() == [0, 0, 0, 0]
    assert TWO.confusion(0.2).matrix.tolist() == [[0, 2], [0, 2]]


def test_positive_may_be_the_first_class():
    p = predictions([1, 0], proba=[0.1, 0.5], positive=0)
    assert p.labels().tolist() == [1, 0]
    assert p.probability(1) == pytest.approx([0.9, 0.5])
    assert p.truth_probability == pytest.approx([0.9, 0.5])


def test_the_first_of_equal_probabilities_in_class_order():
    p = predictions([0, 1, 2], proba=[[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [1 / 3, 1 / 3, 1 / 3]])
    assert p.labels().tolist() == [0, 1, 0]


def test_values_alone_give_no_labels():
    p = predictions([0, 1], value=[-1.0, 1.0], positive=1)
    with pytest.raises(BadInput, match="decision values alone give no labels"):
        p.confusion()
    assert p.confusion(0.0).matrix.tolist() == [[1, 0], [0, 1]]


def test_a_threshold_needs_something_to_cut():
    with pytest.raises(BadInput, match="a threshold needs two classes"):
        predictions([0, 1, 2], label=[0, 1, 2]).confusion(0.5)


def test_a_count_score_of_one_class_needs_the_positive_one():
    with pytest.raises(BadInput, match=r"name the positive class: `positive=` one of \[0, 1\]"):
        _ = predictions([0, 1], label=[0, 1]).confusion().tp


def test_weights_times_repeats():
    p = predictions([0, 1], label=[0, 0], weights=[0.5, 2], counts=[4, 3])
    assert p.multiplicity.tolist() == [2, 6]
    assert p.confusion().matrix.tolist() == [[2, 0], [6, 0]]
    assert p.confusion().rows == 7


def test_counts_are_plain_rows():
    p = predictions([0, 1], label=[0, 0], counts=[4, 3])
    assert p.confusion().sampling is None
    assert p.confusion().rows == 7


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_truth_probability_of_both_shapes(kind):
    one = np.array([0.25, 0.75, 0.5], kind)
    truth = [1, 0, 1]
    flat = predictions(truth, proba=one, positive=1).truth_probability
    wide = predictions(truth, proba=np.stack([1 - one, one], 1)).truth_probability
    assert flat.tolist() == wide.tolist() == [0.25, 0.25, 0.5]
    assert flat.dtype == kind


def test_many_classes_are_counted():
    truth = np.arange(300)
    p = predictions(truth, label=np.roll(truth, 1))
    assert p.confusion().correct == 0 and p.confusion().total == 300


def test_groups_of_any_labels_are_numbered():
    assert predictions([0, 1, 0], label=[0, 1, 0], groups=["x", "y", "x"]).groups.tolist() == [0, 1, 0]


def test_prints_what_it_is():
    assert repr(TWO) == "Predictions(4 rows, 2 classes, label, proba, value)"


def test_a_mask_and_positions_choose_alike():
    by_mask, by_place = subset(THREE, np.array([False, True, False, True])), subset(THREE, np.array([1, 3]))
    for name in ("truth", "proba", "rows", "weights", "groups"):
        assert getattr(by_mask, name).tolist() == getattr(by_place, name).tolist()


def test_classes_and_facts_stay_and_groups_are_numbered_anew():
    part = subset(THREE, np.array([1, 3]))
    assert part.classes == ("a", "b", "c") and part.prior == THREE.prior
    assert part.groups.tolist() == [0, 0]
    assert part.rows.tolist() == [11, 13]
    assert score(part, "accuracy") == 2 / 6


def test_what_is_not_there_stays_away():
    part = subset(predictions([1.0, 2, 3], number=[1.0, 2, 5]), np.array([2]))
    assert part.proba is None and part.groups is None
    assert score(part, "mae") == 2


@pytest.mark.parametrize("threshold", [-0.1, 1.0001, 2])
def test_a_threshold_of_probabilities_is_one(threshold):
    with pytest.raises(BadInput, match="a threshold of probabilities lies between 0 and 1, not at"):
        predictions([0, 1], proba=[0.2, 0.7], positive=1, threshold=threshold)


def test_an_infinite_threshold_predicts_nobody():
    assert not predictions([0, 1], proba=[0.2, 0.7], positive=1, threshold=np.inf).labels().any()


@pytest.mark.parametrize("rows", [1, 9, 30_000])
@pytest.mark.parametrize("more", [{}, {"weights": 2.0}, {"groups": None}, {"counts": 2}])
def test_naming_the_positive_class_never_changes_labels(rows, more):
    """A probability of 0.5 was the positive class where one was named, and the first where none was."""
    random = np.random.default_rng(rows)
    y, second = random.integers(0, 2, rows), random.choice([0.2, 0.5, np.nextafter(0.5, 0), 0.7], rows)
    y[:2] = [0, 1][:rows]
    proba = np.column_stack([1 - second, second])
    more = {name: np.arange(rows) if value is None else np.full(rows, value) for name, value in more.items()}
    by_argmax = (proba.argmax(1) != y).mean()
    for positive, columns in ((None, proba), (0, proba), (1, proba), (0, proba[:, 0]), (1, proba[:, 1])):
        p = predictions(y, proba=columns, positive=positive, classes=[0, 1], **more)
        assert (p.labels() == proba.argmax(1)).all()
        assert score(p, "error") == pytest.approx(by_argmax)
        models = {"a": p, "b": predictions(y, label=proba.argmax(1), positive=positive, classes=[0, 1], **more)}
        same = compare(models, "error", using="mcnemar", anyway=True) if not more else None
        assert same is None or (same.n01, same.n10) == (0, 0)


def test_labels_are_those_that_a_learner_predicts():
    """Trees and neighbours often say 0.5."""
    from sklearn.neighbors import KNeighborsClassifier

    random = np.random.default_rng(0)
    x, y = random.normal(size=(200, 2)), random.choice(["no", "yes"], 200)
    model = KNeighborsClassifier(4).fit(x[:100], y[:100])
    proba = model.predict_proba(x[100:])
    assert (proba == 0.5).any()
    for positive in (None, "no", "yes"):
        p = predictions(y[100:], proba=proba, classes=["no", "yes"], positive=positive)
        assert (np.array(p.classes)[p.labels()] == model.predict(x[100:])).all()


def test_an_explicit_threshold_is_at_least():
    p = predictions([0, 1], proba=[0.5, 0.5], positive=1, threshold=0.5)
    assert p.labels().tolist() == [1, 1] == p.labels(0.5).tolist()
    first = predictions([0, 1], proba=[0.5, 0.5], positive=0, threshold=0.5)
    assert first.labels().tolist() == [0, 0]
    assert predictions([0, 1], proba=[0.5, 0.5], positive=1).labels(threshold=0.5).tolist() == [1, 1]
