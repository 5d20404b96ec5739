"""ARFF: declarations, dense and sparse rows, weights, and the line of what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.readers.arff import unquote, words
from veracity.readers.columns import read_columns
from veracity.readers.read_predictions import read_predictions

HEAD = """% a comment
@RELATION 'some relation'

@attribute number NUMERIC
@Attribute 'a name' {yes, 'no, never', "it's"}   % said so
@attribute "txt" string
@attribute when DATE "yyyy-MM-dd"
@attribute count integer
@DATA
"""


def written(tmp_path, rows: str | bytes, head: str = HEAD):
    body = rows if isinstance(rows, bytes) else rows.encode()
    (tmp_path / "a.arff").write_bytes(head.encode() + body)
    return tmp_path / "a.arff"


def said(path, names=None) -> str:
    with pytest.raises(BadInput) as caught:
        read_columns(path, names)
    assert len(str(caught.value)) < 600
    return str(caught.value).replace(str(path.parent) + "/", "")


def test_dense_rows(tmp_path):
    rows = """1.5, yes, 'x, y', '2020-01-31', 3
% between
-2e3,'no, never',"a \\"b\\" \\\\",?,-4   % after
?,it's,plain words,2020-02-01,0
"""
    found = read_columns(written(tmp_path, rows))
    assert list(found) == ["number", "a name", "txt", "when", "count"]
    assert found["number"].tolist() == [1.5, -2000.0, None]
    assert found["a name"].tolist() == ["yes", "no, never", "it's"]
    assert found["txt"].tolist() == ["x, y", 'a "b" \\', "plain words"]
    assert found["when"].tolist() == ["2020-01-31", None, "2020-02-01"]
    assert found["count"].tolist() == [3, -4, 0]
    assert found["count"].dtype.kind == "i"
    assert found.missing == {"number": 2, "when": 1}
    assert found.weights is None


def test_rows_separated_by_blanks(tmp_path):
    head = "@relation r\n@attribute y numeric\n@attribute s numeric\n@data\n"
    assert read_columns(written(tmp_path, "1\t2\n3 4\n", head))["s"].tolist() == [2, 4]


def test_sparse_rows_leave_out_zeros_and_first_values(tmp_path):
    head = "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute c numeric\n@data\n"
    found = read_columns(written(tmp_path, "{1 'y z', 2 7}\n{}\n{0 1.5}\n{1 ?}\n", head))
    assert found["a"].tolist() == [0.0, 0.0, 1.5, 0.0]
    assert found["b"].tolist() == ["y z", "x", "x", None]
    assert found["c"].tolist() == [7, 0, 0, 0]


@pytest.mark.parametrize("rows", ["1,x,{0.5}\n0,y\n1,y,{2}\n", "{0 1},{0.5}\n{1 y}\n{0 1, 1 y}, {2}\n"])
def test_weights_in_braces_weigh_the_rows(tmp_path, rows):
    head = "@relation r\n@attribute s numeric\n@attribute y {x,y}\n@data\n"
    path = written(tmp_path, rows, head)
    assert read_columns(path, ["y"]).weights.tolist() == [0.5, 1.0, 2.0]
    p = read_predictions(path, truth="y", value="s", positive="y")
    assert p.weights.tolist() == [0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("1,yes,a,b\n", "a.arff: line 10 has 4 cells, but 5 attributes are declared"),
        ("1,yes,a,b,1\n\nx,yes,a,b,1\n", "a.arff: line 12 holds 'x' in attribute 'number', which is not a number"),
        ("1,never,a,b,1\n", "a.arff: line 10 holds 'never', which is not among the values declared"),
        ("1,'yes,a,b,1\n", "a.arff: line 10 has an opening quote without its closing one"),
        ("{0 1,7 2}\n", "a.arff: line 10 holds '7 2' where the number of an attribute and its value are needed"),
        ("{0 1,0 2}\n", "a.arff: line 10 holds '0 2' where"),
        ("{0 1\n", "a.arff: line 10 has an opening brace without its closing one"),
        ("{0 1}\n", "a.arff: line 10 leaves out attribute 'txt'"),
        ("1,yes,a,b,1,{heavy}\n", "a.arff: line 10 ends in '{heavy}', which is not a weight in braces"),
        (b"1,yes,\xff,b,1\n", "a.arff: line 10 holds bytes that are not UTF-8"),
        ("% nothing\n", "a.arff has attributes but no rows"),
    ],
)
def test_sentence_about_a_row(tmp_path, rows, sentence):
    assert said(written(tmp_path, rows)).startswith(sentence)


def test_a_huge_cell(tmp_path):
    path = written(tmp_path, f"1,yes,{'x' * 10_000_000},b,1\n")
    assert said(path) == "a.arff: line 10 holds a cell of more than 131,072 characters in attribute 'txt'"


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("@relation r\n@attribute y nominal\n@data\n1\n", "a.arff: line 2 declares attribute 'y' as 'nominal': "),
        ("@relation r\n@attribute y\n@data\n1\n", "a.arff: line 2 declares attribute 'y' as ''"),
        ("@relation r\n@attribute\n@data\n1\n", "a.arff: line 2 declares an attribute without a name"),
        ("@relation r\n@attribute y {a,b\n@data\na\n", "a.arff: line 2 declares attribute 'y' without the closing"),
        ("@relation r\n@attribute y {a,b}\na\n", "a.arff: line 3 is neither @relation, @attribute nor @data: a"),
        ("@relation r\n@attribute y {a,b}\n", "a.arff: line 2 ends the file before @data"),
        ("@relation r\n@attribute x {a,b}\n@data\na\n", "a.arff has no column 'y': there are 'x'"),
        ("@relation r\n@attribute y real\n@attribute y real\n@data\n1,2\n", "a.arff has 2 columns called 'y'"),
    ],
)
def test_sentence_about_the_head(tmp_path, head, sentence):
    assert said(written(tmp_path, "", head), ["y"]).startswith(sentence)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0", exclude_categories=["Cs"]), max_size=20)


@pytest.mark.parametrize("quote", ["'", '"'])
@given(cells=st.lists(texts, min_size=1, max_size=6))
def test_quoted_words_come_back(quote, cells):
    line = ", ".join(quote + cell.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote for cell in cells)
    assert [unquote(word) for word in words(line + " % 'comment")] == cells


@settings(max_examples=50, deadline=None)
@given(numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=20), sparse=st.booleans())
def test_numbers_come_back_exactly(tmp_path_factory, numbers, sparse):
    path = tmp_path_factory.mktemp("arff") / "a.arff"
    rows = "".join(f"{{1 {number!r}}}\n" if sparse else f"0,{number!r}\n" for number in numbers)
    path.write_text(f"@relation r\n@attribute z real\n@attribute y real\n@data\n{rows}")
    found = read_columns(path)
    assert found["y"].tolist() == numbers
    assert found["z"].tolist() == [0] * len(numbers)
