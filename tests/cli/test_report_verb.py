"""`veracity report` of a file of predictions."""

import pytest

MODELS = ("--truth", "y", "--label", "yhat", "--label", "other")


def test_the_page_of_one_model(run, here):
    result = run("report", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam", "--out", "page.html")
    assert (result.exit_code, result.stdout) == (0, "")
    page = (here / "page.html").read_text()
    assert "Scores of predictions" in page and "auc" in page and 'id="comparisons"' not in page


def test_the_page_of_several_models_compares_them(run, here, said):
    assert run("report", "preds.csv", *MODELS, "--title", "Ours and theirs").exit_code == 0
    page = (here / "report.html").read_text()
    assert "Ours and theirs" in page and "mcnemar_midp" in page
    again = run("report", "preds.csv", *MODELS, "error")
    assert again.exit_code == 0 and "report.html was here and is replaced: --out names another file" in again.stderr
    found = said("report", "preds.csv", *MODELS, "error")
    (pair,) = found["comparisons"]
    alone = said("compare", "preds.csv", *MODELS, "error")
    assert pair == alone and set(found["estimates"]["models"]) == {"yhat", "other"}
    assert found["ranking"] is None and found["failed"] == []


def test_it_is_the_page_that_score_writes(run, here):
    words = ("preds.csv", *MODELS, "error", "--level", "0.9")
    assert run("report", *words, "--out", "a.html").exit_code == run("score", *words, "--out", "b.html").exit_code == 0
    assert (here / "a.html").read_text() == (here / "b.html").read_text()


def test_models_that_cannot_be_compared_cost_the_comparison_alone(said):
    found = said("report", "preds.csv", *MODELS, "--scores", "precision", "--positive", "spam", "--groups", "g")
    assert len(found["comparisons"]) + sum(note["code"] == "not-answered" for note in found["notes"]) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("preds.csv",), "preds.csv is no store: to report predictions, name the column with the truth"),
        (("preds.csv", *MODELS, "--data", "x"), "--data chooses from the results of a study"),
        (("preds.csv", *MODELS, "--store", "x.db"), "--store says where the results of a study file are"),
        (("absent.csv", *MODELS), "absent.csv"),
    ],
)
def test_wrong_calls_are_one_sentence(run, words, says):
    result = run("report", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr and result.stderr.count("\n") == 1
