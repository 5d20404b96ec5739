"""A learner that tunes itself: it agrees with scikit-learn where both do the same, and never sees a test row."""

from __future__ import annotations

import json
import pickle
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, RepeatedKFold, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.learners.fingerprint import fingerprint
from veracity.readers.data import data_of
from veracity.records.fit import Fit
from veracity.running.one import fit_one

CANCER = load_breast_cancer(return_X_y=True)
TWO = make_classification(120, 5, flip_y=0.2, random_state=3)
EPS = np.finfo(float).eps  # to which scikit-learn clips probabilities
DEPTHS = {"max_depth": [1, 2, 4, 8]}


def rest(share):
    return 1 - share


class Spy(ClassifierMixin, BaseEstimator):
    """Knows the rows by their first feature and writes down those that train and those that are asked for."""

    def __init__(self, file="", depth=1):
        self.file, self.depth = file, depth

    def note(self, what, x):
        with Path(self.file).open("a") as file:
            file.write(json.dumps([what, x[:, 0].astype(int).tolist()]) + "\n")

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.note("fit", x)
        return self

    def predict_proba(self, x):
        self.note("predict", x)
        return np.full((len(x), 2), 0.5)

    def predict(self, x):
        return np.repeat(self.classes_[:1], len(x))


def seen_by(file):
    return [(what, set(rows)) for what, rows in map(json.loads, file.read_text().splitlines())]


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


def test_the_outer_test_rows_are_never_seen(tmp_path):
    x = np.column_stack([np.arange(60), np.zeros(60)])
    y = np.arange(60) % 2
    runs = vc.evaluate(
        {"spy": vc.tuned(Spy(str(tmp_path / "log")), {"depth": [1, 2, 3]}, by="kfold(k=4)")}, x, y, by="kfold(k=5)"
    )
    splits = runs.run("spy").design.splits
    every = seen_by(tmp_path / "log")
    assert len(every) == len(splits) * (2 * 3 * 4 + 2)
    of_each = np.array_split(np.arange(len(every)), len(splits))
    for split, places in zip(splits, of_each, strict=True):
        seen = [every[place] for place in places]
        test, train = set(split.test.tolist()), set(split.train.tolist())
        fits = [rows for what, rows in seen if what == "fit"]
        assert len(fits) == 3 * 4 + 1 and fits[-1] == train
        for what, rows in seen[:-1]:
            assert rows <= train and not rows & test, what
        assert seen[-1] == ("predict", test)
        inner = [rows for what, rows in seen[:-1] if what == "predict"]
        assert all(fit.isdisjoint(asked) for fit, asked in zip(fits, inner, strict=False))


def test_copies_of_a_bootstrapped_row_stay_together():
    """One neighbour would find the copy of a row on the other side of an inner split and win; it must not."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    learner = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 15]}, by="kfold(k=5)", score="error")
    runs = vc.evaluate({"knn": learner}, x, y, by="bootstrap(draws=10)", seed=1)
    inner = [one.inner for one in runs.chosen("knn")]
    assert np.mean(inner) > 0.35  # with copies on both sides it is about 0.2


def test_groups_and_time_are_kept_inside():
    seen = []

    class Watching(KNeighborsClassifier):
        def fit(self, x, y):
            seen.append(set((x[:, 0] // 10).astype(int).tolist()))
            return super().fit(x, y)

    x, y = np.arange(100.0)[:, None], np.arange(100) % 2
    learner = vc.tuned(Watching(), {"n_neighbors": [1]}, by="kfold(k=5)", score="error")
    learner.fit(x, y, groups=np.arange(100) // 10)
    assert [len(groups) for groups in seen[:-1]] == [8] * 5  # whole groups of ten
    seen.clear()
    learner.fit(x, y, time=np.arange(100))
    assert [max(part) for part in seen[:-1]] == sorted(max(part) for part in seen[:-1])
    assert len(seen[0]) == 2  # what lies before the second of six stretches


def test_weights_reach_learner_and_score():
    x, y = np.zeros((40, 1)), np.arange(40) % 2
    weights = np.where(y == 1, 3.0, 1.0)
    found = vc.tuned(DecisionTreeClassifier(), {"max_depth": [1]}, score="log_loss").fit(x, y, sample_weight=weights)
    assert found.best_score_ == pytest.approx(-(0.75 * np.log(0.75) + 0.25 * np.log(0.25)))
    assert found.predict_proba(x[:1])[0] == pytest.approx([0.25, 0.75])


def test_the_positive_class_is_the_one_of_the_study():
    x, y = CANCER[0][:120], np.where(CANCER[1][:120] == 1, "benign", "malignant")
    learner = vc.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, by="kfold(k=3)", score="recall")
    told = {}
    for name in ("benign", "malignant"):
        told[name] = vc.evaluate({"tree": learner}, x, y, by="kfold(k=3)", positive=name).chosen("tree").flat
    assert told["benign"] != told["malignant"]
    assert clone(learner).fit(x, y, positive="benign").best_score_ != clone(learner).fit(x, y).best_score_


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
    ("y", "change", "says"),
    [
        (np.zeros(30), {}, "the target is 0.0 in all 30 training rows"),
        (np.r_[np.zeros(29), 1], {}, "tuning inside 30 training rows: the rarest class has 1 row"),
        (np.arange(30) / 7, {}, "log_loss is for classes, but the target is of numbers: tune by score='mse'"),
        (np.repeat(["a", "b"], 15), {"score": "mse"}, "mse is for numbers, but the target holds 'a'"),
        (np.arange(20) % 2, {}, "30 rows of features but 20 of the target"),
    ],
)
def test_rows_that_cannot_be_tuned_on(y, change, says):
    learner = vc.tuned(LogisticRegression(), {"C": [1, 2]}, by="kfold(k=5)", **change)
    with pytest.raises(vc.VeracityError, match=says):
        learner.fit(np.random.default_rng(0).normal(size=(30, 2)), y)


def test_a_learner_without_probabilities_cannot_be_tuned_by_log_loss():
    with pytest.raises(vc.BadInput, match=r"log_loss needs probabilities"):
        vc.tuned(LinearSVC(), {"C": [1]}).fit(*TWO)


def test_a_score_that_is_infinite_everywhere_chooses_nothing():
    with pytest.raises(vc.BadInput, match="log_loss is infinite for every setting"):
        vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 2]}).fit(*TWO)


def test_the_fingerprint_covers_everything_that_decides():
    def mark(**change):
        given = {"grid": {"C": [1, 2]}, "by": "kfold(k=5)", "score": "log_loss", "rule": "best", **change}
        return fingerprint(vc.tuned(LogisticRegression(), **given))

    changes = [{"grid": {"C": [1, 3]}}, {"by": "kfold(k=4)"}, {"score": "error"}, {"rule": "one_standard_error"}]
    changes += [{"order": "-C"}, {"se": "rows"}, {"seed": 1}]
    assert mark() == mark()
    assert len({mark(), *(mark(**change) for change in changes)}) == 1 + len(changes)


def test_the_same_numbers_alone_with_workers_and_after_an_interruption(tmp_path):
    forest = RandomForestClassifier(5)
    learners = {"rf": vc.tuned(forest, DEPTHS, by="kfold(k=3)", score="brier"), "nn": KNeighborsClassifier()}

    def outcome(runs):
        chosen = [(one.params, one.inner) for one in runs.chosen("rf")]
        return chosen, runs.predictions("rf").proba.tobytes()

    alone = outcome(vc.evaluate(learners, *TWO, by="kfold(k=3)", seed=5))
    assert outcome(vc.evaluate(learners, *TWO, by="kfold(k=3)", seed=5, workers=2)) == alone
    place = tmp_path / "r.db"
    study = vc.Study({"data": TWO}, learners, "kfold(k=3)", seed=5)
    part = vc.Study({"data": TWO}, {"nn": KNeighborsClassifier()}, "kfold(k=3)", seed=5)
    part.run(place)
    assert study.plan().against(place).left == 3
    assert outcome(study.run(place)) == alone
    assert study.plan().against(place).left == 0
    assert outcome(vc.read_runs(place))[0] == alone[0]


def test_the_inner_design_of_a_nested_one_is_used_where_none_is_named():
    learners = {
        "open": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, score="error"),
        "own": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, score="error", by="kfold(k=4)"),
    }
    by = ["nested(outer=kfold(k=3), inner=kfold(k=2))", "kfold(k=3)"]
    runs = vc.evaluate(learners, *TWO, by=by, seed=1)

    def inner(learner, design):
        keys = runs.store.cells("data", learner, design)
        return {json.loads(one.chosen)["by"] for one in runs.store.outcomes(set(keys))}

    nested, plain = runs.designs
    assert inner("open", nested) == {"kfold(k=2)"} and inner("open", plain) == {"kfold(k=5)"}
    assert inner("own", nested) == inner("own", plain) == {"kfold(k=4)"}
    assert runs.final("open").inner_ == "kfold(k=2)" and runs.final("own").inner_ == "kfold(k=4)"
    assert learners["open"].by is None


def test_validation_rows_of_a_three_way_split_choose(tmp_path):
    x = np.column_stack([np.arange(50), np.zeros(50)])
    learner = vc.tuned(Spy(str(tmp_path / "log")), {"depth": [1, 2]})
    runs = vc.evaluate({"spy": learner}, x, np.arange(50) % 2, by="three_way(validation=0.2, test=0.2)")
    split = runs.run("spy").design.splits[0]
    train, validation, test = (set(rows.tolist()) for rows in (split.train, split.validation, split.test))
    seen = seen_by(tmp_path / "log")
    assert seen[:4] == [("fit", train), ("predict", validation)] * 2
    assert seen[4:] == [("fit", train), ("predict", test | validation)]
    with pytest.raises(vc.Refused, match="at least two inner splits"):
        vc.tuned(Spy(str(tmp_path / "log")), {"depth": [1]}, rule="one_standard_error").fit(
            x, x[:, 0] % 2, validation=(x, x[:, 0] % 2)
        )


def test_final_chooses_again_on_all_rows():
    learner = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, by="kfold(k=3)", score="error")
    runs = vc.evaluate({"knn": learner}, *TWO, by="kfold(k=3)")
    model = runs.final("knn")
    assert model.best_params_ == clone(learner).fit(*TWO).best_params_
    assert (model.predict(TWO[0]) == clone(learner).fit(*TWO).predict(TWO[0])).all()


def test_a_timeout_of_the_whole_fit_is_not_a_failed_setting():
    class Slow(KNeighborsClassifier):
        def fit(self, x, y):
            time.sleep(0.3)
            return super().fit(x, y)

    learner = vc.tuned(Slow(), {"n_neighbors": [1, 2, 3]}, by="kfold(k=3)", score="error")
    fit = Fit("k", "two", "slow", np.arange(80), np.arange(80, 120), 0)
    found = fit_one(learner, data_of(*TWO, name="two"), fit, timeout=0.5)[0]
    assert found.reason == "fit took longer than the timeout of 0.5 s"


def test_only_the_refit_may_warn():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        vc.tuned(LogisticRegression(max_iter=1), {"C": [1, 2]}, by="kfold(k=2)").fit(*CANCER)
    assert [type(one.message).__name__ for one in heard] == ["ConvergenceWarning"]
