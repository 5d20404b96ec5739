"""Matrices of scores from arrays, lists, frames and split scores."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import veracity as vc

COLUMNS = {"data": ["iris", "wine", "glass"], "nb": [0.9, 0.8, 0.7], "tree": [0.8, 0.9, None]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_the_first_column_of_text_names_data_sets(make):
    m = vc.score_matrix(make(COLUMNS))
    assert m.datasets == ("iris", "wine", "glass") and m.learners == ("nb", "tree")
    assert m.values[:2].tolist() == [[0.9, 0.8], [0.8, 0.9]] and m.missing == 1


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_whole_numbers_with_a_gap_are_no_text(make):
    m = vc.score_matrix(make({"nb": [9, 8, None], "tree": [8, 9, 7]}))
    assert m.datasets == ("data 1", "data 2", "data 3") and m.missing == 1


def test_arrays_and_lists_get_names():
    m = vc.score_matrix([[1, 2], [3, 4]])
    assert m.learners == ("learner 1", "learner 2") and m.datasets == ("data 1", "data 2")
    named = vc.score_matrix(np.ones((2, 2)), ["a", "b"], ["x", "y"], better="lower")
    assert (named.learners, named.datasets, named.better) == (("a", "b"), ("x", "y"), "lower")


def test_the_caller_may_change_the_own_array():
    own = np.ones((3, 2))
    m = vc.score_matrix(own)
    own[0, 0] = 9
    assert m.values[0, 0] == 1 and not m.values.flags.writeable


def test_split_scores_by_data_set_are_kept():
    tables = {
        name: vc.split_scores({"a": [0.1, 0.3], "b": [0.2, 0.2]}, train=9, test=1, better="lower") for name in "xy"
    }
    m = vc.score_matrix(tables)
    assert m.values.tolist() == [[0.2, 0.2]] * 2 and m.better == "lower" and m.datasets == ("x", "y")
    assert m.splits[0][1].values.tolist() == [0.2, 0.2]
    other = {**tables, "z": vc.split_scores({"a": [0.1], "c": [0.2]}, train=9, test=1)}
    with pytest.raises(vc.BadInput, match="split scores on z are of other learners"):
        vc.score_matrix(other)


BAD = [
    (([[1], [2]],), {}, "two learners or more"),
    (([1, 2],), {}, "one row per data set"),
    (([[1, 2], [3]],), {}, "not all of the same length"),
    (([["x", 2]],), {}, "which is not a number"),
    (([],), {}, "one row per data set"),
    (([[1, 2]], ["a"]), {}, "2 learners but 1 names"),
    (([[1, 2]], None, ["x", "y"]), {}, "1 data sets but 2 names"),
    (([[1, 2]], ["a", "a"]), {}, "two learners are called 'a'"),
    (([[1, 2]],), {"better": "up"}, "'higher' or 'lower'"),
    (({"data": ["x"], "more": ["y"], "a": [1.0]},), {}, "column more holds text"),
    (({"data": ["x"]},), {}, "no column of scores"),
    ((3,), {}, "cannot read columns from int"),
]


@pytest.mark.parametrize(("given", "how", "says"), BAD)
def test_what_is_wrong_is_said(given, how, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.score_matrix(*given, **how)


def test_missing_cells_are_left_out_and_told():
    m = vc.score_matrix([[0.9, 0.8]] * 7 + [[np.nan, 0.3]])
    found = vc.compare(m)
    assert found.p_value == 2 / 2**7
    assert "1 of 8 data sets did not count" in found.notes[0].says
    with pytest.raises(vc.Refused, match="one data set"):
        vc.compare(vc.score_matrix([[np.nan, 0.8], [0.7, np.nan]]))


@pytest.mark.parametrize(
    ("score", "asked", "better"),
    [
        ("error", None, "lower"),
        ("f1", None, "higher"),
        ("rmse", None, "lower"),
        ("share of jam", None, "higher"),
        ("error", "higher", "higher"),
        ("score", "lower", "lower"),
    ],
)
def test_the_better_side_is_known_from_the_score(score, asked, better):
    values = np.random.default_rng(0).random((8, 3))
    assert vc.score_matrix(values, score=score, better=asked).better == better
    assert vc.rank(values, score, better=asked).matrix.better == better
    ready = {"a": values[:, 0], "b": values[:, 1]}
    assert vc.split_scores(ready, train=70, test=10, score=score, better=asked).better == better
