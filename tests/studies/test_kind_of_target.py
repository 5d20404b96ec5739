"""A target of whole numbers: the learners say what it is, or the user does, in every verb that reads a target."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

import veracity as vc

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 3))
MANY = np.round(100 * X[:, 0] + 30 * rng.normal(size=150)).astype(int)  # more than 100 different values
FEW = np.clip(np.round(2 * X[:, 0]), -2, 2)  # whole numbers of floating point
TWO = np.tile([0, 1], 75)
BY = "kfold(k=3)"


class Mean:
    """A learner that says nothing of what it is for."""

    def fit(self, X, y):  # noqa: N803
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):  # noqa: N803
        return np.full(len(X), self.mean_)


@pytest.mark.parametrize("y", [MANY, FEW, TWO], ids=["many", "few", "two"])
def test_regressors_make_whole_numbers_numbers(y):
    assert vc.estimate(vc.evaluate(LinearRegression(), X, y, by=BY), "mse")["mse"].value > 0
    assert vc.Study({"d": (X, y)}, LinearRegression()).data["d"].kind == "numbers"


@pytest.mark.parametrize("y", [FEW, TWO], ids=["few", "two"])
def test_classifiers_and_mixtures_make_them_classes(y):
    for learners in (GaussianNB(), [GaussianNB(), LinearRegression()]):
        assert vc.Study((X, y), learners).data["data"].kind == "classes"


def test_a_positive_class_makes_them_classes():
    runs = vc.evaluate(LinearRegression(), X, TWO, by=BY, positive=1)
    assert runs.kind("data") == "classes"


def test_what_is_said_decides():
    assert vc.evaluate(Mean(), X, MANY, by=BY, kind="numbers").kind("data") == "numbers"
    assert vc.Study((X, TWO), Mean(), kind="numbers").data["data"].kind == "numbers"
    assert vc.evaluate(LinearRegression(), X, TWO, by=BY, kind="classes").kind("data") == "classes"
    sets = {"own": {"file": "sklearn:load_iris", "kind": "classes"}, "all": {"file": "sklearn:load_iris"}}
    study = vc.Study(sets, LinearRegression(), kind="numbers")
    assert [table.kind for table in study.data.values()] == ["classes", "numbers"]


def test_curves_and_the_permutation_test_know_the_kind_too():
    for learner, said in ((LinearRegression(), {}), (Mean(), {"kind": "numbers"})):
        curve = vc.learning_curve(learner, X, MANY, sizes=[20, 40], by=BY, score="mse", **said)
        assert curve[20].value > 0
    curve = vc.validation_curve(LinearRegression(), X, FEW, parameter="positive", values=[False], by=BY, score="mse")
    assert curve[False].value > 0
    for learner, said in ((LinearRegression(), {}), (Mean(), {"target_kind": "numbers"})):
        test = vc.permutation_test(learner, X, MANY, score="mse", by=BY, draws=3, **said)
        assert test.p_value >= 0.25


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: vc.evaluate(Mean(), X, MANY), "whole numbers: say `kind='numbers'` or `kind='classes'`"),
        (lambda: vc.learning_curve(Mean(), X, TWO, score="mse"), "or say `kind='numbers'` if the target is of numbers"),
        (lambda: vc.permutation_test(Mean(), X, TWO, score="mse"), "or say `target_kind='numbers'` if"),
        (lambda: vc.permutation_test(Mean(), X, TWO, kind="numbers"), "write target_kind='numbers'"),
        (lambda: vc.estimate(vc.evaluate(Mean(), X, TWO, by=BY), "mse"), "evaluate with `kind='numbers'` if"),
    ],
)
def test_where_nobody_knows_the_way_out_is_told(ask, says):
    with pytest.raises(vc.BadInput, match=says):
        ask()


def test_words_and_truths_are_never_asked_to_be_numbers():
    for y in (np.where(TWO, "yes", "no"), TWO.astype(bool)):
        with pytest.raises(vc.BadInput, match=r"a target of classes: name another, `score=`$"):
            vc.learning_curve(LinearRegression(), X, y, score="mse")


def test_very_many_numbers_are_no_classes_whatever_the_learner_is_for():
    rows = np.arange(150.0)
    with pytest.raises(vc.BadInput, match="150 different numbers, and the learners are classifiers: use regressors"):
        vc.evaluate(GaussianNB(), rows[:, None], rows)
