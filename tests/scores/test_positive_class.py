"""A named positive class of three or more: every score of one class is that of this class against all others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.scores import scores
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore

OF_ONE_CLASS = [one.name for one in scores if isinstance(one, CountScore) and one.one_class]
OF_AN_ORDERING = [one.name for one in scores if isinstance(one, OrderingScore)]


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(4)
    truth = random.choice(list("abc"), 240, p=[0.5, 0.3, 0.2])
    chance = random.dirichlet([1, 1, 1], 240) + 0.7 * (truth[:, None] == np.array(list("abc")))
    return truth, chance / chance.sum(1, keepdims=True)


def _against_rest(truth, said, positive):
    """The same rows as a problem of two classes."""
    return vc.predictions(truth == positive, label=said == positive, positive=True)


@pytest.mark.parametrize("positive", ["a", "c"])
@pytest.mark.parametrize("name", [*OF_ONE_CLASS, "fbeta(beta=2)"])
def test_a_score_of_one_class_and_its_interval_are_those_of_two_classes(rows, name, positive):
    truth, chance = rows
    said = np.array(list("abc"))[chance.argmax(1)]
    many = vc.estimate(vc.predictions(truth, label=said, positive=positive), name)[name]
    two = vc.estimate(_against_rest(truth, said, positive), name)[name]
    assert many.value == pytest.approx(two.value)
    assert many.interval.method == two.interval.method
    assert (many.interval.low, many.interval.high) == pytest.approx((two.interval.low, two.interval.high), abs=1e-9)
    assert [note.code for note in many.notes if note.code == "one-class"] == ["one-class"]


@pytest.mark.parametrize("weighted", [{"weights": np.linspace(1, 2, 240)}, {"groups": np.arange(240) // 4}])
def test_weights_and_groups_count_as_of_two_classes(rows, weighted):
    truth, chance = rows
    said = np.array(list("abc"))[chance.argmax(1)]
    for name in ("precision", "recall", "fbeta"):
        many = vc.estimate(vc.predictions(truth, label=said, positive="b", **weighted), name)[name]
        two = vc.estimate(vc.predictions(truth == "b", label=said == "b", positive=True, **weighted), name)[name]
        assert many.value == pytest.approx(two.value)
        limits = (many.interval.low, many.interval.high)
        assert limits == pytest.approx((two.interval.low, two.interval.high), abs=1e-7)


@pytest.mark.parametrize("name", OF_AN_ORDERING)
def test_a_score_of_an_ordering_is_of_the_probability_of_that_class(rows, name):
    truth, chance = rows
    many = vc.score(vc.predictions(truth, proba=chance, classes=list("abc"), positive="b"), name)
    assert many == pytest.approx(vc.score(vc.predictions(truth == "b", proba=chance[:, 1], positive=True), name))


def test_decision_values_of_one_class_need_no_probabilities(rows):
    truth, chance = rows
    p = vc.predictions(truth, value=chance[:, 2], positive="c")
    assert vc.score(p, "auc") == vc.score(vc.predictions(truth == "c", value=chance[:, 2], positive=True), "auc")


def test_what_is_of_all_classes_stays_so(rows):
    truth, chance = rows
    named, not_named = (vc.predictions(truth, proba=chance, classes=list("abc"), positive=one) for one in ("a", None))
    for name in ("error", "kappa", "mcc", "balanced_accuracy", "log_loss", "brier", "fbeta(average='macro')"):
        assert vc.score(named, name) == vc.score(not_named, name)
    assert vc.score(not_named, "recall") == pytest.approx(vc.score(not_named, "recall(average='macro')"))


def test_calibration_is_of_the_probability_of_the_class_that_is_named(rows):
    truth, chance = rows
    many = vc.predictions(truth, proba=chance, classes=list("abc"), positive="a")
    two = vc.predictions(truth == "a", proba=chance[:, 0], positive=True)
    assert vc.score(many, "ece") == pytest.approx(vc.score(two, "ece"))
    assert vc.curve(many, "calibration").x_title == "Mean probability of the positive class"


@pytest.mark.parametrize("name", ["auc", "precision"])
def test_a_comparison_is_of_that_class(rows, name):
    truth, chance = rows
    worse = (chance + np.roll(chance, 1, 0)) / 2
    models = {"x": chance, "y": worse}
    many = {m: vc.predictions(truth, proba=p, classes=list("abc"), positive="a") for m, p in models.items()}
    label = {m: vc.predictions(truth == "a", label=p.argmax(1) == 0, positive=True) for m, p in models.items()}
    value = {m: vc.predictions(truth == "a", value=p[:, 0], positive=True) for m, p in models.items()}
    found, wanted = vc.compare(many, name), vc.compare(value if name == "auc" else label, name)
    assert found.using == wanted.using
    assert (found.difference, found.p_value) == pytest.approx((wanted.difference, wanted.p_value))
    assert "one-class" in [note.code for note in found.notes]


@given(st.lists(st.integers(0, 30), min_size=9, max_size=9), st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_of_any_matrix(cells, place):
    matrix = np.reshape(cells, (3, 3))
    hit, missed, alarm = matrix[place, place], matrix[place].sum(), matrix[:, place].sum()
    counts = vc.Counts(matrix, classes=list("abc"), positive="abc"[place])
    wanted = {"recall": (hit, missed), "precision": (hit, alarm), "fbeta": (2 * hit, missed + alarm)}
    for name, (above, below) in wanted.items():
        value = vc.score(counts, name)
        assert np.isnan(value) if below == 0 else value == pytest.approx(above / below)


def test_another_class_is_looked_for(rows):
    truth, chance = rows
    p = vc.predictions(truth == "a", proba=chance[:, 0], positive=True, threshold=0.4)
    other = p.with_positive(0)
    assert vc.score(other, "recall") == pytest.approx(vc.score(p, "specificity"))
    assert vc.score(other, "auc") == pytest.approx(vc.score(p, "auc"))
    assert other.with_positive(1).labels().tolist() == p.labels().tolist()
    value = vc.predictions(truth == "a", value=chance[:, 0], positive=True)
    assert vc.score(value.with_positive(0), "auc") == pytest.approx(vc.score(value, "auc"))
    with pytest.raises(vc.BadInput, match="speak for 'c'"):
        vc.predictions(truth, value=chance[:, 2], positive="c").with_positive(0)


def test_an_unknown_class_is_answered_with_the_classes(rows):
    truth, chance = rows
    with pytest.raises(vc.BadInput, match=r"positive class 'z' does not occur: .*\['a', 'b', 'c'\]"):
        vc.predictions(truth, proba=chance, classes=list("abc"), positive="z")
    with pytest.raises(vc.BadInput, match=r"'z' is not among the classes \['a', 'b'\]"):
        vc.Counts([[1, 2], [3, 4]], classes=["a", "b"], positive="z")
