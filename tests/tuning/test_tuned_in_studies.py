"""A tuned learner inside a study: it never sees a test row, and is told all that the study knows of its rows."""

from __future__ import annotations

import json
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.learners.fingerprint import fingerprint
from veracity.readers.read_data import data_of
from veracity.records.fit import Fit
from veracity.running.fit_learner import fit_one

CANCER = load_breast_cancer(return_X_y=True)


TWO = make_classification(120, 5, flip_y=0.2, random_state=3)


DEPTHS = {"max_depth": [1, 2, 4, 8]}


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


def test_one_weight_is_not_that_of_every_row():
    learner = vc.tuned(DecisionTreeClassifier(), {"max_depth": [1]})
    with pytest.raises(vc.BadInput, match="one number for each of 40 rows, not of shape"):
        learner.fit(np.zeros((40, 1)), np.arange(40) % 2, sample_weight=[2.0])


def test_the_positive_class_is_the_one_of_the_study():
    x, y = CANCER[0][:120], np.where(CANCER[1][:120] == 1, "benign", "malignant")
    learner = vc.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, by="kfold(k=3)", score="recall")
    told = {}
    for name in ("benign", "malignant"):
        told[name] = vc.evaluate({"tree": learner}, x, y, by="kfold(k=3)", positive=name).chosen("tree").flat
    assert told["benign"] != told["malignant"]
    assert clone(learner).fit(x, y, positive="benign").best_score_ != clone(learner).fit(x, y).best_score_


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
    learners = {"open": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, score="error")}
    by = ["nested(outer=kfold(k=3), inner=kfold(k=2))", "kfold(k=3)"]
    runs = vc.evaluate(learners, *TWO, by=by, seed=1)

    def inner(learner, design):
        keys = runs.store.cells("data", learner, design)
        return {json.loads(one.chosen)["by"] for one in runs.store.outcomes(set(keys))}

    nested, plain = runs.designs
    assert inner("open", nested) == {"kfold(k=2)"} and inner("open", plain) == {"kfold(k=5)"}
    assert runs.final("open").inner_ == "kfold(k=2)" and learners["open"].by is None
    own = {"own": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, score="error", by="kfold(k=4)")}
    with pytest.raises(vc.BadInput, match="leave out the learner's own"):
        vc.evaluate(own, *TWO, by=by, seed=1)
    assert vc.evaluate(own, *TWO, by="kfold(k=3)", seed=1).final("own").inner_ == "kfold(k=4)"


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


class Constant(ClassifierMixin, BaseEstimator):
    """Predicts one class, at first 0; each further round of training another."""

    def __init__(self, label=0):
        self.label = label

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def partial_fit(self, x, y, classes=None):
        self.label_ = getattr(self, "label_", -1) + 1
        return self.fit(x, y)

    def predict(self, x):
        return np.full(len(x), getattr(self, "label_", self.label) % 2)


@pytest.mark.parametrize("by", ["three_way", "kfold(k=4)"])
def test_weights_of_validation_rows_count_in_the_choice(by):
    """A quarter of the rows is of class 1 and weighs a hundred times as much: class 1 is to be predicted."""
    y = (np.arange(200) % 4 == 0).astype(int)
    learners = {
        "tuned": vc.tuned(Constant(), {"label": [0, 1]}, score="error"),
        "piped": make_pipeline(StandardScaler(), vc.tuned(Constant(), {"label": [0, 1]}, score="error")),
        "stopped": vc.stopped(Constant(), rounds=2, score="error"),
    }
    weights = np.where(y == 1, 100.0, 1.0)
    runs = vc.evaluate(learners, np.zeros((200, 2)), y, by=by, weights=weights, seed=1)
    assert not runs.failures()
    assert all((runs.predictions(name).label == 1).all() for name in learners)


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
    found = fit_one(learner, data_of(*TWO, name="two"), fit, timeout=0.5)
    assert found.reason == "fit took longer than the timeout of 0.5 s"


def test_only_the_refit_may_warn():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        vc.tuned(LogisticRegression(max_iter=1), {"C": [1, 2]}, by="kfold(k=2)").fit(*CANCER)
    assert [type(one.message).__name__ for one in heard] == ["ConvergenceWarning"]


class Choosy(KNeighborsClassifier):
    """Takes a part of the rows, but not all of them."""

    def fit(self, x, y):
        if len(x) == len(TWO[0]):
            raise ValueError("too many rows for me")
        return super().fit(x, y)


@pytest.mark.parametrize(
    ("learner", "why"),
    [
        (Choosy(), "fit raised ValueError: too many rows for me"),
        (
            vc.tuned(Choosy(), {"n_neighbors": [1, 3]}, score="error", by="kfold(k=3)"),
            "fit raised ValueError: too many rows",
        ),
    ],
)
def test_a_final_fit_that_fails_is_one_sentence_with_its_cause(learner, why):
    runs = vc.evaluate({"choosy": learner}, *TWO, by="kfold(k=3)", name="two")
    with pytest.raises(vc.BadInput, match=f"^choosy cannot be trained on all 120 rows of two: {why}") as told:
        runs.final("choosy")
    assert isinstance(told.value.__cause__, ValueError)
