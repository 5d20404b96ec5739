"""Parquet columns of every type against what pyarrow wrote, and broken files."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest

from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns


def written(tmp_path, table, **options):
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", **options)
    return tmp_path / "a.parquet"


def said(path, names=("y",)) -> str:
    with pytest.raises(BadInput) as caught:
        read_columns(path, list(names))
    assert len(str(caught.value)) < 600
    return str(caught.value).replace(str(path.parent) + "/", "")


@pytest.mark.parametrize(
    ("cells", "kind", "dtype"),
    [
        ([1, 0], pyarrow.int8(), "int8"),
        ([1, 2**63 - 1], pyarrow.int64(), "int64"),
        ([1, 2**64 - 1], pyarrow.uint64(), "uint64"),
        ([0.1, 2.5], pyarrow.float64(), "float64"),
        ([0.5, 2.5], pyarrow.float32(), "float32"),
        ([True, False], pyarrow.bool_(), "bool"),
        (["a", "01"], pyarrow.string(), "O"),
        (["a", "b"], pyarrow.dictionary(pyarrow.int32(), pyarrow.string()), "O"),
    ],
)
def test_columns_keep_their_types(tmp_path, cells, kind, dtype):
    found = read_columns(written(tmp_path, pyarrow.table({"y": pyarrow.array(cells, kind)})), ["y"])["y"]
    assert found.dtype == np.dtype(dtype)
    assert found.tolist() == cells


def test_decimals_are_numbers_and_dates_are_text(tmp_path):
    table = pyarrow.table({"y": [decimal.Decimal("1.25")], "d": [datetime.date(2020, 1, 31)]})
    found = read_columns(written(tmp_path, table), ["y", "d"])
    assert (found["y"].tolist(), found["d"].tolist()) == ([1.25], ["2020-01-31"])


def test_missing_cells(tmp_path):
    table = pyarrow.table({"y": [1, None], "s": [None, 0.5], "t": ["a", None], "b": [True, None]})
    found = read_columns(written(tmp_path, table))
    assert {name: found[name].tolist() for name in "ytb"} == {"y": [1, None], "t": ["a", None], "b": [True, None]}
    assert np.isnan(found["s"][0])
    assert found.missing == {"y": 1, "s": 0, "t": 1, "b": 1}


def test_names_that_clash(tmp_path):
    table = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2]), pyarrow.array([3])], ["y", "Y", "z z"])
    path = written(tmp_path, table)
    assert [read_columns(path, [name])[name].tolist() for name in ("y", "Y", "z z")] == [[1], [2], [3]]
    twice = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], ["y", "y"])
    assert said(written(tmp_path, twice)) == "a.parquet has 2 columns called 'y': rename all but one"


def test_columns_beside_nested_ones(tmp_path):
    table = pyarrow.table({"n": [{"a": [1, 2], "y": 3}], "y": [7], "l": [[1, 2]]})
    path = written(tmp_path, table)
    assert read_columns(path, ["y"])["y"].tolist() == [7]
    assert said(path, ["l"]).startswith("a.parquet, column l is of type ")
    assert said(path, ["n"]).startswith("a.parquet, column n is of type ")


def test_broken_files(tmp_path):
    path = written(tmp_path, pyarrow.table({"y": np.arange(10_000), "s": np.random.default_rng(0).random(10_000)}))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert said(path).startswith("a.parquet is a broken Parquet file: ")
    path.write_bytes(b"PAR1" + b"x" * 1000 + b"PAR1")
    assert said(path).startswith("a.parquet is a broken Parquet file: ")
    path.write_bytes(whole[:40] + b"\xff" * 2000 + whole[2040:])
    assert said(path).startswith("a.parquet is a broken Parquet file: ")
    path.write_bytes(b"y,s\n1,2\n")
    assert said(path) == "a.parquet is not a Parquet file: it does not start with the bytes PAR1"


def test_no_rows(tmp_path):
    assert said(written(tmp_path, pyarrow.table({"y": pyarrow.array([], pyarrow.int64())}))) == (
        "a.parquet has columns but no rows"
    )


def test_a_huge_cell(tmp_path):
    path = written(tmp_path, pyarrow.table({"y": ["a", "b", "x" * 10_000_000]}))
    assert said(path) == "a.parquet, column y: row 3 holds a cell of more than 131,072 characters"


def test_dotted_names_lead_inside_records(tmp_path):
    frame = pandas.DataFrame(
        {"doc": [{"y": 1, "meta": {"p": "a"}, "of": [1, 2]}, {"y": 0, "meta": {"p": "b"}, "of": [3]}], "a.b": [5, 6]}
    )
    frame.to_parquet(tmp_path / "a.parquet")
    found = read_columns(tmp_path / "a.parquet", ["doc.y", "doc.meta.p", "a.b"])
    assert {name: cells.tolist() for name, cells in found.items()} == {
        "doc.y": [1, 0],
        "doc.meta.p": ["a", "b"],
        "a.b": [5, 6],
    }
    for name, sentence in {
        "doc.z": "a.parquet has no column 'doc.z': there are 'doc.y', ",
        "doc.y.z": "a.parquet has no column 'doc.y.z': there are 'doc.y', ",
        "doc.of": "a.parquet, column doc.of is of type BIGINT[]: a column of numbers",
        "doc.of.0": "a.parquet has no column 'doc.of.0': there are ",
        "doc": "a.parquet, column doc is of type STRUCT(",
    }.items():
        with pytest.raises(BadInput) as caught:
            read_columns(tmp_path / "a.parquet", [name])
        assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(sentence)
