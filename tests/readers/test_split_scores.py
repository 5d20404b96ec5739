"""Split scores from elsewhere."""

import numpy as np
import pytest

import veracity as vc


def test_run_by_run():
    table = vc.split_scores({"a": range(6), "b": range(6)}, train=20, test=10, k=3, repeats=2, better="lower")
    assert table.learners["a"].repeats.tolist() == [0, 0, 0, 1, 1, 1]
    assert repr(table) == "SplitTable(a, b: 6 splits of score)"
    assert table.better == "lower"


@pytest.mark.parametrize(
    ("how", "repeats"), [({}, [0, 1, 2, 3]), ({"k": 4}, [0] * 4), ({"k": 2}, [0, 0, 1, 1]), ({"repeats": 1}, [0] * 4)]
)
def test_folds_are_said_and_not_guessed(how, repeats):
    table = vc.split_scores({"a": [1, 2, 3, 4], "b": [1, 2, 3, 5]}, train=3, test=1, **how)
    assert table.learners["b"].repeats.tolist() == repeats


def test_sizes_per_split():
    table = vc.split_scores({"a": [0.1, 0.2], "b": [0.1, 0.3]}, train=[8, 7], test=[2, 3])
    assert table.learners["a"].test.tolist() == [2, 3]


BAD = [
    (({"a": [1, 2]},), {}, "two learners or more"),
    (([1, 2],), {}, "two learners or more"),
    (({"a": [1, 2], "b": [1, 2, 3]},), {}, "a has 2 split scores but b has 3"),
    (({"a": [], "b": []},), {}, "one number per split"),
    (({"a": ["x"], "b": [1]},), {}, "scores of a: row 0 holds 'x', which is not a number"),
    (({"a": [1, 2], "b": [1, 2]},), {"k": 3}, "but there are 2 scores"),
    (({"a": [1, 2], "b": [1, 2]},), {"k": 2, "repeats": 2}, "make 4 splits, but there are 2"),
    (({"a": [1, 2], "b": [1, 2]},), {"k": 0}, "k must be at least 1"),
    (({"a": [1, 2], "b": [1, 2]},), {"better": "more"}, "'higher' or 'lower'"),
    (({"a": [1, 2], "b": [1, 2]},), {"train": 0}, "at least one training row"),
    (({"a": [1, 2], "b": [1, 2]},), {"train": [5, 5, 5]}, "2 splits but 3 sizes"),
]


@pytest.mark.parametrize(("given", "how", "says"), BAD)
def test_what_is_wrong_is_said(given, how, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.split_scores(*given, **{"train": 9, "test": 1, **how})


def test_three_learners_are_compared_in_pairs_and_adjusted():
    random = np.random.default_rng(0)
    table = vc.split_scores({name: random.random(10) for name in "abc"}, train=90, test=10, k=10)
    found = vc.compare(table, then="holm")
    assert len(found) == 3 and all(row.adjusted_p_value >= row.p_value for row in found)


@pytest.mark.parametrize("size", [0, np.nan, -3])
def test_a_size_that_is_none(size):
    with pytest.raises(vc.BadInput, match="at least one training row"):
        vc.split_scores({"a": range(6), "b": range(6)}, train=size, test=10)
