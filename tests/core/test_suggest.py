"""What a name that is not there may have meant."""

import pytest

from veracity.core.index import index, own_name, whereabouts
from veracity.core.suggest import nearest, offer
from veracity.core.words import for_command_line

HERE = ("accuracy", "auc", "fbeta", "jaccard", "log_loss", "mcc", "recall")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("AUC", "auc"), ("log-loss", "log_loss"), ("log loss", "log_loss"), ("acc", "accuracy"), ("acuracy", "accuracy")],
)
def test_the_first_is_what_was_meant(typed, meant):
    assert nearest(typed, HERE)[0] == meant


def test_nothing_comes_close():
    assert nearest("zzzz", HERE) == []
    said = for_command_line(offer("zzzz", HERE))
    assert said.startswith("there are accuracy, auc, fbeta, jaccard, log_loss, mcc, recall; veracity explain zzzz ")


def test_many_names_are_not_all_told():
    names = index()["scores"]
    said = for_command_line(offer("zzzz", names))
    assert said.startswith(f"veracity list scores shows all {len(names)}; ") and len(said) < 120
    assert offer("zzzz", names).startswith(f"`vc.catalogue('scores')` shows all {len(names)}; ")
    assert offer("specificty", names).startswith("did you mean specificity? ")
    assert offer("f1scre", names).startswith("did you mean fbeta? ")  # by what others call it


def test_what_comes_less_near_is_not_named_beside_what_does():
    assert nearest("specificty", index()["scores"]) == ["specificity"]


@pytest.mark.parametrize(
    ("kind", "typed", "own"),
    [("scores", "Sensitivity", "recall"), ("comparisons", "sign test", "sign"), ("estimators", ".632+", "boot632plus")],
)
def test_the_file_of_names_knows_other_names(kind, typed, own):
    assert own_name(kind, typed) == own
    assert own_name("curves", typed) is None


def test_a_word_of_another_catalogue_is_told_where_it_is():
    assert "a test, `using='mcnemar'`" in offer("McNemar", HERE)
    assert "an adjustment of p-values, `then='holm'`" in " and ".join(whereabouts("holm"))
    assert all(whereabouts(name) for methods in index().values() for name in methods)
