"""Training and test score along one parameter, from end to end."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.designs.make_design import make_design
from veracity.records.design import Rows

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def curve():
    return vc.validation_curve(
        KNeighborsClassifier(), X, Y, parameter="n_neighbors", values=[1, 5, 40], by="kfold(k=5)", seed=7
    )


def test_each_value_is_the_learner_with_that_value(curve):
    learners = {str(value): KNeighborsClassifier(value) for value in (1, 5, 40)}
    alone = vc.estimate(vc.evaluate(learners, X, Y, by="kfold(k=5)", seed=7), "error")
    assert all(curve[value].value == alone[str(value)].value for value in (1, 5, 40))
    assert curve.training[0].value == 0 < curve.training[2].value


def test_training_error_is_that_of_the_models_on_their_training_rows(curve):
    errors = []
    for split in make_design("kfold(k=5)", Rows(150, Y), 7).splits:
        model = KNeighborsClassifier(5).fit(X[split.train], Y[split.train])
        errors.append((model.predict(X[split.train]) != Y[split.train]).mean())
    assert curve.training[1].value == pytest.approx(np.mean(errors))


def test_choosing_the_best_is_said_to_be_tuning(curve):
    assert curve.notes[0].code == "choosing-is-tuning" and "vc.tuned" in curve.notes[0].says
    assert curve.best == min(curve.places, key=lambda value: curve[value].value)


def test_it_travels_and_draws(curve):
    said = json.loads(json.dumps(curve.to_json(), allow_nan=False))
    assert said["along"] == "n_neighbors" and len(said["places"]) == 3
    ax = vc.plot(curve)
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == "n_neighbors" and ax.get_xscale() == "linear"


def test_values_far_apart_are_drawn_on_a_logarithmic_axis_and_words_side_by_side():
    svc = make_pipeline(StandardScaler(), SVC())
    far = vc.validation_curve(svc, X, Y, parameter="svc__C", values=[0.01, 1, 100], by="kfold(k=3)")
    assert far.curve().log_x
    words = vc.validation_curve(
        DecisionTreeClassifier(), X, Y, parameter="criterion", values=["gini", "entropy"], by="kfold(k=3)"
    )
    assert words.curve().x_title == "criterion" and words.curve().x_names == ("gini", "entropy")
    assert list(words.curve().lines[0].x) == [1, 2]
    with pytest.raises(vc.BadInput, match="leave out log_x"):
        vc.plot(words, log_x=True)
    with pytest.raises(vc.BadInput, match="learning curve"):
        _ = words.fitted


class Bare:
    def fit(self, x, y):
        return self

    def predict(self, x):
        return np.zeros(len(x), int)


@pytest.mark.parametrize(
    ("learner", "parameter", "values", "says"),
    [
        (KNeighborsClassifier(), "neighbours", [1], "did you mean n_neighbors"),
        (make_pipeline(StandardScaler(), SVC()), "C", [1], "did you mean svc__C"),
        (KNeighborsClassifier(), "zzz", [1], "there are algorithm, leaf_size"),
        (KNeighborsClassifier(), "n_neighbors", [], "names no value"),
        (KNeighborsClassifier(), "n_neighbors", [1, 1], "twice"),
        (KNeighborsClassifier(), "n_neighbors", 5, "is a list of values"),
        (Bare(), "n", [1], "has no get_params"),
    ],
)
def test_wrong_calls_say_what_is_wrong(learner, parameter, values, says):
    with pytest.raises(vc.BadInput) as told:
        vc.validation_curve(learner, X, Y, parameter=parameter, values=values)
    assert says in str(told.value)
