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


def test_a_score_that_nothing_fitted_can_have_leaves_the_run_standing(here, run, said):
    """A search has probabilities if what it searches has them, which only its fit can tell."""
    text = """
        seed = 7
        by = "kfold(k=3)"
        scores = ["log_loss"]
        [data]
        iris = "sklearn:load_iris"
        [learners]
        svc = { use = "here:Search" }
        """
    (here / "here.py").write_text(
        "from sklearn.model_selection import GridSearchCV\nfrom sklearn.svm import LinearSVC\n\n\n"
        "class Search(GridSearchCV):\n    def __init__(self, estimator=LinearSVC(), param_grid={'C': [1.0]}):\n"
        "        super().__init__(estimator, param_grid, cv=2)\n"
    )
    (here / "study.toml").write_text(text)
    ended = run("run", "study.toml", "--store", "results.db", "--trust-here")
    assert ended.exit_code == 0, ended.stderr
    assert "3 stored, 0 failed" in ended.stdout and "log_loss needs probabilities, but svc has no" in ended.stdout
    assert said("run", "study.toml", "--store", "results.db", "--trust-here")["estimates"] == {}


def test_a_ranking_takes_its_score_as_other_verbs_do(ran, run, said):
    assert said("rank", "results.db", "error") == said("rank", "results.db", "--score", "error")
    for words in (("error", "log_loss"), ("error", "--score", "log_loss")):
        asked = run("rank", "results.db", *words)
        says = "error: learners are ranked by one score, and 2 are named: error, log_loss"
        assert (asked.exit_code, asked.stderr.strip()) == (2, says)
    assert "'nothing' is neither a file here nor a score" in run("rank", "nothing").stderr
