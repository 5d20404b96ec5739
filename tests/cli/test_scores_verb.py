"""`veracity scores`, and times wherever a score of runs is typed."""

import csv
import io

import pytest

STUDY = """
seed = 3
by = "repeated_kfold(k=3, repeats=2)"
scores = ["error"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2 }
"""
KEYS = ["data", "learner", "by", "repeat", "fold", "score", "value", "seconds_fit", "seconds_predict"]


@pytest.fixture
def kept(keep):
    return keep(STUDY)


def test_the_shape(kept, said):
    found = said("scores", "kept.db", "error")
    assert list(found) == ["scores", "notes"] and len(found["scores"]) == 24
    assert list(found["scores"][0]) == KEYS
    assert all(0 <= row["value"] <= 1 and row["seconds_fit"] > 0 for row in found["scores"])
    assert said("scores", "study.toml", "--store", "kept.db")["scores"] == found["scores"]


def test_files_by_their_endings(kept, run, said):
    for name in ("s.csv", "s.parquet", "s.arff", "s.json", "s.tex", "s.html", "s.md"):
        assert run("scores", "kept.db", "error", "--out", name).exit_code == 0
        assert (kept / name).stat().st_size > 300
    rows = list(csv.DictReader(io.StringIO((kept / "s.csv").read_text())))
    assert len(rows) == 24 and list(rows[0]) == [*KEYS, "train", "test"]
    means = said("rank", "kept.db", "--score", "error", "--using", "corrected_t")["datasets"]
    for name in ("s.csv", "s.parquet", "s.arff"):
        again = said("rank", name, "--score", "error", "--using", "corrected_t")["datasets"]
        assert again["wine"][0]["p_value"] == pytest.approx(means["wine"][0]["p_value"])


def test_what_a_reader_sees(kept, run):
    text = run("scores", "kept.db", "error", "seconds_fit").stdout
    assert "the first 30 of 48 rows" in text and "standard deviation" in text


def test_bad_input(kept, run):
    for words, says in (
        (["scores", "kept.db", "nonsense"], "nonsense"),
        (["scores", "kept.db", "rmse"], "no data set here has a target"),
        (["scores", "kept.db", "--by", "kfold(k=9)"], "there is no design called"),
        (["scores", "gone.db", "error"], "gone.db"),
        (["scores", "kept.db", "error", "--out", "s.xls"], "ends in '.xls'"),
        (["scores", "preds.csv", "error"], "preds.csv"),
    ):
        result = run(*words)
        assert result.exit_code == 2 and says in result.stderr and "Traceback" not in result.stderr


def test_times_as_scores(kept, said, run):
    found = said("estimate", "kept.db", "seconds_fit", "--deviations")["estimates"]["iris"]["nb"]["seconds_fit"]
    assert found["value"] > 0 and found["low"] is None and found["deviation"] >= 0
    assert said("rank", "kept.db", "--score", "seconds_fit", "--using", "corrected_t")["score"] == "seconds_fit"
    assert "seconds_predict" in run("list", "scores").stdout
    compared = said("compare", "kept.db", "--using", "corrected_t", "seconds_fit")
    assert {one["score"] for one in compared["comparisons"]} == {"seconds_fit"}
    result = run("score", "preds.csv", "--truth", "y", "--label", "yhat", "seconds_fit")
    assert result.exit_code == 2 and "give runs" in result.stderr
