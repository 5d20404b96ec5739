"""A study with a learner that cannot have one of its scores, as typed: cautions first, then all other cells."""

import pytest

STUDY = """
seed = 7
by = "kfold(k=3)"
scores = ["log_loss", "error"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
[learners]
svc = "sklearn.svm:LinearSVC"
nb = "sklearn.naive_bayes:GaussianNB"
near = "sklearn.neighbors:NearestCentroid"
[questions]
compare = { score = "error", pairs = [["nb", "near"]] }
rank = { score = "error", using = "five_by_two_f" }
"""


@pytest.fixture
def ran(here, run):
    (here / "study.toml").write_text(STUDY)
    return run("run", "study.toml", "--store", "results.db")


def test_cautions_come_before_the_fits_and_all_other_cells_after(ran, run, said):
    assert ran.exit_code == 0
    first, second, *_ = ran.stderr.splitlines()
    assert first.startswith("caution: log_loss needs probabilities, but svc")
    assert second.startswith("caution: the question rank cannot be answered: this test reads five repeats of two folds")
    assert "undefined" in ran.stdout and ran.stdout.count("svc") >= 4
    for found in (said("run", "study.toml"), said("estimate", "results.db", "log_loss", "error")):
        cells = found["estimates"]["wine"]
        assert cells["svc"]["log_loss"]["value"] is None and cells["nb"]["log_loss"]["value"] > 0
        assert 0 <= cells["svc"]["error"]["value"] < 1
    codes = [note["code"] for note in said("run", "study.toml")["notes"]]
    assert codes[:2] == ["score-undefined", "not-answerable"]


def test_a_comparison_of_a_store_is_made_on_each_data_set(ran, run, said):
    rows = said("compare", "results.db", "error", "--pair", "nb,near")["comparisons"]
    assert [row["data"] for row in rows] == ["iris", "wine"]
    page = said("report", "results.db")
    assert [row["data"] for row in page["comparisons"]] == ["iris", "wine"]
    assert not any(note["code"] == "not-answered" and "compare" in note["says"] for note in page["notes"])
    assert run("report", "results.db", "--out", "page.html").exit_code == 0


def test_where_no_score_can_be_had_nothing_is_fitted(here, run):
    alone = STUDY.split("[questions]")[0].replace('nb = "sklearn.naive_bayes:GaussianNB"\n', "")
    alone = alone.replace('near = "sklearn.neighbors:NearestCentroid"\n', "").replace('"log_loss", "error"', '"brier"')
    (here / "study.toml").write_text(alone)
    told = run("run", "study.toml", "--store", "results.db")
    assert (told.exit_code, told.stdout) == (2, "") and told.stderr.count("\n") == 1
    assert "nothing was fitted, as no learner can have any of the scores: brier needs probabilities" in told.stderr
    assert not (here / "results.db").exists()
