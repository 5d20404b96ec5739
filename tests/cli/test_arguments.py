"""Which words are files and which are scores."""

import pytest

from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput


@pytest.mark.parametrize("word", ["a.csv", "-", "x/y.parquet", "models/*.csv", "*.tsv", "runs", "./error", "a b.csv"])
def test_files(here, word):
    (here / "runs").write_text("")
    assert split_files_and_scores(["error", word]) == ([word], ["error"])


@pytest.mark.parametrize(
    "word", ["auc", "fbeta(beta=2)", "cost(matrix=[[0,1],[5,0]])", "acu", "error", "fbeta(2", "log loss", "F0.5"]
)
def test_scores(here, word):
    (here / "error").write_text("")  # a file of a score's name is meant only by ./error
    assert split_files_and_scores(["a.csv", word]) == (["a.csv"], [word])


def test_each_is_named_once():
    assert split_files_and_scores(["a.csv", "auc", "auc"]) == (["a.csv"], ["auc"])
    with pytest.raises(BadInput, match=r"a\.csv is named twice: name each file once"):
        split_files_and_scores(["a.csv", "auc", "a.csv"])


def test_scores_in_a_list_with_commas(here):
    assert split_files_and_scores(["a.csv", "accuracy,fbeta(beta=2)", "auc,"]) == (
        ["a.csv"],
        ["accuracy", "fbeta(beta=2)", "auc"],
    )
    (here / "auc,error").write_text("")
    assert split_files_and_scores(["auc,error"]) == (["auc,error"], [])


def test_no_file_at_all():
    with pytest.raises(BadInput, match="name a file of predictions, such as"):
        split_files_and_scores(["auc"])
    with pytest.raises(BadInput, match="'preds' is neither a file here nor a score"):
        split_files_and_scores(["auc", "preds"])
