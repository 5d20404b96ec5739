"""The section about learners that tune themselves: there where one does, with the choice of every split."""

import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.reports.page import Grid
from veracity.reports.sections import sections

TWO = make_classification(90, 5, flip_y=0.2, random_state=3)
GRID = {"n_neighbors": [1, 5]}


@pytest.fixture(scope="module")
def page():
    learners = {
        "knn": vc.tuned(KNeighborsClassifier(), GRID, by="kfold(k=3)", score="error"),
        "theirs": GridSearchCV(KNeighborsClassifier(), GRID, cv=3),
        "nb": GaussianNB(),
    }
    runs = vc.evaluate(learners, *TWO, by="repeated_kfold(k=3, repeats=2)", seed=1)
    return runs, vc.report(runs, ["auc", "error"])


def test_the_section_has_the_summary_and_every_split(page):
    runs, made = page
    section = next(one for one in sections(made.material) if one.key == "tuning")
    summary, each = (block.table for block in section.blocks if isinstance(block, Grid))
    assert [row[0] for row in summary.texts] == ["knn", "theirs"]
    assert summary.texts[0][1] == runs.chosen("knn").most
    assert [row[:2] for row in each.texts] == [(name, str(split)) for name in ("knn", "theirs") for split in range(6)]
    assert each.texts[3][2] == f"n_neighbors={runs.chosen('knn').splits[3].params['n_neighbors']}"
    assert ">Tuning</" in made.html


def test_the_nested_estimate_is_of_the_score_tuned_by(page):
    runs, made = page
    own, theirs = made.material.tuning
    assert own.nested == made.material.estimates["knn", "error"] and own.flat == runs.chosen("knn").flat
    assert theirs.nested == made.material.estimates["theirs", "auc"] and theirs.flat != theirs.flat  # not known


def test_json_has_it_as_a_key_of_its_own(page):
    told = page[1].to_json()["tuning"]["data"]
    assert set(told) == {"knn", "theirs"}
    assert [one["split"] for one in told["knn"]["repeated_kfold(k=3, repeats=2)"]["chosen"]] == list(range(6))


def test_it_is_not_there_where_nothing_is_tuned():
    runs = vc.evaluate({"nb": GaussianNB()}, *TWO, by="kfold(k=3)")
    made = vc.report(runs, "error")
    assert "tuning" not in [one.key for one in sections(made.material)] and "tuning" not in made.to_json()
