"""What is taken for granted of scikit-learn's learners, held against what they do."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from veracity.learners.sklearn_promises import largest_is_label


@pytest.mark.parametrize(
    "learner",
    [
        DecisionTreeClassifier(),
        ExtraTreeClassifier(),
        RandomForestClassifier(6, bootstrap=False),
        ExtraTreesClassifier(6),
        KNeighborsClassifier(2),
        KNeighborsClassifier(4, algorithm="brute"),
        make_pipeline(StandardScaler(), KNeighborsClassifier(4, algorithm="kd_tree")),
    ],
)
def test_where_the_largest_probability_is_the_label_ties_agree_too(learner):
    generator = np.random.default_rng(0)
    table, target = generator.integers(0, 3, (400, 3)).astype(float), generator.integers(0, 4, 400)
    model = learner.fit(table, target)
    proba = model.predict_proba(table)
    assert largest_is_label(model, proba)
    assert ((proba == proba.max(1, keepdims=True)).sum(1) > 1).any(), "no ties: this would prove nothing"
    assert (model.classes_[proba.argmax(1)] == model.predict(table)).all()


BAYES = [GaussianNB(), MultinomialNB(), ComplementNB(), BernoulliNB(), CategoricalNB(min_categories=4)]


@pytest.mark.parametrize("learner", BAYES)
@pytest.mark.parametrize("classes", [2, 5])
def test_where_a_probability_stands_out_it_is_the_label_of_naive_bayes(learner, classes):
    generator = np.random.default_rng(2)
    target = generator.integers(0, classes, 400)
    table = generator.integers(0, 3, (400, 30)) + (target[:, None] == np.arange(30)).astype(int)
    model = make_pipeline(FunctionTransformer(), learner).fit(table, target)
    proba = model.predict_proba(table)
    clear = np.array([largest_is_label(model, row[None]) for row in proba])
    assert clear.mean() > 0.9
    assert (model.classes_[proba.argmax(1)] == model.predict(table))[clear].all()


def test_probabilities_that_round_to_the_same_tell_nothing_of_the_label():
    table = np.array([[0.0], [1.0], [1.0], [2.0]])
    model = GaussianNB().fit(table, [0, 0, 1, 1])
    assert largest_is_label(model, model.predict_proba([[0.9]]))
    halfway = model.predict_proba([[1.0 + 1e-17]])
    assert not largest_is_label(model, halfway) and not largest_is_label(model, np.zeros((1, 3)))
    assert not largest_is_label(model, np.array([[0.2, 0.8], [0.5, 0.5 + 1e-15]]))
    assert largest_is_label(GaussianNB().fit(table, [1, 1, 1, 1]), np.ones((4, 1)))


def test_whoever_builds_on_naive_bayes_is_asked():
    class Mine(GaussianNB):
        """May answer otherwise the second time."""

    assert not largest_is_label(Mine(), np.eye(2)) and largest_is_label(GaussianNB(), np.eye(2))
