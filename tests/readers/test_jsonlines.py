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
        ([{"y": 1}, {"y": [1]}], "a.jsonl, column y: row 2 holds a list; a column has one value in each row"),
        ([{"y": {"a": 1, "b": 2}}], "a.jsonl, column y: row 1 holds an object; name a value inside: 'y.a', 'y.b'"),
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


NESTED = [
    {"id": k, "doc": {"target": word, "meta": {"passage": k // 2}}, "metrics": {"acc": k % 2 == 0}, "resps": [[k]]}
    for k, word in enumerate(["a", "ü\n", 'say "so"', "d"])
]


def test_dotted_names_lead_inside(tmp_path):
    path = written(tmp_path, *NESTED)
    names = ["id", "doc.target", "doc.meta.passage", "metrics.acc"]
    found = {name: cells.tolist() for name, cells in read_columns(path, names).items()}
    assert found == {
        "id": [0, 1, 2, 3],
        "doc.target": ["a", "ü\n", 'say "so"', "d"],
        "doc.meta.passage": [0, 0, 1, 1],
        "metrics.acc": [True, False, True, False],
    }


def test_a_key_with_a_dot_comes_before_a_path(tmp_path):
    path = written(tmp_path, {"a": {"b": 1}, "a.b": 2}, {"a": {"b": 3}, "a.b": 4})
    assert read_columns(path, ["a.b"])["a.b"].tolist() == [2, 4]


def test_a_value_that_some_lines_lack_is_missing(tmp_path):
    path = written(tmp_path, {"a": {"b": 1}}, {"a": {}}, {"c": 1}, {"a": None}, {"a": {"b": 5}})
    found = read_columns(path, ["a.b"])
    assert found["a.b"].tolist() == [1, None, None, None, 5]
    assert found.missing == {"a.b": 1}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("resps", "a.jsonl, column resps: row 1 holds a list; a column has one value in each row: write the one that"),
        ("resps.0", "a.jsonl, column resps.0: resps holds a list; a path names one value in each row, not a part of a"),
        ("resps.text", "a.jsonl, column resps.text: resps holds a list; a path names one value in each row"),
        ("doc.meta", "a.jsonl, column doc.meta: row 1 holds an object; name a value inside: 'doc.meta.passage'"),
        ("doc.targt", "a.jsonl has no column 'doc.targt': there are 'doc.target', "),
        ("doc.target.x", "a.jsonl has no column 'doc.target.x': there are 'doc.target', "),
        ("target", "a.jsonl has no column 'target': there are 'doc.target', "),
    ],
)
def test_a_path_that_leads_nowhere_or_into_a_list(tmp_path, name, sentence):
    assert said(written(tmp_path, *NESTED), ["id", name]).startswith(sentence)


def test_a_key_twice_on_the_way_is_told(tmp_path):
    path = written(tmp_path, {"doc": {"y": 1}}, '{"doc": {"y": 1, "y": 2}}')
    assert said(path, ["doc.y"]) == "a.jsonl: row 2 has the key 'doc.y' twice: leave one of them out"


def test_whole_numbers_beyond_floating_point_are_infinite(tmp_path):
    huge = "1" + "0" * 400
    mixed = read_columns(written(tmp_path, '{"y": 0.5}', f'{{"y": -{huge}}}'), ["y"])["y"]
    assert mixed.tolist() == [0.5, float("-inf")]
    whole = read_columns(written(tmp_path, f'{{"y": {huge}}}', '{"y": 2}'), ["y"])["y"]
    assert whole.tolist() == [float("inf"), 2]


def test_objects_without_keys_are_no_table(tmp_path):
    with pytest.raises(BadInput, match=r"a.jsonl has no columns: its objects are empty"):
        read_columns(written(tmp_path, "{}", "{}"))
