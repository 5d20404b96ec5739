"""CSV cells: the type of a column by the stated rules, and a sentence with the row for what cannot be read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns


def read(tmp_path: Path, text: str | bytes, names=("y",), name="a.csv"):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_columns(tmp_path / name, list(names))


def said(tmp_path: Path, text: str | bytes, names=("y",)) -> str:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text, names)
    assert len(str(caught.value)) < 600
    return str(caught.value).replace(str(tmp_path) + "/", "")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "0", "-7"], [1, 0, -7]),
        ([" 1", "2 "], [1, 2]),
        (["1", "2.5"], [1.0, 2.5]),
        (["1.0", "2.0"], [1.0, 2.0]),
        (["1e3", "+2"], [1000.0, 2.0]),
        (["01", "1"], ["01", "1"]),
        (["0.5", "00"], ["0.5", "00"]),
        (["12345678901234567890", "1"], [12345678901234567890, 1]),
        (["18446744073709551615", ""], [18446744073709551615, None]),
        (["18446744073709551616", "1"], ["18446744073709551616", "1"]),
        (["18446744073709551615", "-1"], ["18446744073709551615", "-1"]),
        (["18446744073709551615", "0.5"], ["18446744073709551615", "0.5"]),
        (["true", "False", "TRUE"], [True, False, True]),
        (["true", "1"], ["true", "1"]),
        (["true", "yes"], ["true", "yes"]),
        (["NA", "1"], [None, 1]),
        (["1_000", "1"], ["1_000", "1"]),
        (["0x1F", "1"], ["0x1F", "1"]),
        (["2020-01-31", "2020-02-01"], ["2020-01-31", "2020-02-01"]),
        (["a", " a"], ["a", " a"]),
        (["9223372036854775807", "1"], [9223372036854775807, 1]),
    ],
)
def test_type_of_a_column(tmp_path, cells, expected):
    found = read(tmp_path, "y,s\n" + "".join(f"{cell},0\n" for cell in cells))["y"]
    assert found.tolist() == expected
    assert [type(item) for item in found.tolist()] == [type(item) for item in expected]


def test_one_late_cell_decides_the_type(tmp_path):
    text = "y,s\n" + "1,0\n" * 50_000 + "x,0\n"
    assert read(tmp_path, text)["y"][[0, -1]].tolist() == ["1", "x"]
    text = "y,s\n" + "1,0\n" * 50_000 + "01,0\n"
    assert read(tmp_path, text)["y"][[0, -1]].tolist() == ["1", "01"]


def test_empty_cells_are_missing_and_a_mark_among_texts_is_none(tmp_path):
    found = read(tmp_path, 'y,s,t\n1,,a\n,"",NA\n3,0.5,\n', ("y", "s", "t"))
    assert found["y"].tolist() == [1, None, 3]
    assert np.isnan(found["s"]).tolist() == [True, True, False]
    assert found["t"].tolist() == ["a", "NA", None]
    assert found.missing == {"y": 1, "s": 0, "t": 2}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_header_shows_the_separator(tmp_path, separator):
    text = separator.join(["y", "a b", "s"]) + "\n" + separator.join(["1", "x", "2"]) + "\n"
    assert read(tmp_path, text, ("y", "a b"))["a b"].tolist() == ["x"]


def test_one_column_bom_and_line_ends(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbfy\r\n1\r\n2\r\n")["y"].tolist() == [1, 2]
    assert read(tmp_path, b"y,s\n1,2\n\n3,4\n\n")["y"].tolist() == [1, 3]
    assert read(tmp_path, b"y,s\r1,2\r3,4\r")["y"].tolist() == [1, 3]
    assert read(tmp_path, b"y,s\n1,2\n3,4")["y"].tolist() == [1, 3]


def test_names_that_differ_in_case_only(tmp_path):
    found = read(tmp_path, "y,Y\n1,2\n", ("Y", "y"))
    assert (found["y"].tolist(), found["Y"].tolist()) == ([1], [2])


def test_quoted_names_and_cells(tmp_path):
    found = read(tmp_path, '"a, b","c\nd"\n"x ""y""","1\n2"\n', ("a, b", "c\nd"))
    assert found["a, b"].tolist() == ['x "y"']
    assert found["c\nd"].tolist() == ["1\n2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("y,s\n1,2\n3\n4,5\n", "a.csv: row 2 has 1 cell, but the header has 2"),
        ("y,s\n1,2\n3,4,5\n4,5\n", "a.csv: row 2 has 3 cells, but the header has 2"),
        ('y,s\n"a\nb",2\n\n3,4,5\n', "a.csv: row 2 has 3 cells, but the header has 2"),
        ('y,s\n1,"ab"c\n3,4\n', "a.csv: row 1 holds a quoted cell that does not end where it should"),
        ('y,s\n1,2\n1,"abc\n3,4\n', "a.csv: row 2 holds a quoted cell that does not end where it should"),
        (b"y,s\n1,2\n\xff,3\n", "a.csv: row 2 holds bytes that are not UTF-8: save the file as UTF-8"),
        (b"y\xff,s\n1,2\n", "a.csv: the header holds bytes that are not UTF-8: save the file as UTF-8"),
        ("y,s\n", "a.csv has a header but no rows"),
        ("y,s,y\n1,2,3\n", "a.csv has 2 columns called 'y': rename all but one"),
        ("s,t\n1,2\n", "a.csv has no column 'y': there are 's', 't'"),
    ],
)
def test_sentence(tmp_path, text, sentence):
    assert said(tmp_path, text) == sentence


@pytest.mark.parametrize("length", [200_000, 10_000_000])
def test_a_huge_cell_is_named_not_echoed(tmp_path, length):
    text = f"y,s\na,2\n{'x' * length},3\n"
    assert said(tmp_path, text).endswith("column y: row 2 holds a cell of more than 131,072 characters")


def test_lines_may_end_in_several_ways(tmp_path):
    assert read(tmp_path, b"y,s\n1,2\r\n3,4\r5,6\n")["y"].tolist() == [1, 3, 5]
    assert said(tmp_path, b"y,s\n1,2\r\n3\n") == "a.csv: row 2 has 1 cell, but the header has 2"
    assert said(tmp_path, b"y,s\n1,2\r\n\xff,4\n").startswith("a.csv: row 2 holds bytes that are not UTF-8")


def test_a_cell_unlike_the_first_thousands_decides_the_type(tmp_path):
    for last, first in (("x", "1"), ("0.5", 1.0), ("07", "1"), ("18446744073709551615", 1), ("true", "1")):
        column = read(tmp_path, "y,s\n" + "1,0\n" * 30_000 + f"{last},0\n")["y"]
        assert column[0] == first and type(column[0].item() if hasattr(column[0], "item") else first) is type(first)
    for last in ("1_0.5", "00.5", "x", "12345678901234567890123"):
        assert read(tmp_path, "y,s\n" + "0.5,0\n" * 30_000 + f"{last},0\n")["y"].tolist()[-1] == last


def test_many_columns_of_which_two_are_asked(tmp_path):
    names = [f"f{place}" for place in range(100_000)]
    rows = [",".join(str(place % 10 + row) for place in range(len(names))) for row in range(2)]
    text = "\n".join(
        [
            ",".join([*names, "y", "twice", "twice"]),
            *(f"{row},{sign},1,1" for row, sign in zip(rows, "ab", strict=True)),
        ]
    )
    columns = read(tmp_path, text, ("y", "f99999"))
    assert columns["y"].tolist() == ["a", "b"] and columns["f99999"].tolist() == [9, 10]
    assert "has 2 columns called 'twice'" in said(tmp_path, text, ("twice",))


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=25, deadline=None)
@given(rows=st.lists(st.tuples(texts, texts), min_size=1, max_size=20))
def test_text_cells_come_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("cells") / "a.csv"
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("y", "s"), ("zz", "zz"), *rows])  # the first row makes both columns text
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    found = read_columns(path, ["y", "s"])
    for place, name in enumerate("ys"):
        assert found[name].tolist() == ["zz", *(row[place] or None for row in rows)]


@settings(max_examples=25, deadline=None)
@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_numbers_come_back_exactly(tmp_path_factory, numbers):
    path = tmp_path_factory.mktemp("cells") / "a.csv"
    path.write_text("y\n0.5\n" + "".join(f"{number!r}\n" for number in numbers))
    assert read_columns(path, ["y"])["y"].tolist() == [0.5, *numbers]


DECIMALS = (
    "1.5",
    "-0.5",
    "07.5",
    "-07.5",
    "1_0.5",
    "1.5_0",
    "-1_5.0",
    " 1.5",
    "1.5 ",
    "+1.5",
    "-.5",
    ".5",
    "5.",
    "1,5",
)
WHOLE = ("12", "-12", "0", "00", "-0", "+7", " 7", "7 ", "9223372036854775807", "9223372036854775808", "1_0")
OTHERS = (
    "1e5",
    "1e2",
    "1.5.2",
    "0x10",
    "12345678901234567890.5",
    "a",
    "-",
    "",
    "inf",
    "nan",
    "true",
    "0.1_0",
    "-0.1_2",
)


@pytest.mark.parametrize("cells", [DECIMALS, WHOLE, OTHERS])
@pytest.mark.parametrize("usual", ["1.5", "0.5", "7", "-3"])
def test_where_a_cell_stands_does_not_decide_the_type_of_its_column(tmp_path, usual, cells):
    path, many = tmp_path / "a.csv", [",".join([usual] * len(cells))] * 30
    lines = [",".join(f"c{place}" for place in range(len(cells))), ",".join(f'"{cell}"' for cell in cells), *many]
    path.write_text("\n".join(lines) + "\n")
    first = read_columns(path)
    for name, cell in zip(first, cells, strict=True):
        path.write_text("\n".join([f"{name},b", *[f"{usual},1"] * 30, f'"{cell}",1']) + "\n")
        last = read_columns(path, [name])[name]  # a column by itself: another must not have it read twice
        assert first[name].dtype == last.dtype, cell
        assert repr(np.roll(first[name], -1).tolist()) == repr(last.tolist()), cell


@pytest.mark.parametrize("cell", [' "x"y', ' ""1"', ' "x"', '  "', ' "x" ', 'foo "x"y', ' x "y" ', '"a""b"', "'x'"])
@pytest.mark.parametrize("place", [(0, 1), (1, 0), (1, 1)])
def test_a_quote_behind_blanks_is_a_sign_like_others(tmp_path, cell, place):
    rows = [["a", "b"], ["0", "u"], ["2", "z"]]
    rows[place[0]][place[1]] = cell
    text = "\n".join("|".join(row) for row in rows) + "\n"
    (tmp_path / "a.csv").write_text(text)
    columns = read_columns(tmp_path / "a.csv")
    found = [list(columns), *([str(cell) for cell in row] for row in zip(*columns.values(), strict=True))]
    assert found == list(csv.reader(io.StringIO(text), delimiter="|"))
