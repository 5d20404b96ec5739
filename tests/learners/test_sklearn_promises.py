"""What is taken for granted of scikit-learn's learners, held against what they do."""

import numpy as np
import pytest
from sklearn.base import is_regressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from veracity.learners.sklearn_promises import largest_is_label, least_company


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


@pytest.mark.parametrize(
    "learner",
    [
        DecisionTreeClassifier(),
        DecisionTreeRegressor(),
        ExtraTreeClassifier(),
        ExtraTreeRegressor(),
        RandomForestClassifier(7),
        RandomForestRegressor(7),
        ExtraTreesClassifier(7, n_jobs=1),
        ExtraTreesRegressor(7),
    ],
)
def test_the_company_of_a_row_does_not_change_its_answer(learner):
    generator = np.random.default_rng(1)
    table, noise = generator.normal(size=(301, 5)), generator.normal(size=301)
    target = table[:, 0] + noise if is_regressor(learner) else (table[:, 0] + noise > 0).astype(int)
    model = learner.set_params(random_state=0).fit(table, target)
    assert least_company(model, table) == 1
    ask = model.predict if is_regressor(learner) else model.predict_proba
    whole = ask(table)
    for size in (1, 2, 3, 7, 64, 150):
        rows = np.sort(generator.choice(301, size, replace=False))
        assert (ask(table[rows]) == whole[rows]).all()


def test_no_such_promise_is_seen_in_other_code():
    class Mine(RandomForestClassifier):
        """Looks at all rows before it answers."""

    class MyBayes(GaussianNB):
        """Looks at all rows before it answers."""

    table = np.arange(20.0).reshape(10, 2)
    others = [LogisticRegression(), BernoulliNB(), KNeighborsClassifier(), GradientBoostingClassifier(), Mine()]
    others += [RandomForestClassifier(n_jobs=2), make_pipeline(StandardScaler(), DecisionTreeClassifier()), MyBayes()]
    assert not any(least_company(each.fit(table, np.arange(10) % 2), table) for each in others)
    bayes = GaussianNB().fit(table, np.arange(10) % 2)
    assert least_company(bayes, table) and not least_company(bayes, np.asfortranarray(table))
    assert not least_company(bayes, [[0, 1]])


@pytest.mark.parametrize("classes", [2, 3, 7, 8, 9, 30])
@pytest.mark.parametrize("columns", [1, 2, 7, 8, 9, 130, 300])
def test_the_company_of_a_row_does_not_change_what_gaussian_bayes_says(classes, columns):
    generator = np.random.default_rng(columns)
    table, target = generator.normal(size=(40 * classes, columns)), np.arange(40 * classes) % classes
    model = GaussianNB().fit(table, target)
    company = least_company(model, table)
    assert company == (1 if classes < 8 else 2)
    whole = model.predict_proba(table)
    for size in (1, 2, 3, 7, 64):
        for rows in (np.sort(generator.choice(len(table), size, replace=False)) for _ in range(20)):
            alone = model.predict_proba(table[rows])
            assert size < company or (alone == whole[rows]).all()
