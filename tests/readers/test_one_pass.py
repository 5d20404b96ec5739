"""Large text files in one pass: the same rows as when read row by row, and no answer where a row is unexpected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.readers.count_question import count_question
from veracity.readers.delimited import START
from veracity.readers.one_pass import rows_in_one_pass
from veracity.readers.read_evidence import read_evidence
from veracity.readers.read_predictions import read_predictions
from veracity.readers.source import open_source

HEADER = "y,p,name\n"
USUAL = [f"{row % 2},0.{row:06},row {row}" for row in range(1, 40)]


def rows_of(path: Path, lines: float = 1000, **asked: object):
    names = [asked["truth"], asked.get("proba") or asked["value"]]
    with open_source(path) as file:
        return rows_in_one_pass(file, lambda known: names, count_question(asked), lines)


@pytest.fixture
def written(tmp_path):
    def write(*lines: str, header: str = HEADER) -> Path:
        path = tmp_path / "rows.csv"
        path.write_text(header + "\n".join(lines) + "\n")
        return path

    return write


def test_usual_rows_are_held_in_their_order(written):
    path = written(*USUAL)
    found, expected = (
        rows_of(path, truth="y", proba="p", positive="1"),
        read_predictions(path, truth="y", proba="p", positive="1"),
    )
    np.testing.assert_array_equal(found.truth, expected.truth)
    np.testing.assert_array_equal(found.proba, expected.proba)
    assert found.classes == expected.classes


UNLIKE = ("2,0.5", "01,0.5", " 1,0.5", ",0.5", "1,", "1,1.5", "1,-0.1", "1,nan", "1,07.5", "1,1_0", "1,a")


@pytest.mark.parametrize("cells", UNLIKE)
def test_a_row_unlike_the_first_ones_is_left_to_who_reads_twice(written, cells):
    many = [f"{row % 2},0.{row:06},row {row}" for row in range(START + 10)]
    assert rows_of(written(*many), START + 20, truth="y", proba="p", positive="1") is not None
    assert rows_of(written(*many, f"{cells},x"), START + 20, truth="y", proba="p", positive="1") is None


def test_more_lines_than_the_start_of_the_file_let_expect(written):
    assert rows_of(written(*USUAL), 10, truth="y", proba="p", positive="1") is None


def test_values_that_come_again_and_again_are_left_to_be_counted(written):
    assert rows_of(written(*["1,0.5,x", "0,0.5,x"] * 100), truth="y", proba="p", positive="1") is None


def test_too_many_rows_are_left_to_be_counted(written):
    assert rows_of(written(*USUAL), 1e9, truth="y", proba="p", positive="1") is None


LABELS = ("no", "it's", "a, b", "1", "0", "1.0", "true", "é", "-1")
SPELLINGS = (repr, "{:.3f}".format, "{:e}".format, "+{:.6f}".format, " {:.4f} ".format)


def answer(read, *arguments, **asked):
    try:
        return read(*arguments, **asked)
    except BadInput as why:
        return str(why)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(LABELS), min_size=2, max_size=2, unique=True),
    st.lists(st.floats(0, 1), min_size=30, max_size=60),
    st.sampled_from(SPELLINGS),
)
def test_large_and_small_files_are_read_alike(tmp_path_factory, labels, values, spelling):
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    rows = [f'"{labels[row % 2]}",{spelling(value)},x' for row, value in enumerate(values)]
    path.write_text(HEADER + "\n".join(rows) + "\n")
    asked = {"truth": "y", "proba": "p", "positive": labels[0]}
    expected = answer(read_predictions, path, **asked)
    large = answer(read_evidence, path, large=10, **asked)
    if isinstance(expected, str):
        assert large == expected
        return
    assert (large.rows, large.classes) == (len(expected), expected.classes)
    if large.evidence.repeats is None:
        np.testing.assert_array_equal(large.evidence.truth, expected.truth)
        np.testing.assert_array_equal(large.evidence.proba, expected.proba)
    else:
        np.testing.assert_array_equal(large.evidence.confusion().cells, expected.confusion().cells)
