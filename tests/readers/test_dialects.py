"""Text files of every dialect, row by row against Python's csv and json modules, and as they were written."""

import csv
import io
import json
import random

import pytest

from veracity import read_predictions, read_scores, score
from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns

CELLS = ("a", "b", "x y", "1", "2.5", "", "é", "a,b", 'q"q', "#c", "  pad ", "a;b", "t\tt")


ENDS = (["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"])


def written(seed, signs=",;\t|"):
    """A file in some dialect: separator, line ends, byte order mark, blank lines before and between, quotes."""
    chance = random.Random(seed)
    separator, ends = chance.choice(signs), chance.choice(ENDS)
    quoting = chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    cells = (*CELLS, *chance.choice([(), ("two\nlines", "two\r\nlines")]))
    broken = chance.choice(["", "", "\n", "\r"])  # a line break in a name
    header = [f"c{broken}{number}" for number in range(chance.choice([1, 2, 3, 5]))]
    rows = [header, *(["z", *(chance.choice(cells) for _ in header[1:])] for _ in range(chance.randint(1, 6)))]
    parts = [chance.choice(ends) for _ in range(chance.choice([0, 0, 1, 2, 3]))]
    for row in rows:
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=separator, lineterminator="\r\n", quoting=quoting).writerow(row)
        parts += [text.getvalue()[:-2], *(chance.choice(ends) for _ in range(chance.choice([1, 1, 1, 2, 3])))]
    body = chance.choice(["", "\ufeff"]) + "".join(parts)
    return separator, body if chance.random() < 0.8 else body.rstrip("\r\n")


def rows_of(text, separator):
    """As Python reads them, without blank lines."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    return [row for row in reader if row]


def same(cell, text):
    if cell is None or cell != cell:  # missing
        return text == ""
    return float(text) == cell if isinstance(cell, (int, float)) else cell == text


def seeds(few, many):
    """The first by default, all in `make test-all`."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(few, many))]


@pytest.mark.parametrize("name", ["file.csv", "file.tsv", "file"])
@pytest.mark.parametrize("seed", seeds(25, 100))
def test_rows_are_those_of_python(tmp_path, seed, name):
    separator, text = written(seed, "\t" if name == "file.tsv" else ",;\t|")
    (tmp_path / name).write_bytes(text.encode())
    columns = read_columns(str(tmp_path / name))
    header, *rows = rows_of(text, separator)
    assert list(columns) == header
    cells = list(zip(*(columns[name].tolist() for name in header), strict=True))
    assert len(cells) == len(rows)
    for row, words in zip(cells, rows, strict=True):
        assert all(same(cell, word) for cell, word in zip(row, words, strict=True))


@pytest.mark.parametrize("start", ["\n", "\ufeff\n", "\r\n", "\n\n", "\ufeff\r\n\r\n"])
def test_a_blank_first_line_does_not_make_the_header_a_row(tmp_path, start):
    end = "\r\n" if "\r" in start else "\n"
    (tmp_path / "file.csv").write_bytes((start + end.join(["y,l", "a,a", "b,b", "a,a", "b,b", ""])).encode())
    p = read_predictions(str(tmp_path / "file.csv"), truth="y", label="l")
    assert len(p) == 4 and p.classes == ("a", "b") and score(p, "error") == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_blank_line_of_a_single_column_is_no_row_and_an_empty_cell_is_one(tmp_path, end):
    (tmp_path / "file.csv").write_bytes(end.join(["y", "", "a", "", "", '""', "b", "", ""]).encode())
    assert read_columns(str(tmp_path / "file.csv"))["y"].tolist() == ["a", None, "b"]


def test_blank_lines_are_found_where_the_looks_at_a_file_meet(tmp_path, monkeypatch):
    for size in range(1, 8):
        monkeypatch.setattr("veracity.readers.delimited.PART_BYTES", size)
        (tmp_path / "file.csv").write_bytes(b"y\r\n1\r\n2\r\n\r\n3\r\n")
        assert read_columns(str(tmp_path / "file.csv"))["y"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("text", ['"n\nm","y"\n\n"bad","2"\n', '"n\rm";"y"\n\n"bad";"2"\n', '"n\r\nm",y\r\nbad,2\r\n'])
def test_a_line_break_in_a_name_does_not_move_the_rows(tmp_path, text):
    (tmp_path / "file.csv").write_bytes(text.encode())
    _, y = read_columns(str(tmp_path / "file.csv")).items()
    assert y[0] == "y" and y[1].tolist() == [2]


VALUES = ((1, -2, 2**63 - 1), (0, 2**64 - 1), (0.5, 1, -3.25e-300), ("a", "é", 'q"', "two\nlines", ""), (True, False))


@pytest.mark.parametrize("name", ["file.jsonl", "file.json", "file"])
@pytest.mark.parametrize("seed", seeds(15, 60))
def test_json_lines_are_those_of_python(tmp_path, seed, name):
    chance = random.Random(seed)
    ends, blank = chance.choice(ENDS), chance.choice(["", " "])
    pools = {key: chance.choice(VALUES) for key in chance.sample(["y", "a b", "é", "a/b", 'q"', ""], 3)}
    rows = [
        {key: chance.choice(pool) for key, pool in pools.items() if not row or chance.random() < 0.9}
        for row in range(5)
    ]
    parts = [chance.choice(ends) for _ in range(chance.choice([0, 1, 2]))]
    for row in rows:
        line = json.dumps(row, ensure_ascii=chance.random() < 0.5)
        parts += [blank, line, blank, *(chance.choice(ends) for _ in range(chance.choice([1, 1, 2])))]
    text = chance.choice(["", "\ufeff"]) + "".join(parts)
    (tmp_path / name).write_bytes(text.encode())
    columns = read_columns(str(tmp_path / name))
    read = [json.loads(line) for line in text.removeprefix("\ufeff").replace("\r", "\n").split("\n") if line.strip()]
    assert read == rows and list(columns) == list(pools)
    for key in pools:
        cells = [None if cell != cell else cell for cell in columns[key].tolist()]
        assert cells == [row.get(key) for row in rows]


@pytest.mark.parametrize("name", ["file.arff", "file"])
@pytest.mark.parametrize("seed", seeds(20, 60))
def test_arff_is_read_as_it_was_written(tmp_path, seed, name):
    chance = random.Random(seed)
    ends, pool = chance.choice(ENDS), chance.choice([(1, -2, 2**63 - 1), (0, 2**64 - 1), (0.5, -1.25)])
    rows = [(chance.choice(pool), chance.choice(["a", "b c", "p%", "k,l", "é"])) for _ in range(5)]
    lines = ["@relation r", "", "% of two columns", "@attribute 'a b' numeric", "@ATTRIBUTE t string", "@data"]
    lines = ["% first"] * chance.choice([0, 1]) + lines
    for number, word in rows:
        lines += [f"{number}, '{word}'", *chance.choice([[], [""], ["% between"]])]
    text = "".join(part for line in lines for part in (line, chance.choice(ends)))
    text = chance.choice(["", "\ufeff"]) + "".join(chance.choice(ends) for _ in range(chance.choice([0, 1, 2]))) + text
    (tmp_path / name).write_bytes(text.encode())
    columns = read_columns(str(tmp_path / name))
    assert list(zip(columns["a b"].tolist(), columns["t"].tolist(), strict=True)) == rows


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n", "\ufeff\r\n"])
def test_a_result_file_of_weka_begins_where_its_text_does(tmp_path, start, end):
    lines = ["Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Percent_correct"]
    lines += [f"{data},1,1,'{scheme}',{90 + place}" for data in "ab" for place, scheme in enumerate(("x,1", "y"))]
    (tmp_path / "file.csv").write_bytes((start + end.join(lines) + end).encode())
    table = read_scores(str(tmp_path / "file.csv"))
    assert list(table.learners) == ["x,1", "y"] and list(table.datasets) == ["a", "b"]


@pytest.mark.parametrize("body", [b"\xef\xbb\xbf\n", b"\xef\xbb\xbf", b"\r\n\r\n", b"\xef\xbb\xbf\r"])
@pytest.mark.parametrize("name", ["file.csv", "file.tsv", "file.jsonl", "file.arff", "file"])
def test_a_file_of_a_mark_and_blank_lines_is_empty(tmp_path, body, name):
    (tmp_path / name).write_bytes(body)
    with pytest.raises(BadInput, match="is empty"):
        read_columns(str(tmp_path / name))


LONG = "x" * 50_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("file.csv", f"y,l\na,b\nc,{LONG}\n"),
        ("file.csv", f"y,l\r\na,b\nc,{LONG}\n"),
        ("file.jsonl", f'{{"y": "a", "l": "b"}}\n{{"y": "c", "l": "{LONG}"}}\n'),
        ("file.arff", f"@relation r\n@attribute y string\n@attribute l string\n@data\na,b\nc,{LONG}\n"),
    ],
)
def test_a_cell_of_50_million_letters_is_told(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=r"(row|line) [26] holds a cell of more than [0-9,]+ characters"):
        read_columns(str(tmp_path / name), ["y", "l"])
