"""What a name that is not there may have meant."""

import pytest

from veracity.core.index import index, own_name, whereabouts
from veracity.core.nearest import nearest, offer

HERE = ("accuracy", "auc", "fbeta", "jaccard", "log_loss", "mcc", "recall")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("AUC", "auc"), ("log-loss", "log_loss"), ("log loss", "log_loss"), ("acc", "accuracy"), ("acuracy", "accuracy")],
)
def test_the_first_is_what_was_meant(typed, meant):
    assert nearest(typed, HERE)[0] == meant


def test_nothing_comes_close():
    assert nearest("zzzz", HERE) == []
    assert offer("zzzz", HERE) == "there are accuracy, auc, fbeta, jaccard, log_loss, mcc, recall"


@pytest.mark.parametrize(
    ("kind", "typed", "own"),
    [("scores", "Sensitivity", "recall"), ("comparisons", "sign test", "sign"), ("estimators", ".632+", "boot632plus")],
)
def test_the_file_of_names_knows_other_names(kind, typed, own):
    assert own_name(kind, typed) == own
    assert own_name("curves", typed) is None


def test_a_word_of_another_catalogue_is_told_where_it_is():
    from veracity.core.words import sentence

    assert "a test, using='mcnemar'" in sentence(offer("McNemar", HERE))
    assert "an adjustment of p-values, then='holm'" in sentence(" and ".join(whereabouts("holm")))
    assert all(whereabouts(name) for methods in index().values() for name in methods)
