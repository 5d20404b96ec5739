"""What one learner cannot have costs its cells alone: every verb shows all the others."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import veracity as vc

GOOD = {"nb": GaussianNB(), "logistic": LogisticRegression(), "knn": KNeighborsClassifier(15, weights="distance")}


class Fails(ClassifierMixin, BaseEstimator):
    """Cannot be fitted."""

    def fit(self, features, target):
        raise ValueError("not today")

    def predict(self, features):
        return np.zeros(len(features))


def table(seed):
    random = np.random.default_rng(seed)
    y = np.arange(60) % 3
    return random.normal(size=(60, 2)) + y[:, None], y


def study(tmp_path, learners, number=3, **more):
    tables = {f"d{i}": table(i) for i in range(number)}
    return vc.Study(data=tables, learners=learners, by="kfold(k=3)", seed=1, **more).run(tmp_path / "results.db")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return study(tmp_path_factory.mktemp("undefined"), {**GOOD, "svc": LinearSVC()}, scores=["brier", "error"])


def test_estimates_have_one_undefined_cell_for_each_that_cannot_be_had(runs):
    found = vc.estimate(runs, ["brier", "error"])
    assert len(found.rows) == 3 * 4 * 2
    undefined = [row for row in found if np.isnan(row.value)]
    assert {(row.learner, row.score.split("(")[0]) for row in undefined} == {("svc", "brier")} and len(undefined) == 3
    assert "svc has no predict_proba" in undefined[0].value.reason
    alone = vc.estimate(runs, "error")
    assert [row.value for row in alone] == [row.value for row in found if row.score == "error"]
    shape = json.loads(json.dumps(found.to_json()))["estimates"]["d0"]
    assert shape["svc"]["brier"]["value"] is None and shape["nb"]["brier"]["value"] > 0


def test_a_score_that_nobody_can_have_is_refused(tmp_path):
    runs = study(tmp_path, {"svc": LinearSVC()}, 1)
    with pytest.raises(vc.BadInput, match="brier needs probabilities, but svc has no predict_proba"):
        vc.estimate(runs, "brier")
    assert vc.estimate(runs, ["brier", "error"])["error"].value < 0.5


def test_a_score_for_no_data_set_is_left_out_beside_others(runs):
    found = vc.estimate(runs, ["error", "rmse"])
    assert {row.score for row in found} == {"error"}
    assert [note.weight for note in found.notes if note.code == "left-out"] == ["caution"]
    with pytest.raises(vc.BadInput, match="rmse is for numbers"):
        vc.estimate(runs, "rmse")


def test_an_interval_that_some_scores_cannot_have_costs_that_interval(runs):
    found = vc.estimate(runs, ["error", "brier"], interval="corrected_t")
    assert found["d0", "nb", "error"].interval is not None and np.isnan(found["d0", "svc", "brier"].value)
    alone = vc.evaluate(GOOD, *table(0), by=["kfold(k=3)", "holdout"], seed=1)
    two = vc.estimate(alone, "error", interval="corrected_t")
    cell = two["nb", alone.designs[1]]
    assert cell.value >= 0 and cell.interval is None
    assert any(note.code == "no-interval" and note.weight == "caution" for note in cell.notes)


def test_a_ranking_leaves_out_who_has_no_score(runs):
    found = vc.rank(runs, "brier")
    assert set(found.average_ranks) == set(GOOD)
    (note,) = [note for note in found.all_notes if note.code == "not-ranked"]
    assert note.weight == "caution" and note.says.startswith("svc has no brier and is left out: brier needs prob")


@pytest.mark.parametrize("using", [None, "corrected_t"])
def test_a_learner_that_failed_everywhere_is_not_ranked(tmp_path, using):
    runs = study(tmp_path, {**GOOD, "bad": Fails()})
    found = vc.rank(runs, "error", using=using)
    assert "bad" not in found.matrix.learners and len(found.matrix.learners) == 3
    assert any(note.code == "not-ranked" and "not today" in note.says for note in found.notes)


def test_who_was_left_out_is_named_where_too_few_are_left(tmp_path):
    runs = study(tmp_path, {"nb": GaussianNB(), "knn": KNeighborsClassifier(), "bad": Fails()})
    with pytest.raises(vc.Refused, match=r"three learners or more.*bad has no error and is left out"):
        vc.rank(runs, "error")


def test_the_page_of_a_study_with_undefined_cells(runs):
    material = vc.report(runs).material
    assert material.ranking is not None and set(material.ranking.average_ranks) == set(GOOD)
    assert {strip.learner for strip in material.strips} == set(GOOD)
    assert len(material.estimates.rows) == 24


def test_few_data_sets_are_compared_on_each_and_a_pair_that_cannot_be_costs_itself(runs):
    found = vc.compare(runs, "brier")
    assert len(found) == 3 * 3 and "svc" not in {name for row in found for name in (row.a, row.b)}
    lost = [note for note in found.notes if note.code == "not-compared"]
    assert [note.says.partition(", but")[0] for note in lost] == [
        "svc could not be compared on d0, d1, d2: brier needs probabilities"
    ]
    with pytest.raises(vc.BadInput, match="svc has no predict_proba"):
        vc.compare(runs, "brier", pairs=[("nb", "svc")])


def test_questions_of_a_study_are_answered_on_each_data_set(runs):
    asked = {"compare": {"score": "error", "pairs": [["nb", "knn"]]}}
    material = vc.report(runs, "error", questions=asked).material
    assert [(row.data, row.a, row.b) for row in material.comparisons] == [(f"d{i}", "nb", "knn") for i in range(3)]
    assert not any(note.code == "not-answered" for note in material.notes)
    assert "pairs" in material.answer


def test_pairs_of_a_learner_that_failed_everywhere_are_no_part_of_the_family(tmp_path):
    """They would make every other adjusted p-value larger, though nobody could ever test them."""
    runs = study(tmp_path, {**GOOD, "bad": Fails()})
    found, without = vc.compare(runs, "error"), vc.compare(runs.only(learners=list(GOOD)), "error")
    assert [row.adjusted_p_value for row in found] == [row.adjusted_p_value for row in without]
    (lost,) = (note.says for note in found.notes if note.code == "not-compared")
    assert lost.startswith("bad could not be compared on d0, d1, d2: no split of bad succeeded")
    assert any(note.says == "9 comparisons are one family, adjusted by holm" for note in found.notes)
    several = vc.compare(runs, ["error", "brier"])
    assert any(note.says.startswith("18 comparisons are one family") for note in several.notes)
