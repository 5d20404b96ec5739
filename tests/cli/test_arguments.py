"""Which words are files and which are scores."""

import pytest

from veracity.cli.arguments import told_apart
from veracity.core.errors import BadInput


@pytest.mark.parametrize("word", ["a.csv", "-", "x/y.parquet", "models/*.csv", "*.tsv", "runs", "./error", "a b.csv"])
def test_files(here, word):
    (here / "runs").write_text("")
    assert told_apart(["error", word]) == ([word], ["error"])


@pytest.mark.parametrize("word", ["auc", "fbeta(beta=2)", "cost(matrix=[[0,1],[5,0]])", "acu", "error", "fbeta(2"])
def test_scores(here, word):
    (here / "error").write_text("")  # a file of a score's name is meant only by ./error
    assert told_apart(["a.csv", word]) == (["a.csv"], [word])


def test_each_is_named_once():
    assert told_apart(["a.csv", "auc", "auc"]) == (["a.csv"], ["auc"])
    with pytest.raises(BadInput, match=r"a\.csv is named twice: name each file once"):
        told_apart(["a.csv", "auc", "a.csv"])


def test_no_file_at_all():
    with pytest.raises(BadInput, match="name a file of predictions, such as"):
        told_apart(["auc"])
    with pytest.raises(BadInput, match="'preds' is neither a file here nor a score"):
        told_apart(["auc", "preds"])
