"""A learner that tunes itself: it agrees with scikit-learn where both do the same, and tells what it cannot do."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, RepeatedKFold, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

TWO = make_classification(120, 5, flip_y=0.2, random_state=3)


EPS = np.finfo(float).eps  # to which scikit-learn clips probabilities


DEPTHS = {"max_depth": [1, 2, 4, 8]}


def rest(share):
    return 1 - share


class Picky(DecisionTreeClassifier):
    """Cannot be made with some depths."""

    def fit(self, x, y):
        if self.max_depth in (1, 4):
            raise ValueError("no such depth")
        return super().fit(x, y)


@pytest.mark.parametrize("folds", [StratifiedKFold(4), RepeatedKFold(n_splits=3, n_repeats=2, random_state=2)])
@pytest.mark.parametrize(
    ("score", "theirs", "turned"),
    [(f"log_loss(clip={EPS})", "neg_log_loss", np.negative), ("auc", "roc_auc", np.array), ("error", "accuracy", rest)],
)
def test_it_chooses_what_grid_search_chooses(folds, score, theirs, turned):
    grid = {"n_neighbors": [5, 11, 25, 45], "weights": ["uniform", "distance"]}
    found = vc.tuned(KNeighborsClassifier(), grid, by=folds, score=score).fit(*TWO)
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=folds, scoring=theirs).fit(*TWO)
    means = [trial.mean for trial in found.results_]
    assert means == pytest.approx(turned(search.cv_results_["mean_test_score"]), rel=1e-9)
    assert found.best_params_ == search.best_params_
    assert (found.predict(TWO[0]) == search.predict(TWO[0])).all()


def test_numbers_are_tuned_too():
    x, y = load_diabetes(return_X_y=True)
    grid = {"alpha": [0.001, 0.1, 1.0, 10.0]}
    found = vc.tuned(Ridge(), grid, by=KFold(5), score="mse").fit(x, y)
    search = GridSearchCV(Ridge(), grid, cv=KFold(5), scoring="neg_mean_squared_error").fit(x, y)
    assert found.best_params_ == search.best_params_ and found.best_score_ == pytest.approx(-search.best_score_)
    assert is_regressor(found) and not is_classifier(found)


def test_it_is_a_learner_like_any_other():
    learner = vc.tuned(LogisticRegression(max_iter=5000), {"C": [0.01, 1]}, by="kfold(k=3)")
    twin = clone(learner)
    assert twin is not learner and twin.get_params(deep=False).keys() == learner.get_params(deep=False).keys()
    assert twin.set_params(learner__tol=1e-3, rule="one_standard_error").learner.tol == 1e-3
    assert is_classifier(learner) and hasattr(learner, "predict_proba") and hasattr(learner, "decision_function")
    assert not hasattr(learner, "classes_")
    with pytest.raises(NotFittedError):
        learner.predict(TWO[0])
    learner.fit(*TWO)
    again = pickle.loads(pickle.dumps(learner))
    assert (again.predict_proba(TWO[0]) == learner.predict_proba(TWO[0])).all()
    assert list(learner.classes_) == [0, 1] and learner.best_params_ == again.best_params_
    assert len(cross_val_score(clone(learner), *TWO, cv=3, scoring="accuracy")) == 3
    assert not hasattr(vc.tuned(LinearSVC(), {"C": [1]}, score="error"), "predict_proba")


def test_frames_sparse_tables_and_labels_of_any_kind():
    x, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    learner = vc.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, by="kfold(k=3)", score="error")
    plain = clone(learner).fit(x, names)
    for table in (pd.DataFrame(x, columns=list("wxyz")), csr_array(x), x.tolist()):
        assert clone(learner).fit(table, pd.Series(names)).best_score_ == plain.best_score_
    assert plain.predict(x[:1]) == ["a"]


def test_steps_of_pipelines_inside_and_outside():
    inside = vc.tuned(
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        {"kneighborsclassifier__n_neighbors": [1, 9]},
        score="error",
    )
    outside = Pipeline(
        [
            ("scale", StandardScaler()),
            ("tuned", vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, score="error")),
        ]
    )
    runs = vc.evaluate({"inside": inside, "outside": outside}, *TWO, by="kfold(k=3)")
    assert {name for one in runs.chosen("inside") for name in one.params} == {"kneighborsclassifier__n_neighbors"}
    assert {name for one in runs.chosen("outside") for name in one.params} == {"n_neighbors"}
    assert len(runs.chosen("inside")) == len(runs.chosen("outside")) == 3


def test_the_standard_error_of_rows():
    learner = vc.tuned(
        DecisionTreeClassifier(random_state=0), DEPTHS, by=KFold(4), score="error", rule="one_standard_error", se="rows"
    )
    found = learner.fit(*TWO)
    for trial in found.results_:
        rate = trial.mean
        assert trial.standard_error == pytest.approx(np.sqrt(rate * (1 - rate) / 119), rel=1e-9)  # divisor n - 1


def test_settings_that_fail_are_left_out_with_their_reason():
    found = vc.tuned(Picky(random_state=0), DEPTHS, by="kfold(k=3)", score="error").fit(*TWO)
    assert [bool(trial.reason) for trial in found.results_] == [True, False, True, False]
    assert "in inner split 1 of 3 fit raised ValueError: no such depth" in found.results_[0].reason
    assert found.best_params_["max_depth"] in (2, 8)
    assert "max_depth=1  left out: in inner split 1" in repr(found.results_)
    with pytest.raises(
        vc.BadInput, match="all 2 settings of Picky failed; max_depth=1: in inner split 1 of 3 fit raised"
    ):
        vc.tuned(Picky(), {"max_depth": [1, 4]}, by="kfold(k=3)", score="error").fit(*TWO)


def test_the_results_say_order_rule_and_choice():
    found = vc.tuned(LogisticRegression(), {"C": [10, 0.1]}, order="C", by="kfold(k=3)").fit(*TWO)
    assert [trial.params["C"] for trial in found.results_] == [0.1, 10]
    said = repr(found.results_)
    assert said.startswith("log_loss (lower is better) by kfold(k=3), from the simplest setting to the most complex:")
    assert said.endswith(f"best takes C={found.best_params_['C']}")
    frame = pd.DataFrame(found.results_.to_dict())
    assert list(frame["C"]) == [0.1, 10] and frame["mean"].min() == found.best_score_


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rule": "one_standard_eror"}, "did you mean one_standard_error"),
        ({"rule": "one_se"}, "did you mean one_standard_error"),
        ({"score": "log_los"}, "did you mean log_loss"),
        ({"by": "kfld(k=3)"}, "did you mean kfold"),
        ({"se": "cases"}, "se is 'splits' or 'rows'"),
        ({"se": "rows", "score": "auc"}, "which auc is not"),
        ({"grid": {}}, "the grid is empty"),
        ({"grid": {"c": [1]}}, "has no parameter 'c'"),
        ({"learner": LogisticRegression}, r"give an object of it, LogisticRegression\(\)"),
        ({"learner": 3}, "has no fit"),
    ],
)
def test_wrong_calls_are_one_sentence(change, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.tuned(**{"learner": LogisticRegression(), "grid": {"C": [1]}, **change})


@pytest.mark.parametrize(
    ("inner", "says"),
    [
        (
            "resubstitution",
            "choose by the rows that trained, where whatever learns them by heart wins: choose by kfold",
        ),
        ("nested_cv_bates(k=3, repeats=1)", "train on different numbers of rows, whose mean is no score to choose by"),
        ("paired_subsampling(outer=2, inner=2)", "train on different numbers of rows"),
    ],
)
def test_designs_that_cannot_choose_are_refused_before_any_fit(inner, says):
    with pytest.raises(vc.Refused, match=says):
        vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, by=inner, score="error")
    learner = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, score="error")
    with pytest.raises(vc.Refused, match=says):
        vc.evaluate(learner, *TWO, by=f"nested(outer=kfold(k=3), inner={inner})")


@pytest.mark.parametrize(
    ("y", "change", "says"),
    [
        (np.zeros(30), {}, "the target is 0.0 in all 30 training rows"),
        (np.r_[np.zeros(29), 1], {}, "tuning inside 30 training rows: the rarest class has 1 row"),
        (np.arange(30) / 7, {}, "log_loss is for classes, but the target is of numbers: tune by score='mse'"),
        (
            np.repeat(["a", "b"], 15),
            {"learner": Ridge(), "grid": {"alpha": [1, 2]}, "score": "mse"},
            "mse is for numbers, but the target holds 'a'",
        ),
        (np.arange(20) % 2, {}, "30 rows of features but 20 of the target"),
    ],
)
def test_rows_that_cannot_be_tuned_on(y, change, says):
    learner = vc.tuned(**{"learner": LogisticRegression(), "grid": {"C": [1, 2]}, "by": "kfold(k=5)", **change})
    with pytest.raises(vc.VeracityError, match=says):
        learner.fit(np.random.default_rng(0).normal(size=(30, 2)), y)


def test_a_learner_without_probabilities_cannot_be_tuned_by_log_loss():
    with pytest.raises(vc.BadInput, match=r"log_loss needs probabilities"):
        vc.tuned(LinearSVC(), {"C": [1]}).fit(*TWO)


def test_a_score_that_is_infinite_everywhere_chooses_nothing():
    with pytest.raises(vc.BadInput, match="log_loss is infinite for every setting"):
        vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 2]}).fit(*TWO)


def test_an_inner_design_is_used_or_refused():
    learner = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, score="error", by="kfold(k=3)")
    with pytest.raises(vc.BadInput, match=r"inner=kfold\(k=2\), and the tuned learner by=kfold\(k=3\)"):
        vc.evaluate(learner, *TWO, by="nested(outer=kfold(k=3), inner=kfold(k=2))")
    runs = vc.evaluate(learner, *TWO, by="nested(outer=kfold(k=3), inner=kfold(k=3))")
    assert not runs.failures()


@pytest.mark.parametrize("order", [{"max_depth": [3, 1]}, lambda setting: 0, 3, [3]])
def test_an_order_that_says_nothing_of_parameters_is_refused(order):
    with pytest.raises(vc.BadInput, match="order names parameters"):
        vc.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, rule="one_standard_error", order=order)
