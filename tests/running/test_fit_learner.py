"""One fit: what is said of it is what the learner says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from veracity.readers.read_data import data_of
from veracity.running.fit_learner import fit_all

IRIS = load_iris()


TWO = make_classification(150, 6, flip_y=0.2, random_state=1)


class Drawing(GaussianNB):
    """Says something else each time it is asked, as far as its random numbers go on."""

    def predict_proba(self, x):
        first = np.random.random(len(x))  # noqa: NPY002
        return np.stack([first, *[(1 - first) / 2] * 2], 1)


@pytest.mark.parametrize(
    "learner",
    [
        GaussianNB(),
        KNeighborsClassifier(5),
        KNeighborsClassifier(4, weights="distance"),
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(10, random_state=0),
        LogisticRegression(max_iter=500),
        make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
        DummyClassifier(),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_labels_and_probabilities_are_those_of_the_learner(iris, learner, parts, fitted, done):
    train, test = parts(iris)
    train = np.sort(train)
    model = clone(learner).fit(iris.features[train], iris.target[train])
    outcome = done(fitted(learner, iris))
    assert (np.asarray(iris.classes)[outcome.label] == model.predict(iris.features[test])).all()
    assert (outcome.proba == model.predict_proba(iris.features[test])).all()
    assert (outcome.rows == test).all()
    assert outcome.value is None and outcome.number is None and outcome.seconds > 0


def test_predict_has_the_word(fitted, done):
    class Mine(DecisionTreeClassifier):
        def predict(self, X, check_input=True):  # noqa: N803
            return np.full(len(X), self.classes_[0])

    data = data_of(IRIS.data, IRIS.target)
    assert (done(fitted(Mine(), data)).label == 0).all()


@pytest.mark.parametrize(("positive", "sign"), [("bad", -1), ("good", 1), (None, 1)])
def test_decision_values_speak_for_the_positive_class(positive, sign, parts, fitted, done):
    labels = np.where(TWO[1] == 1, "bad", "good")
    data = data_of(TWO[0], labels, positive=positive)
    train, test = parts(data)
    model = SVC().fit(TWO[0][np.sort(train)], labels[np.sort(train)])
    outcome = done(fitted(SVC(), data))
    assert outcome.proba is None
    assert outcome.value == pytest.approx(sign * model.decision_function(TWO[0][test]), rel=1e-12)


def test_three_classes_have_no_single_value(iris, fitted, done):
    outcome = done(fitted(SVC(), iris))
    assert outcome.value is None and set(outcome.label) == {0, 1, 2}


@pytest.mark.parametrize("learner", [LinearRegression(), SVR(), DecisionTreeRegressor(random_state=0)])
def test_numbers(learner, parts, fitted, done):
    table, target = load_diabetes(return_X_y=True)
    data = data_of(table, target)
    train, test = parts(data)
    expected = clone(learner).fit(table[np.sort(train)], target[np.sort(train)]).predict(table[test])
    outcome = done(fitted(learner, data))
    assert (outcome.number == expected).all()
    assert outcome.label is None and outcome.proba is None


def test_sparse_features_and_frames_give_the_same(fitted, done):
    import pandas
    import polars

    table, target = TWO
    plain = done(fitted(LogisticRegression(), data_of(table, target)))
    names = [f"f{place}" for place in range(table.shape[1])]
    for other in (pandas.DataFrame(table, columns=names), polars.DataFrame(table, schema=names), csr_array(table)):
        outcome = done(fitted(LogisticRegression(), data_of(other, target)))
        assert outcome.proba == pytest.approx(plain.proba, abs=1e-6)


def test_training_rows_count_as_a_multiset(two, fitted, done):
    rows = np.array([9, 3, 3, 50, 80, 80, 80, 4, 21, 33])
    one = done(fitted(LogisticRegression(), two, train=rows))
    other = done(fitted(LogisticRegression(), two, train=rows[::-1]))
    once = done(fitted(LogisticRegression(), two, train=np.unique(rows)))
    assert (one.proba == other.proba).all() and not np.allclose(one.proba, once.proba)


def test_a_class_that_training_lacks_has_probability_zero(iris, fitted, done):
    train = np.arange(100)  # the first two kinds only
    outcome = done(fitted(GaussianNB(), iris, train=train, predict=np.arange(90, 110)))
    assert outcome.proba.shape == (20, 3)
    assert (outcome.proba[:, 2] == 0).all() and outcome.proba.sum(1) == pytest.approx(1)
    middle = done(fitted(KNeighborsClassifier(3), iris, train=np.r_[0:50, 100:150], predict=np.arange(100, 110)))
    assert (middle.proba[:, 1] == 0).all() and (middle.label == 2).all()


def test_the_same_key_gives_the_same_and_another_key_another(two, fitted, done):
    for learner in (RandomForestClassifier(5), make_pipeline(StandardScaler(), RandomForestClassifier(5))):
        one, again, other = (done(fitted(learner, two, key=key)) for key in ("a", "a", "b"))
        assert (one.proba == again.proba).all()
        assert (one.proba != other.proba).any()
        assert (done(fitted(learner, two, key="a", seed=8)).proba != one.proba).any()


def test_a_learner_fitted_before_gives_the_same_as_a_new_one(two, fitted, done):
    learner = DummyClassifier(strategy="uniform")
    new = done(fitted(learner, two))
    learner.fit(*TWO)
    assert (done(fitted(learner, two)).label == new.label).all()


def test_the_model_of_all_rows_is_that_of_the_study(two, parts, fitted, done):
    from veracity.learners.fingerprint import fingerprint
    from veracity.records.fit import fit_key, rows_digest

    learner, rows = RandomForestClassifier(5), np.arange(len(two))
    key = fit_key(two.fingerprint, fingerprint(learner), rows_digest(rows), 7)
    model = fit_all(learner, two, 7)
    assert (done(fitted(learner, two, key=key, train=rows)).proba == model.predict_proba(TWO[0][parts(two)[1]])).all()


def test_weights_reach_a_learner_that_takes_them(two, fitted, done):
    weights = np.where(TWO[1] == 1, 50.0, 1.0)
    data = data_of(*TWO, weights=weights)
    plain = data_of(*TWO)
    for learner in (GaussianNB(), make_pipeline(StandardScaler(), GaussianNB())):
        assert done(fitted(learner, data)).label.mean() > done(fitted(learner, plain)).label.mean()
    assert (done(fitted(KNeighborsClassifier(), data)).label == done(fitted(KNeighborsClassifier(), plain)).label).all()


def test_what_a_learner_chose_is_kept(iris, fitted, done):
    grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    for learner in (grid, make_pipeline(StandardScaler(), grid)):
        assert json.loads(done(fitted(learner, iris)).chosen)["n_neighbors"] in (1, 5)
    assert done(fitted(GaussianNB(), iris)).chosen == ""


def test_no_rows_to_predict_is_a_fit_all_the_same(iris, fitted, done):
    outcome = done(fitted(GaussianNB(), iris, predict=np.arange(0)))
    assert outcome.label is None and len(outcome.rows) == 0


def test_a_category_that_only_test_rows_have(tmp_path, fitted, done):
    path = tmp_path / "things.csv"
    rows = [f"{'red' if row % 2 else 'blue'},{row if row % 5 else ''},{row % 2}" for row in range(40)]
    path.write_text("colour,size,y\n" + "\n".join([*rows, "green,7,1", ",,0"]) + "\n")
    from veracity.readers.read_data import from_file

    data = from_file(path, target="y")
    outcome = done(fitted(LogisticRegression(), data, train=np.arange(40), predict=np.array([0, 1, 40, 41])))
    assert outcome.label[:2].tolist() == [0, 1]
    assert np.isfinite(outcome.proba).all()
