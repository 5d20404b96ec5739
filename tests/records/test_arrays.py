"""Columns in every container, and what cannot be one."""

from collections import deque
from itertools import count

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import rankdata

import veracity as vc
from veracity.records.arrays import as_array, as_numbers, mid_ranks, power_sums

TRUTH, SAID = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]
RANKED = (0.0, -0.0, 1.0, 2.5, 1e-300, np.inf, -np.inf, np.nan)


@pytest.mark.parametrize(
    "hold",
    [
        list, tuple, np.array, deque, pd.Series, pd.Categorical, pa.array, pl.Series,
        lambda column: memoryview(np.array(column)),
        lambda column: dict(enumerate(column)).values(),
        lambda column: np.ma.array(column),
        lambda column: pd.Series(column, dtype="Int64"),
        lambda column: np.array(column, object),
    ],
)  # fmt: skip
def test_a_column_is_the_same_in_every_container(hold):
    assert vc.score(vc.predictions(hold(TRUTH), label=hold(SAID)), "error") == 0.2


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (iter(TRUTH), "truth is a list_iterator, which can be read only once: give it as list"),
        (count(), "can be read only once"),
        (sparse.csr_matrix(np.eye(5)), "sparse array: give csr_matrix.toarray"),
        (np.arange(5) + 1j, "not of type complex128"),
        ([[1], [2], [3, 4], [5], [6]], "not all of the same length"),
        ([0, [1], 1, 0, 1], "not all of the same length"),
        (np.array([0, {"a": 1}, 1, 0, 1], object), "row 1 holds a dict, which is no label"),
        (np.array([frozenset(), 1, 1, 0, 1], object), "row 0 holds a frozenset, which is no label"),
        (np.array(3), "one value per row is needed, in a list or an array"),
        ("abcde", "one value per row is needed"),
        (None, "give the truth, `y=`, or what is known of each row already"),
        ({1, 2}, "one value per row is needed"),
        (np.zeros((5, 1, 1)), r"not an array of shape \(5, 1, 1\)"),
        (["a", float("nan"), "b", "a", "a"], "row 1 holds no label"),
        (np.ma.array(TRUTH, mask=[0, 0, 1, 0, 0]), "row 2 holds no label"),
        (np.array(["2024-01-01", "NaT", "NaT", "NaT", "NaT"], "datetime64[D]"), "row 1 holds no label"),
    ],
)
def test_what_is_no_column_of_labels_is_said(column, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.predictions(column, label=SAID)


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ([1, 2 + 1j], "not complex ones"),
        (np.array(["2024-01-01"], "datetime64[D]"), "not dates"),
        ([1.0, "x"], "row 1 holds 'x', which is not a number"),
        ([10**400, 1], "row 0 holds a number too large"),
        ([[1, 2], ["a", 3]], "row 1 holds"),
    ],
)
def test_what_is_no_column_of_numbers_is_said(column, says):
    with pytest.raises(vc.BadInput, match=says):
        as_numbers(column, "x")


def test_no_value_changes_on_the_way():
    assert as_array([1, "1", 1.5]).tolist() == [1, "1", 1.5]  # numpy makes texts of all
    assert as_array([2**63, 2**63 + 1, -1]).tolist() == [2**63, 2**63 + 1, -1]  # numpy makes floats, two of them equal
    assert as_numbers(np.ma.array([1.0, 2.0], mask=[0, 1]), "x")[0] == 1.0
    assert np.isnan(as_numbers(np.ma.array([1.0, 2.0], mask=[0, 1]), "x")[1])


def test_whole_numbers_may_name_the_columns_of_a_frame():
    table = np.random.default_rng(0).random((12, 3))
    ranked = vc.rank(pd.DataFrame(table))
    assert ranked.learners == ("0", "1", "2") and list(ranked.average_ranks.values()) == list(
        vc.rank(table).average_ranks.values()
    )
    frame = pd.DataFrame({0: TRUTH, 1: SAID})
    assert vc.score(vc.read_predictions(frame, truth=0, label=1), "error") == 0.2


def test_a_p_value_beyond_64_bits_is_named():
    with pytest.raises(vc.BadInput, match="number 2 is 1"):
        vc.adjust([0.1, 2**64])


def test_optimism_is_of_runs():
    with pytest.raises(vc.BadInput, match="optimism is of runs, not Predictions"):
        vc.optimism(vc.predictions(TRUTH, label=SAID))


def test_a_number_that_is_none_is_missing():
    assert np.isnan(as_numbers([1.0, None], "x")[1])
    with pytest.raises(vc.BadInput, match="row 1 is nan"):
        vc.predictions([1.0, 2.0], number=[1.0, None])


@given(hnp.arrays(float, st.tuples(st.integers(0, 4), st.integers(1, 6)), elements=st.sampled_from(RANKED)))
def test_mid_ranks_are_those_of_scipy(values):
    np.testing.assert_array_equal(mid_ranks(values), rankdata(values, axis=1, nan_policy="omit"))


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_numbers_in_another_machines_order_keep_their_precision(kind):
    """In double precision a single 0.7 would lie below the bin that starts at 0.7."""
    found = as_numbers(np.array([0.7, 0.1], ">" + kind), "x")
    assert found.dtype == np.dtype(kind) and found.tolist() == np.array([0.7, 0.1], kind).tolist()


@pytest.mark.parametrize("size", [0, 1, 50, 20_000])
def test_sums_of_powers(size):
    numbers, weight = np.random.default_rng(0).normal(size=size), np.arange(size) % 3
    assert power_sums(numbers) == pytest.approx([size, *((numbers**k).sum() for k in (1, 2, 3))], abs=1e-8)
    expected = [(weight * numbers**k).sum() for k in range(4)]
    assert power_sums(numbers, weight) == pytest.approx(expected, abs=1e-8)
