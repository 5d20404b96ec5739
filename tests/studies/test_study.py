"""A study in Python: what it plans, what it says of itself, what its store holds against it."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, RepeatedKFold
from sklearn.naive_bayes import GaussianNB

import veracity as vc

X, Y = load_iris(return_X_y=True)


def study(**other):
    return vc.Study(
        **{"data": {"iris": (X, Y)}, "learners": {"nb": GaussianNB()}, "by": "kfold(k=5)", "seed": 7, **other}
    )


def test_the_plan_against_a_store_that_is_not_there(tmp_path):
    plan = study(learners={"nb": GaussianNB(), "dummy": DummyClassifier()}).plan()
    assert str(plan.against(tmp_path / "none.db")) == "10 fits: 10 to do, 0 stored, 0 failed"
    assert not (tmp_path / "none.db").exists()
    assert repr(vc.plan(study())) == "5 fits"


def test_designs_that_train_on_the_same_rows_share_their_fits():
    plan = study(by=["kfold(k=5)", "repeated_kfold(k=5, repeats=2)"]).plan()
    assert (len(plan), len(plan.plan)) == (15, 10)
    assert repr(plan) == "15 fits by 10 trainings, as some share one"
    assert len(study(by=["kfold(k=5)", "kfold( k = 5 )"]).plan()) == 5


class EveryNth:
    """A splitter whose repr does not show what it does."""

    def __init__(self, folds):
        self._folds = folds

    def split(self, x, y=None, groups=None):
        fold = np.arange(len(x)) % self._folds
        for number in range(self._folds):
            yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


@pytest.mark.parametrize(
    "by",
    [
        [RepeatedKFold(n_splits=3, n_repeats=2), RepeatedKFold(n_splits=5, n_repeats=2)],
        [PredefinedSplit(np.arange(150) % 3), PredefinedSplit(np.arange(150) % 5)],
        [EveryNth(3), EveryNth(5)],
    ],
    ids=lambda by: type(by[0]).__name__,
)
def test_splitters_of_one_name_and_other_splits_are_two_designs(by):
    runs = vc.evaluate(GaussianNB(), X, Y, by=[*by, by[0]], seed=7)
    together = {name: len(runs.design("data", name).splits) for name in runs.designs}
    alone = [vc.estimate(vc.evaluate(GaussianNB(), X, Y, by=one, seed=7), "error").values()[0].value for one in by]
    assert len(together) == 2 and list(together.values()) == [len(list(one.split(X, Y))) for one in by]
    assert [row.value for row in vc.estimate(runs, "error").values()] == alone


def test_the_keys_of_fits_stay_the_same():
    """So that what a store holds is found and not fitted again."""
    tuned = vc.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, score="error")
    by = ["holdout", "nested(outer=kfold(k=2), inner=kfold(k=3))"]
    data = {"d": (np.arange(24.0).reshape(12, 2), [0, 1] * 6)}
    plan = study(data=data, learners={"nb": GaussianNB(), "tuned": tuned}, by=by, final=True).plan().plan
    assert [cell.key for cell in plan.cells] == [
        "1b4f07e7577196f2f9dd45848321027b",
        "1b51483b494cf05bf081217471c5dde6",
        "2b5db002995ac2fd0e93817799fda842",
        "8f567bc7c5b843d70f4d2d438d39e9c9",
        "6dd4a75a48ecec0446d6b6c06ed7ed98",
        "83e515b2584d87d8b51c50ffb31b98bb",
    ]
    final = {"nb": "da9d687bda265a37f400ea615e8ef759", "tuned": "443f7cd7400a713d3339f918358df8fe"}
    assert plan.final == {"d": final}


def test_the_store_of_a_study_refuses_another(tmp_path):
    where = tmp_path / "results.db"
    study().run(where, progress=False)
    with pytest.raises(vc.BadInput, match="seed 7, not 8"):
        study(seed=8).run(where, progress=False)
    with pytest.raises(vc.BadInput, match="data set 'iris' changed"):
        study(data={"iris": (X + 1, Y)}).run(where, progress=False)
    with pytest.raises(vc.BadInput, match="learner 'nb' changed"):
        study(learners={"nb": GaussianNB(var_smoothing=0.1)}).run(where, progress=False)
    with pytest.raises(vc.BadInput, match="holds another study"):
        study(data={"other": (X, Y)}).run(where, progress=False)
    assert study().plan().against(where).left == 0


def test_a_store_that_was_not_named_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    study().run()
    assert f"results are kept in {tmp_path / 'results.db'}, as no store was named" in capsys.readouterr().err
    assert (tmp_path / "results.db").exists()
    study().run("results.db")
    study().run(progress=False)
    assert "no store was named" not in capsys.readouterr().err


def test_runs_read_from_the_store_alone(tmp_path):
    made = study(scores="error", by="repeated_kfold(k=5,repeats=2)").run(tmp_path / "results.db", progress=False)
    read = vc.read_runs(tmp_path / "results.db")
    assert read.asked_scores == ["error"]
    assert repr(vc.estimate(read, read.asked_scores)) == repr(vc.estimate(made, "error"))
    assert any(note.code == "duplicate-rows" for note in read.notes)


def test_no_store_and_no_study(tmp_path):
    with pytest.raises(vc.BadInput, match="there is no store at"):
        vc.read_runs(tmp_path / "none.db")


def test_checks_that_need_fits_of_their_own(tmp_path):
    learners = {"nb": GaussianNB(), "dummy": DummyClassifier(strategy="most_frequent"), "fickle": Fickle()}
    asked = study(learners=learners, checks=["baseline", "deterministic"])
    runs = asked.run(tmp_path / "results.db", progress=False)
    says = {note.code: note.says for note in runs.notes}
    assert "dummy on iris" in says["no-better-than-baseline"]
    assert "fickle on iris" in says["not-deterministic"]
    assert runs.store.status().extra == 5 + 3
    assert vc.read_runs(tmp_path / "results.db").notes == runs.notes


def test_a_learner_that_is_the_baseline_is_fitted_once():
    plan = study(learners={"dummy": DummyClassifier(strategy="prior")}, checks="baseline").plan().plan
    assert (len(plan), len(plan.extra)) == (5, 0)


class Fickle(GaussianNB):
    """Depends on something that no seed rules."""

    def fit(self, features, target, sample_weight=None):
        noise = (time.time_ns() % 1_000_003) / 1_000_003
        return super().fit(features + noise * features**2, target)


def test_classes_and_numbers_in_one_study(tmp_path):
    features, target = load_diabetes(return_X_y=True)
    both = study(
        data={"iris": (X, Y), "diabetes": (features, target)},
        learners={"nb": GaussianNB(), "line": LinearRegression()},
        by="kfold(k=3)",
    )
    est = vc.estimate(both.run(tmp_path / "results.db", progress=False), ["error", "rmse"])
    assert est["iris", "nb", "error"].failed == 0 and est["diabetes", "line", "rmse"].value < 60
    assert {row.data for row in est if row.score == "error"} == {"iris"}
    assert [note.code for note in est.notes if note.code == "left-out"] == ["left-out"] * 2


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"data": {}}, "at least one data set"),
        ({"learners": {}}, "one learner"),
        ({"checks": "everything"}, "there is no check called 'everything'"),
        ({"data": {"iris": 3}}, "the data set 'iris' is a int"),
        ({"data": {"iris": {"target": "y"}}}, "no file is named"),
        ({"seed": True}, "seed is a whole number"),
    ],
)
def test_wrong_studies_are_told(wrong, says):
    with pytest.raises(vc.BadInput, match=says):
        study(**wrong)
