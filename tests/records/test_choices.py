"""Choices of splits, read from what a store keeps."""

import json
import math

import pytest

from veracity.core.errors import BadInput
from veracity.records.choices import Choices


def ours(c, inner):
    return json.dumps({"params": {"C": c}, "inner": inner, "score": "error", "by": "kfold(k=5)"})


def test_counts_share_and_flat_score():
    chosen = Choices.read("logit", "data", "kfold(k=4)", [ours(1, 0.1), "", ours(10, 0.2), ours(1, 0.3)])
    assert chosen.counted == (("C=1", 2), ("C=10", 1))
    assert chosen.share == pytest.approx(2 / 3) and chosen.flat == pytest.approx(0.2) and chosen.score == "error"
    assert [one.split for one in chosen] == [0, 2, 3]
    assert repr(chosen) == "logit on data by kfold(k=4), 3 splits: C=1 in 2; C=10 in 1"


def test_learners_of_others_keep_their_parameters_alone():
    chosen = Choices.read("grid", "data", "holdout", ['{"n_neighbors": 5}'])
    assert chosen.counted == (("n_neighbors=5", 1),) and math.isnan(chosen.flat) and chosen.score == ""


def test_a_learner_that_chose_nothing():
    with pytest.raises(BadInput, match="nb chose nothing in any split"):
        Choices.read("nb", "data", "holdout", ["", ""])
