"""What a name that is not there may have meant."""

import pytest

from veracity.core.index import names
from veracity.core.nearest import ELSEWHERE, nearest

HERE = ("accuracy", "auc", "fbeta", "jaccard", "log_loss", "mcc", "recall")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("AUC", "auc"), ("log-loss", "log_loss"), ("f1", "fbeta"), ("acc", "accuracy"), ("acuracy", "accuracy")],
)
def test_the_first_is_what_was_meant(typed, meant):
    assert nearest(typed, HERE)[0] == meant


def test_nothing_comes_close():
    assert nearest("zzzz", HERE) == []


def test_names_from_elsewhere_lead_to_scores_and_are_none_themselves():
    assert set(ELSEWHERE.values()) <= set(names("scores"))
    assert not set(ELSEWHERE) & set(names("scores"))
