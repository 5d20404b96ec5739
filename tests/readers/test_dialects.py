"""Text files of every dialect, row by row against Python's csv module."""

import csv
import io
import random

import pytest

from veracity import read_predictions, score
from veracity.readers.columns import read_columns

CELLS = ("a", "b", "x y", "1", "2.5", "", "é", "a,b", 'q"q', "#c", "  pad ", "a;b", "t\tt")


def written(seed):
    """A file in some dialect: separator, line ends, byte order mark, blank lines before and between, quotes."""
    chance = random.Random(seed)
    separator, end = chance.choice(",;\t|"), chance.choice(["\n", "\r\n"])
    text = io.StringIO(newline="")
    quoting = chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    header = [f"c{number}" for number in range(chance.choice([2, 3, 5]))]
    writer.writerow(header)
    for _ in range(chance.randint(1, 6)):
        writer.writerow(["z", *(chance.choice(CELLS) for _ in header[1:])])
        text.write(end * chance.choice([0, 0, 0, 1, 2]))
    mark = chance.choice(["", "\ufeff"])
    body = f"{mark}{end * chance.choice([0, 0, 1, 2, 3])}{text.getvalue()}"
    return separator, body if chance.random() < 0.8 else body.rstrip("\r\n")


def rows_of(text, separator):
    """As Python reads them, without blank lines."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    return [row for row in reader if row]


def same(cell, text):
    if cell is None or cell != cell:  # missing
        return text == ""
    return float(text) == cell if isinstance(cell, (int, float)) else cell == text


@pytest.mark.parametrize("seed", range(150))
def test_rows_are_those_of_python(tmp_path, seed):
    separator, text = written(seed)
    (tmp_path / "file.csv").write_bytes(text.encode())
    columns = read_columns(str(tmp_path / "file.csv"))
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
