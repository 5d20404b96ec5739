"""JSON lines: exact keys, one type per column, and the row of what is wrong."""

from __future__ import annotations

import json

import pytest

from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns


def written(tmp_path, *lines):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (tmp_path / "a.jsonl").write_text(text + "\n", encoding="utf-8", errors="surrogateescape")
    return tmp_path / "a.jsonl"


def said(path, names=("y",)) -> str:
    with pytest.raises(BadInput) as caught:
        read_columns(path, list(names))
    assert len(str(caught.value)) < 600
    return str(caught.value).replace(str(path.parent) + "/", "")


@pytest.mark.parametrize(
    "cells", [[1, -2], [1.5, 2.0], [True, False], ["1", "a"], ["2020-01-01", "x\ny"], ['say "so"', "ü"]]
)
def test_types(tmp_path, cells):
    found = read_columns(written(tmp_path, *({"y": cell} for cell in cells)), ["y"])["y"].tolist()
    assert found == cells
    assert [type(item) for item in found] == [type(item) for item in cells]


def test_whole_and_broken_numbers_are_numbers(tmp_path):
    assert read_columns(written(tmp_path, {"y": 1}, {"y": 0.5}), ["y"])["y"].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("name", ["Y", 'a"b', "a/b~c", "a.b", "$", "it's", "", "[0]", "é"])
def test_any_key(tmp_path, name):
    path = written(tmp_path, {"y": 0, name: 5}, "", {name: 6, "y": 1})
    assert read_columns(path, [name])[name].tolist() == [5, 6]


def test_a_key_of_a_later_line_is_a_column(tmp_path):
    path = written(tmp_path, {"y": 1}, {"": 2}, {"b": 3, "y": 4, "a": None})
    found = {name: cells.tolist() for name, cells in read_columns(path).items()}
    assert found == {"y": [1, None, 4], "": [None, 2, None], "b": [None, None, 3], "a": [None] * 3}
    assert list(found) == ["y", "", "b", "a"]
    assert read_columns(path, ["b"])["b"].tolist() == [None, None, 3]
    assert said(path, ["c"]) == "a.jsonl has no column 'c': there are 'y', '', 'b', 'a'"


def test_absent_and_null_are_missing(tmp_path):
    found = read_columns(written(tmp_path, {"y": 1, "s": None}, {"s": 1.5}), ["y", "s"])
    assert found["y"].tolist() == [1, None]
    assert found.missing == {"y": 1, "s": 0}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([{"y": 1}, {"y": "a"}], "a.jsonl, column y: row 2 holds text, but row 1 holds a number: make them alike"),
        ([{"y": None}, {"y": 1.5}, {"y": 1}, {"y": True}], "a.jsonl, column y: row 4 holds true or false, but row 2"),
        ([{"y": 1}, {"y": [1]}], "a.jsonl, column y: row 2 holds a nested value"),
        ([{"y": 1}, {"y": 2}, '{"y": 3'], "a.jsonl: row 3 is not JSON: write one JSON object per line"),
        ([{"y": 1}, "", "[1, 2]"], "a.jsonl: row 2 is not an object but [1, 2]: write one JSON object per line"),
        (["7"], "a.jsonl: row 1 is not an object but 7"),
        (["y,s", "1,2"], "a.jsonl: row 1 is not JSON"),
        (['[{"y": 1}]'], "a.jsonl holds a JSON array: write one object per line instead"),
        ([{"s": 1, "yy": 2}], "a.jsonl has no column 'y': there are 'yy', 's'"),
        ([{"y": "a"}, '{"y": "\udcff"}'], "a.jsonl: row 2 holds bytes that are not UTF-8"),
        (
            [{"y": "a"}, {"y": "x" * 10_000_000}],
            "a.jsonl, column y: row 2 holds a cell of more than 131,072 characters",
        ),
        ([{"y": -1}, {"y": 2**64 - 1}], "a.jsonl, column y holds whole numbers below 0 and above 9223372036854775807"),
        ([{"y": 1}, '{"y": 1, "s": 2, "y": 3}'], "a.jsonl: row 2 has the key 'y' twice: leave one of them out"),
    ],
)
def test_sentence(tmp_path, lines, sentence):
    assert said(written(tmp_path, *lines)).startswith(sentence)


def test_a_huge_cell(tmp_path):
    path = written(tmp_path, {"y": "a"}, {"y": "x" * 10_000_000})
    assert said(path) == "a.jsonl, column y: row 2 holds a cell of more than 131,072 characters"
