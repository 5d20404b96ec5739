"""Checks on a study: each finds what it is for, and is silent where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from veracity.designs.make_design import make_design
from veracity.readers.read_data import data_of
from veracity.records.design import Design, Split
from veracity.records.fit import Fit, Outcome
from veracity.running import checks
from veracity.running.checks import baseline, no_better_than_baseline, not_deterministic
from veracity.running.fit_learner import fit_one
from veracity.tuning.tuned import tuned

GENERATOR = np.random.default_rng(0)


def folds(rows, number=5):
    """Row r is tested in fold r modulo the number of folds."""
    fold = np.arange(rows) % number
    splits = tuple(Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k), fold=k) for k in range(number))
    return Design("folds", 0, rows, splits)


def resubstitution(rows):
    return Design("resubstitution", 0, rows, (Split(np.arange(rows), np.arange(rows)),))


def noise(rows=20, columns=3):
    return GENERATOR.normal(size=(rows, columns)), np.arange(rows) % 2


def test_twins_across_a_split_are_counted():
    table, target = noise()
    table[1], table[7], table[3] = table[0], table[0], table[8]  # folds 1, 2, 0; and 3, 3
    found = checks.duplicate_rows(data_of(table, target), folds(20))
    assert "3 of 20 rows" in found.says and "3 of 5 splits" in found.says
    assert (found.code, found.weight) == ("duplicate-rows", "caution")


def test_twins_that_never_meet_and_rows_of_their_own_are_no_twins():
    table, target = noise()
    assert checks.duplicate_rows(data_of(table, target), folds(20)) is None
    assert checks.duplicate_rows(data_of(table, target), resubstitution(20)) is None
    table[3] = table[8]
    assert checks.duplicate_rows(data_of(table, target), folds(20)) is None


def test_iris_has_its_well_known_twins():
    data = data_of(*load_iris(return_X_y=True))
    leave_one_out = Design("loo", 0, 150, tuple(Split(np.delete(np.arange(150), r), np.array([r])) for r in range(150)))
    assert "2 of 150 rows" in checks.duplicate_rows(data, leave_one_out).says  # rows 102 and 143


def test_twins_in_every_kind_of_table():
    import polars

    table = np.array([[0.0, 1.0], [-0.0, 1.0], [np.nan, 2.0], [np.nan, 2.0], [3.0, 0.0]])
    frame = polars.DataFrame({"a": ["x", "x", None, None, "y"], "b": [1, 1, 2, 2, 3]})
    mixed = np.array([["x", 1.0], ["x", 1.0], [None, np.nan], [None, np.nan], ["y", 2.0]], object)
    sparse = csr_array(np.array([[0, 1.0], [0, 1.0], [2.0, 0], [2.0, 0], [0, 2.0]]))
    for features in (table, frame, mixed, sparse):
        codes = checks.row_codes(data_of(features, [0, 1, 0, 1, 0]))
        assert codes[0] == codes[1] and codes[2] == codes[3] and set(codes.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("leak", [lambda y: y, lambda y: 5 - 2 * y, lambda y: np.array([3.0, 1.0, 2.0])[y]])
def test_a_feature_that_is_the_class(leak):
    table, _ = noise(30)
    target = np.arange(30) % 3
    assert checks.target_in_features(data_of(table, target)) is None
    found = checks.target_in_features(data_of(np.column_stack([table, leak(target)]), target))
    assert "read off x3" in found.says


def test_a_feature_that_is_the_class_of_all_rows_but_the_last_is_not_the_class():
    target = np.arange(3 * checks.HEAD_ROWS) % 3
    leak = target.astype(float)
    assert checks.target_in_features(data_of(leak[:, None], target)) is not None
    leak[-1] = 0
    assert checks.target_in_features(data_of(leak[:, None], target)) is None


def test_an_identifier_or_a_constant_is_no_target():
    table = np.column_stack([np.arange(30.0), np.ones(30)])
    assert checks.target_in_features(data_of(table, np.arange(30) % 3)) is None
    assert checks.target_in_features(data_of(table, GENERATOR.normal(size=30))) is None


def test_a_feature_that_is_the_number():
    table, target = make_regression(50, 4, noise=1, random_state=0)
    assert checks.target_in_features(data_of(table, target)) is None
    for leak in (target, 3 - 0.1 * target):
        found = checks.target_in_features(data_of(np.column_stack([leak, table]), target))
        assert "read off x0" in found.says
    almost = target + GENERATOR.normal(size=50) * 1e-3 * target.std()
    assert checks.target_in_features(data_of(almost[:, None], target)) is None


def test_a_constant_target():
    table, target = noise()
    assert checks.constant_target(data_of(table, target)) is None
    constant = data_of(table, np.full(20, 1.5))
    found = checks.constant_target(constant)
    assert found.weight == "caution"
    assert found.says.startswith("data: the target is constant, 1.5 in every row")
    assert "constant-target" in [note.code for note in checks.check_study(constant, folds(20))]


def test_text_that_names_the_class_is_found_in_a_frame():
    import pandas

    frame = pandas.DataFrame({"x": [1.0, 2, 3, 4], "word": ["a", "b", "a", "b"]})
    assert "word" in checks.target_in_features(data_of(frame, [0, 1, 0, 1])).says
    assert checks.target_in_features(data_of(csr_array(np.eye(4)), [0, 1, 0, 1])) is None


def test_groups_on_both_sides():
    table, target = noise()
    whole = data_of(table, target, groups=np.arange(20) % 5)
    torn = data_of(table, target, groups=np.arange(20) // 5)
    assert checks.group_on_both_sides(data_of(table, target), folds(20)) is None
    assert checks.group_on_both_sides(whole, folds(20)) is None
    found = checks.group_on_both_sides(torn, folds(20))
    assert "5 of 5 splits" in found.says
    assert checks.group_on_both_sides(torn, resubstitution(20)) is None


def test_what_a_design_says_of_itself_is_not_said_again():
    table, target = noise()
    torn = data_of(table, target, groups=np.arange(20) // 5)
    assert "group-on-both-sides" in [note.code for note in checks.check_study(torn, folds(20))]
    design = make_design("kfold(k=4, grouped=False)", torn.for_designs, 0)
    assert "leave grouped=False out" in design.notes[0].says
    assert "group-on-both-sides" not in [note.code for note in checks.check_study(torn, design)]


def test_a_class_missing_in_training():
    table, _ = noise()
    target = np.where(np.arange(20) == 5, "rare", "common")
    found = checks.class_missing_in_training(data_of(table, target), folds(20))
    assert "'rare' in 1 of 5 splits" in found.says
    assert found.weight == "remark"
    assert found.says.endswith("no help: join a rare class with another, or leave its rows out")
    assert checks.class_missing_in_training(data_of(table, np.arange(20) % 2), folds(20)) is None
    numbers = data_of(table, GENERATOR.normal(size=20))
    assert checks.class_missing_in_training(numbers, folds(20)) is None


def test_the_advice_for_a_missing_class_can_be_followed():
    table, _ = noise()
    target = np.where(np.arange(20) % 5 == 0, "rare", "common")  # all in one fold
    plain = data_of(table, target)
    found = checks.class_missing_in_training(plain, folds(20))
    assert "`by='kfold(k=4)'` spreads classes" in found.says
    followed = make_design("kfold(k=4)", plain.for_designs, 0)
    assert checks.class_missing_in_training(plain, followed) is None
    grouped = data_of(table, target, groups=np.arange(20) // 5 + 10 * (target == "rare"))
    advice = "by='sklearn.model_selection:StratifiedGroupKFold(n_splits=4)'"
    assert advice in checks.class_missing_in_training(grouped, folds(20)).says
    followed = make_design(StratifiedGroupKFold(4), grouped.for_designs, 0, table)
    assert checks.class_missing_in_training(grouped, followed) is None
    timed = data_of(table, target, time=np.arange(20))
    assert "join a rare class" in checks.class_missing_in_training(timed, folds(20)).says


def test_weights_that_a_learner_does_not_take():
    plain, weighted = data_of(*noise()), data_of(*noise(), weights=np.ones(20))
    assert checks.weights_not_taken("knn", KNeighborsClassifier(), plain) is None
    assert checks.weights_not_taken("nb", GaussianNB(), weighted) is None
    assert checks.weights_not_taken("nb", make_pipeline(StandardScaler(), GaussianNB()), weighted) is None
    assert checks.weights_not_taken("knn", KNeighborsClassifier(), weighted) is not None
    assert checks.weights_not_taken("knn", tuned(KNeighborsClassifier(), {"p": [1]}), weighted) is not None
    assert checks.weights_not_taken("nb", tuned(GaussianNB(), {"var_smoothing": [1]}), weighted) is None


class Own:
    def fit(self, features, target):
        self.shares_ = np.bincount(target)
        return self

    def predict(self, features):
        return np.zeros(len(features))


def test_learners_that_saw_rows_before_the_study():
    frozen_estimator = pytest.importorskip("sklearn.frozen").FrozenEstimator  # from scikit-learn 1.6 on
    table, target = noise()
    assert checks.tuned_on_test("nb", GaussianNB()) is None
    assert checks.tuned_on_test("own", Own()) is None
    grid = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2)
    assert checks.tuned_on_test("grid", grid) is None
    for fitted in (grid.fit(table, target), grid.best_estimator_, GaussianNB().fit(table, target)):
        found = checks.tuned_on_test("l", fitted)
        assert "fitted anew" in found.says
    frozen = make_pipeline(StandardScaler(), frozen_estimator(GaussianNB().fit(table, target)))
    for kept in (frozen, Own().fit(table, target)):
        found = checks.tuned_on_test("l", kept)
        assert "not fitted again" in found.says


def outcomes(learner, data, key="k"):
    return [
        fit_one(learner, data, Fit(f"{key}{s.fold}", "d", "l", s.train, s.test, 0)) for s in folds(len(data)).splits
    ]


def test_no_better_than_the_baseline():
    table, target = make_classification(200, 5, class_sep=2, weights=[0.7], random_state=0)
    mixed = np.random.default_rng(5).permutation(target)  # a generator of its own, whichever tests ran before
    for labels, expected in ((target, False), (mixed, True)):
        data = data_of(table, labels)
        constant = outcomes(baseline(data.kind), data)
        found = no_better_than_baseline("tree", data, outcomes(DecisionTreeClassifier(), data), constant)
        assert (found is not None) == expected
    assert "tree on data is no better than a baseline" in found.says and "error 0." in found.says


def test_better_probabilities_are_better_than_the_baseline_where_labels_cannot_be():
    chance = np.repeat([0.05, 0.45], 500)  # no label is ever better than the common class
    target = (GENERATOR.random(1000) < chance).astype(int)
    data = data_of(chance[:, None], target)
    constant = outcomes(baseline("classes"), data)
    own = outcomes(GaussianNB(), data)
    assert no_better_than_baseline("nb", data, own, constant) is None
    bare = [Outcome(o.key, "done", o.rows, np.zeros(len(o.rows), np.int8)) for o in own]
    assert no_better_than_baseline("zero", data, bare, constant) is not None


def test_numbers_against_the_mean_and_failures():
    table, target = make_regression(60, 3, noise=1, random_state=0)
    data = data_of(table, target)
    constant = outcomes(baseline("numbers"), data)
    assert no_better_than_baseline("line", data, outcomes(LinearRegression(), data), constant) is None
    assert no_better_than_baseline("mean", data, constant, constant) is not None
    failed = [Outcome(o.key, "failed", reason="no") for o in constant]
    assert no_better_than_baseline("x", data, failed, constant) is None


class Moody(GaussianNB):
    """Another model each time, whatever the seed."""

    calls = 0

    def predict_proba(self, X):  # noqa: N803
        Moody.calls += 1
        return np.tile([0.5 - 0.001 * Moody.calls, 0.5 + 0.001 * Moody.calls], (len(X), 1))


def test_a_learner_that_changes_its_mind():
    data = data_of(*noise())
    twice = [outcomes(DecisionTreeClassifier(max_features=1), data)[0] for _ in range(2)]
    assert not_deterministic("tree", *twice) is None
    moody = [outcomes(Moody(), data)[0] for _ in range(2)]
    found = not_deterministic("moody", *moody)
    assert "moody gave other predictions" in found.says
    failed = Outcome("k0", "failed", reason="no")
    assert not_deterministic("l", failed, twice[0]) is not None
    assert not_deterministic("l", failed, failed) is None


def test_all_that_is_free_at_once():
    table, target = noise()
    table[1] = table[0]
    data = data_of(np.column_stack([table, target]), target, weights=np.ones(20))
    learners = {"knn": KNeighborsClassifier(), "nb": GaussianNB()}
    codes = [note.code for note in checks.check_study(data, folds(20), learners=learners)]
    assert codes == ["target-in-features", "weights-not-taken"]  # the target tells the twins apart
