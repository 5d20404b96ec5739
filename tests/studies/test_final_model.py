"""The model of all rows carries the estimates that refer to it."""

import json
import pickle

from sklearn.datasets import load_diabetes, make_classification
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import veracity as vc

TWO = make_classification(90, 5, flip_y=0.2, random_state=3)


def test_it_is_the_estimate_of_the_score_tuned_by():
    knn = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [5, 9]}, by="kfold(k=3)", score="brier")
    runs = vc.evaluate({"knn": knn, "nb": GaussianNB()}, *TWO, by="kfold(k=3)", name="two")
    told = runs.final("knn").estimate_
    row = vc.estimate(runs, "brier")["knn"]
    assert told["data"] == "two" and told["learner"] == "knn" and set(told["scores"]) == {"brier"}
    assert told["scores"]["brier"] == row.of_learner()
    assert "few-splits" in {note["code"] for note in told["notes"]}
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert set(runs.final("nb").estimate_["scores"]) == {"error"}


def test_every_score_of_the_study_by_every_design(tmp_path):
    learners = {"nb": GaussianNB(), "svc": LinearSVC()}
    study = vc.Study({"two": TWO}, learners, ["kfold(k=3)", "holdout(test=0.3)"], scores=["error", "log_loss"])
    runs = study.run(tmp_path / "r.db", progress=False)
    names = [f"{score} by {by}" for score in ("error", "log_loss") for by in ("kfold(k=3)", "holdout(test=0.3)")]
    assert sorted(runs.final("nb").estimate_["scores"]) == sorted(names)
    told = runs.final("svc").estimate_
    assert sorted(told["scores"]) == sorted(names[:2])
    assert any("log_loss: needs probabilities, but svc has" in note["says"] for note in told["notes"])


def test_numbers_and_a_model_that_needs_no_veracity():
    runs = vc.evaluate(Ridge(), *load_diabetes(return_X_y=True), by="kfold(k=3)")
    model = runs.final()
    assert type(model) is Ridge and model.estimate_["scores"]["rmse"]["value"] > 0
    assert b"veracity" not in pickle.dumps(model)
