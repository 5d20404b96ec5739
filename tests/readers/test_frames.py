"""Frames of every library, nullable or not, give plain arrays, with the row of what is missing."""

from __future__ import annotations

import datetime

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns

MAKERS = {
    "pandas": pandas.DataFrame,
    "pandas nullable": lambda columns: pandas.DataFrame(columns).convert_dtypes(),
    "pandas arrow": lambda columns: pandas.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": polars.DataFrame,
    "pyarrow": pyarrow.table,
    "mapping of lists": dict,
    "mapping of arrays": lambda columns: {name: np.array(cells) for name, cells in columns.items()},
    "mapping of series": lambda columns: {name: pandas.Series(cells) for name, cells in columns.items()},
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_plain_columns(make):
    columns = {"y": [1, 0, 1], "s": [0.5, 0.25, 1.0], "t": ["a", "01", "a"], "b": [True, False, True]}
    found = read_columns(make(columns), list(columns))
    for name, cells in columns.items():
        assert found[name].tolist() == cells
        assert [type(item) for item in found[name].tolist()] == [type(item) for item in cells]
    assert found.missing == {}
    assert found.source.column("y") == "the frame, column y"


@pytest.mark.parametrize("name", [name for name in MAKERS if "array" not in name])
def test_missing_rows_are_named(name):
    columns = {"y": [1, None, 1], "s": [0.5, 0.25, None], "t": [None, "b", "a"], "b": [True, None, True]}
    found = read_columns(MAKERS[name](columns), list(columns))
    assert found.missing == {"y": 1, "s": 2, "t": 0, "b": 1}
    assert found["t"].tolist() == [None, "b", "a"]
    assert found["b"].tolist() == [True, None, True]


def test_structured_array():
    frame = np.array([(1, 0.5), (0, 0.25)], dtype=[("y", "i8"), ("s", "f8")])
    assert read_columns(frame, ["s"])["s"].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame({"y": pandas.Categorical(["b", "a", None], ["b", "a"])}),
        polars.DataFrame({"y": polars.Series(["b", "a", None], dtype=polars.Categorical)}),
        polars.DataFrame({"y": polars.Series(["b", "a", None], dtype=polars.Enum(["b", "a"]))}),
        pyarrow.table({"y": pyarrow.array(["b", "a", None]).dictionary_encode()}),
    ],
)
def test_categories_are_labels(frame):
    found = read_columns(frame, ["y"])
    assert found["y"].tolist() == ["b", "a", None]
    assert found.missing == {"y": 2}


def test_categories_of_numbers_stay_numbers():
    found = read_columns(pandas.DataFrame({"y": pandas.Categorical([3, 1, 3])}), ["y"])["y"]
    assert found.tolist() == [3, 1, 3]
    assert found.dtype.kind == "i"


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table, dict])
def test_dates_are_text(make):
    cells = [datetime.datetime(2020, 1, 31), datetime.datetime(2020, 2, 1)]
    found = read_columns(make({"y": np.array(cells, "datetime64[us]")}), ["y"])["y"]
    assert all(item.startswith("2020-0") for item in found.tolist())


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (pandas.DataFrame({"x": [1]}), "the frame has no column 'y': there are 'x'"),
        (polars.DataFrame({"y": []}), "the frame has no rows"),
        ({"y": [1, 2], "s": [1]}, "the frame's column y has 2 rows, but s has 1"),
        (pandas.DataFrame([[1, 2]], columns=["y", "y"]), "the frame has two columns of the same name: rename one"),
        (pandas.DataFrame({"y": [1, "a"]}), "the frame, column y: row 1 holds text, but row 0 holds a number"),
        ({"y": [None, True, 0.5]}, "the frame, column y: row 2 holds a number, but row 1 holds true or false"),
        ({"y": np.zeros((2, 2))}, "the frame, column y: one value per row is needed, not shape (2, 2)"),
        ({"y": {"a": 1}}, "the frame, column y: one value per row is needed, not shape ()"),
        (polars.DataFrame({"y": [[1, 2]]}), "the frame, column y is of type List"),
        (pandas.DataFrame({"y": ["a", "x" * 10_000_000]}), "the frame, column y: row 1 holds a cell of more than"),
        (7, "cannot read columns from int: give a file's path, a pandas"),
        (np.zeros(3), "cannot read columns from ndarray"),
    ],
)
def test_sentence(frame, sentence):
    with pytest.raises(BadInput) as caught:
        read_columns(frame, ["y", "s"] if "column y has" in sentence else ["y"])
    assert str(caught.value).startswith(sentence)
    assert len(str(caught.value)) < 600


def test_what_a_mask_hides_is_missing():
    found = read_columns({"x": np.ma.array([1.0, 2.0], mask=[0, 1]), "n": np.ma.array([1, 2], mask=[1, 0])})
    assert found.missing == {"x": 1, "n": 0} and found["n"].tolist() == [None, 2] and found["x"][0] == 1
    days = np.ma.array(np.array(["2024-03-30", "2024-03-31"], "M8[D]"), mask=[0, 1])
    found = read_columns({"t": days, "o": np.ma.array([1, pandas.NA], object)})
    assert found["t"].tolist() == ["2024-03-30", None] and found["o"].tolist() == [1, None]
    assert found.missing == {"t": 1, "o": 1}


def test_cells_of_a_masked_array_are_alike():
    with pytest.raises(BadInput, match="row 1 holds text, but row 0 holds a number"):
        read_columns({"x": np.ma.array([1, "a"], dtype=object)})
