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
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from veracity.learners.sklearn_promises import is_row_by_row, largest_is_label


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
    assert largest_is_label(model)
    proba = model.predict_proba(table)
    assert ((proba == proba.max(1, keepdims=True)).sum(1) > 1).any(), "no ties: this would prove nothing"
    assert (model.classes_[proba.argmax(1)] == model.predict(table)).all()


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
    assert is_row_by_row(model)
    ask = model.predict if is_regressor(learner) else model.predict_proba
    whole = ask(table)
    for size in (1, 2, 3, 7, 64, 150):
        rows = np.sort(generator.choice(301, size, replace=False))
        assert (ask(table[rows]) == whole[rows]).all()


def test_no_such_promise_is_seen_in_other_code():
    class Mine(RandomForestClassifier):
        """Looks at all rows before it answers."""

    others = [LogisticRegression(), GaussianNB(), KNeighborsClassifier(), GradientBoostingClassifier(), Mine()]
    others += [RandomForestClassifier(n_jobs=2), make_pipeline(StandardScaler(), DecisionTreeClassifier())]
    assert not any(map(is_row_by_row, others))
